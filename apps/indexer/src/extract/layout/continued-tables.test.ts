import { describe, expect, it } from 'vitest';
import { BOLD, grid, markdownOf, type Placed, run } from '../../../../../test/support/placed-text.ts';
import type { Run } from './model.ts';

const XS = [0, 100, 200, 300];

interface Sheet {
  readonly xs?: readonly number[];
  readonly above?: readonly Run[];
  readonly below?: readonly Run[];
  /** Of the first row. */
  readonly font?: string;
}

function sheet(rows: readonly (readonly string[])[], { xs = XS, above = [], below = [], font }: Sheet = {}): Placed {
  const cells = rows.flatMap((row, at) =>
    row.flatMap((text, column) => {
      if (text === '') return [];
      return [run(text, (xs[column] ?? 0) + 5, at * 20 + 15, at === 0 && font ? { font } : {})];
    }),
  );
  const rules = grid(
    xs,
    Array.from({ length: rows.length + 1 }, (_, at) => at * 20),
  );
  return { runs: [...above, ...cells, ...below], rules };
}

/** Lines of which none is like another. */
function prose(count: number, top: number): Run[] {
  return Array.from({ length: count }, (_, at) => run(`prose ${'abcdefghijkl'[at]} at ${top}`, 0, top + at * 12));
}

function items(count: number, top: number): Run[] {
  return Array.from({ length: count }, (_, at) => run(`item ${at}`, 0, top + at * 12));
}

const HEADER = ['Date', 'Purpose', 'Amount'];
const MAY = ['2 May', 'Rent', '900.00'];
const JUNE = ['2 June', 'Rent', '910.00'];
const JULY = ['2 July', 'Water', '31.00'];
const AUGUST = ['2 August', 'Gas', '12.00'];
const HEADED = '| Date | Purpose | Amount |\n| --- | --- | --- |';

describe('a table that goes on over the page', () => {
  it('has its header there too, on every page', () => {
    const [, second, third] = markdownOf([sheet([HEADER, MAY]), sheet([JUNE, JULY]), sheet([AUGUST, MAY])]);
    expect(second).toBe(`${HEADED}\n| 2 June | Rent | 910.00 |\n| 2 July | Water | 31.00 |`);
    expect(third).toContain(`${HEADED}\n| 2 August |`);
  });

  it('has it where running heads and feet are in between, headings that both pages have among them', () => {
    const head = [run('Statement', 0, -40, { size: 18 }), run('Sheet', 0, -20)];
    const [, second] = markdownOf([
      sheet([HEADER, MAY], { above: head, below: [run('Page 1', 100, 300)] }),
      sheet([JUNE, JULY], { above: head }),
    ]);
    expect(second).toContain(HEADED);
  });

  it('has it where a long head is on both pages, and differs in its numbers', () => {
    const names = ['Mara Lindqvist', 'Mill Lane', 'Elmstow', 'Savings', 'Branch', 'Terms', 'Period', 'Sheet'];
    const head = (page: number): Run[] => names.map((name, at) => run(`${name} ${page}`, 0, -120 + at * 12));
    const [, second] = markdownOf([
      sheet([HEADER, MAY], { above: head(1) }),
      sheet([JUNE, JULY], { above: [...head(2), run('Brought forward', 0, -15)] }),
    ]);
    expect(second).toContain(HEADED);
  });

  it('has it over columns of which one is empty there, and where the page is laid off by its binding', () => {
    const [, second] = markdownOf([
      sheet([HEADER, MAY]),
      sheet(
        [
          ['2 June', '', '910.00'],
          ['2 July', '', '31.00'],
        ],
        { xs: XS.map((x) => x + 20) },
      ),
    ]);
    expect(second).toBe(`${HEADED}\n| 2 June |  | 910.00 |\n| 2 July |  | 31.00 |`);
  });

  it('has a header in bold whatever the columns hold', () => {
    const names = [
      ['2025', 'Name', 'Place'],
      ['Mara', 'Lindqvist', 'Elmstow'],
    ];
    const rest = [
      ['Jon', 'Ek', 'Ryd'],
      ['Ada', 'Berg', 'Lund'],
    ];
    expect(markdownOf([sheet(names, { font: BOLD }), sheet(rest)])[1]).toContain('| 2025 | Name | Place |');
    expect(markdownOf([sheet(names), sheet(rest)])[1]).not.toContain('2025');
  });
});

describe('a table has no other one’s header', () => {
  const first = sheet([HEADER, MAY], { below: [run('Carried over to the next sheet of this account', 0, 60)] });

  it.each([
    ['it has the same itself', sheet([HEADER, JUNE])],
    ['it has another', sheet([['Day', 'Item', 'Price'], JUNE])],
    ['its columns are others', sheet([JUNE, JULY], { xs: [0, 60, 200, 300] })],
    ['it is wider', sheet([JUNE, JULY], { xs: [0, 100, 200, 400] })],
    ['a heading stands before it', sheet([JUNE, JULY], { above: [run('Next year', 0, -20, { size: 18 })] })],
    ['a text stands before it', sheet([JUNE, JULY], { above: prose(4, -60) })],
    ['a line that introduces it does', sheet([JUNE, JULY], { above: [run('Planned for next year:', 0, -20)] })],
    ['a caption does', sheet([JUNE, JULY], { above: [run('Table 2: Plans', 0, -20)] })],
  ])('where %s', (_what, second) => {
    const [, text = ''] = markdownOf([first, second]);
    const own = second.runs.filter((each) => HEADER.includes(each.text)).length;
    expect(HEADER.reduce((sum, cell) => sum + text.split(cell).length - 1, 0)).toBe(own);
  });

  it.each([
    ['prose in between', prose(12, 70), prose(12, -160)],
    ['a list in between that differs in its numbers only', items(12, 70), items(12, -160)],
    ['a heading after the first one', [run('Next year', 0, 70, { size: 18 }), ...prose(1, 90)], []],
    ['a text half under the one and half over the other', prose(2, 70), prose(2, -40)],
  ])('where there is %s', (_what, below, above) => {
    const years = [
      ['2023', '2024'],
      ['40', '44'],
    ];
    const pay = [
      ['Name', 'Salary'],
      ['Mara', '900'],
    ];
    const xs = [0, 100, 200];
    expect(markdownOf([sheet(pay, { xs, below }), sheet(years, { xs, above })])[1]).not.toContain('Salary');
    expect(markdownOf([sheet(pay, { xs }), sheet(years, { xs })])[1]).toContain('Salary');
  });

  it('where the header is as long as a text', () => {
    const long = HEADER.map((cell) => `${cell} ${'and so on '.repeat(40)}`);
    expect(markdownOf([sheet([long, MAY], { font: BOLD }), sheet([JUNE, JULY])])[1]).not.toContain('Purpose');
  });

  it('where a page without a table is in between', () => {
    const [, , third] = markdownOf([first, { runs: [run('a page of prose', 0, 0)] }, sheet([JUNE, JULY])]);
    expect(third).not.toContain('Purpose');
  });

  it('where a page that could not be read is in between', () => {
    expect(markdownOf([first, { ...sheet([JUNE, JULY]), page: 3 }])[1]).not.toContain('Purpose');
  });

  it('where the first row is data', () => {
    expect(markdownOf([sheet([MAY, JUNE]), sheet([JULY, AUGUST])])[1]).not.toContain('May');
  });
});
