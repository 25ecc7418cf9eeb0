import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOn, grid, markdown, numbered, run } from '../../../../../test/support/placed-text.ts';
import { pagesAsMarkdown } from './markdown.ts';
import type { Run } from './model.ts';
import { inFileOrder } from './page-layout.ts';

/** What goes through a page once takes seconds; what goes through all of it for each piece takes minutes. Milliseconds. */
const HANGS = 60_000;

const notBold = (): boolean => false;

describe('a line', () => {
  it('has a space where the file has a gap, and none where words are drawn in pieces', () => {
    expect(markdown([run('har', 0, 0), run('bour', 15, 0), run('wall', 38, 0)])).toBe('harbour wall');
  });

  it('has text once that is drawn twice for weight', () => {
    expect(markdown([run('Total', 0, 0), run('Total', 0.4, 0), run('9.00', 30, 0)])).toBe('Total 9.00');
  });

  it('parts what stands far apart by a tab', () => {
    expect(markdown([run('Name', 0, 0), run('Mara', 200, 0)])).toBe('Name\tMara');
  });
});

describe('a table', () => {
  const rules = grid([0, 100, 200], [0, 20, 40]);
  const cells = [run('a', 5, 15), run('b', 105, 15), run('c', 5, 35), run('d', 105, 35)];

  it('stands where it stands on the page, and its text nowhere else', () => {
    const text = markdown([run('before', 0, -10), ...cells, run('after', 0, 60)], rules);
    expect(text).toBe('before\n\n| a | b |\n| --- | --- |\n| c | d |\n\nafter');
  });

  it('keeps pipes and backslashes of its cells from ending them', () => {
    const text = markdown([run('x|y', 5, 15), run('p\\|q', 105, 15), ...cells.slice(2)], rules);
    expect(text).toContain('| x\\|y | p\\\\\\|q |');
  });

  it('has one cell where no line parts two, below and beside', () => {
    const broken = [
      ...grid([0, 300], [0, 20, 60]),
      { left: 100, right: 100, top: 0, bottom: 60 },
      { left: 200, right: 200, top: 20, bottom: 60 },
      { left: 100, right: 300, top: 40, bottom: 40 },
    ];
    const text = markdown(
      [
        run('head', 5, 15),
        run('wide', 130, 15),
        run('cell', 210, 15),
        run('tall', 5, 45),
        run('1', 105, 35),
        run('2', 205, 35),
        run('3', 105, 55),
      ],
      broken,
    );
    expect(text).toBe('| head | wide cell |  |\n| --- | --- | --- |\n| tall | 1 | 2 |\n|  | 3 |  |');
  });

  it.each([
    ['a frame around the page', grid([0, 500], [-20, 500])],
    ['a box with one line of text', grid([0, 100, 200], [0, 20])],
    ['a form with text in one place only', grid([400, 450, 500], [400, 450, 500])],
  ])('is not %s', (_what, drawn) => {
    const text = markdown(cells, drawn);
    expect(text).not.toContain('|');
    expect(text.replace(/\s/g, '')).toBe('abcd');
  });

  it('is not a drawing of thousands of lines', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({ left: 0, right: 500, top: at * 5, bottom: at * 5 }));
    expect(markdown(cells, [...rules, ...many])).not.toContain('|');
  });
});

describe('columns', () => {
  const line = (side: number, at: number): Run => run(`side ${side} line ${at} with enough words`, side * 250, at * 12);
  const down = [0, 1].flatMap((side) => Array.from({ length: 6 }, (_, at) => line(side, at)));

  it('are read one after the other', () => {
    expect(markdown(down).match(/side \d line \d/g)).toEqual(
      [0, 1].flatMap((side) => Array.from({ length: 6 }, (_, at) => `side ${side} line ${at}`)),
    );
  });

  it('of a table without rules are read across: the file writes them so, and they are short', () => {
    const cell = (side: number, at: number): Run => run(`cell ${side} of ${at}`, side * 250, at * 12);
    const across = Array.from({ length: 6 }, (_, at) => [cell(0, at), cell(1, at)]).flat();
    expect(markdown(across)).toContain('cell 0 of 0\tcell 1 of 0');
  });

  it('of an account’s statement too, where each half holds several of them', () => {
    const entry = (at: number): Run[] => {
      const y = at * 12;
      const details = run(`Card payment Shop ${at} London`, 50, y);
      return [run('01 Apr', 0, y), details, run('3.00', 320, y), run(`${1000 - at}.00`, 460, y)];
    };
    const rows = Array.from({ length: 8 }, (_, at) => entry(at)).flat();
    expect(markdown(rows)).toContain('01 Apr\tCard payment Shop 7 London\t3.00\t993.00');
  });

  it('start on the right where the page is read from the right', () => {
    const hebrew = down.map((each) => ({
      ...each,
      text: each.x === 0 ? 'שמאל שמאל שמאל שמאל' : 'ימין ימין ימין ימין',
    }));
    expect(markdown(hebrew)).toMatch(/^ימין[\s\S]*ימין\n\n?שמאל[\s\S]*שמאל$/);
  });
});

describe('any page', () => {
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const placed = fc.record({
    text: fc.stringMatching(/^[a-z]{1,8}$/),
    x: fc.oneof(number, fc.integer({ min: 0, max: 600 })),
    y: fc.oneof(number, fc.integer({ min: 0, max: 800 })),
    width: fc.double({ min: 0, max: 600, noNaN: true }),
    size: fc.constantFrom(0.001, 8, 10, 10.02, 24, 1e5),
  });
  const ruled = fc
    .tuple(
      fc.integer({ min: 0, max: 600 }),
      fc.integer({ min: 0, max: 600 }),
      fc.integer({ min: 1, max: 600 }),
      fc.boolean(),
    )
    .map(([x, y, length, upright]) =>
      upright ? { left: x, right: x, top: y, bottom: y + length } : { left: x, right: x + length, top: y, bottom: y },
    );

  it('keeps every word, wherever words and lines are', () => {
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 40 }), fc.array(ruled, { maxLength: 12 }), (texts, rules) => {
        // A word more for each, so that none is taken for another one's shadow.
        const runs = texts.map((each, at) =>
          run(`${each.text}${at}x`, each.x, each.y, { width: each.width, size: each.size }),
        );
        const text = markdown(runs, rules).replace(/\s/g, '');
        for (const { text: word } of runs) expect(text).toContain(word);
      }),
    );
  });

  it('of 200 000 pieces is laid out, in any order they come in', () => {
    const count = 200_000;
    const pieces = Array.from({ length: count }, (_, at) => {
      const place = (at * 7_919) % count;
      return run('x', (place % 1_000) * 20, Math.floor(place / 1_000) * 12);
    });
    const lines = blocksOn({ runs: pieces }).flatMap((block) => ('lines' in block ? block.lines : []));
    expect(lines.reduce((sum, { text }) => sum + text.replace(/[^x]/g, '').length, 0)).toBe(count);
  });

  const many = (piece: (at: number) => Run): Run[] => Array.from({ length: 200_000 }, (_, at) => piece(at));
  it.each([
    ['in one row of as many cells', many((at) => run('x', at * 100, 0))],
    ['in lines over one another, each on its own side of a gutter', many((at) => run('x', (at % 2) * 300, at * 12))],
    [
      'in one line of numbers, read from the right',
      [run('ש'.repeat(500_000), -2_500_000, 0), ...many((at) => run('x', at * 5, 0))],
    ],
    [
      'in one line of raised marks',
      [run('word', 0, 0), ...many((at) => run('x', 20 + at * 5, 0, { size: 5, raised: true }))],
    ],
  ])(
    'of as many is laid out %s',
    (_what, pieces) => {
      const lines = blocksOn({ runs: pieces }).flatMap((block) => ('lines' in block ? block.lines : []));
      expect(lines.reduce((sum, { text }) => sum + text.replace(/[^x]/g, '').length, 0)).toBe(200_000);
    },
    HANGS,
  );
});

it('what is not laid out keeps the order and the line ends of the file', () => {
  const runs = numbered([run('b', 50, 90), run('a', 0, 10, { spaced: true, endsLine: true }), run('c', 0, 0)]);
  expect(pagesAsMarkdown([{ page: 1, blocks: inFileOrder(runs), characters: 3 }], notBold)[0]?.text).toBe('b a\nc');
});
