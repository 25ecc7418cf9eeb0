import { describe, expect, it } from 'vitest';
import { markdown, run } from '../../../../../test/support/placed-text.ts';
import type { Run } from './model.ts';

const prose = (x: number, count: number, name = 'main'): Run[] =>
  Array.from({ length: count }, (_, at) =>
    run(`${name} line ${at} of prose that goes on and on over the page`, x, at * 12),
  );

function lines(texts: readonly string[], step: number, more: Partial<Run> = {}): Run[] {
  return texts.map((text, at) => run(text, 0, at * step, more));
}

/** In the order they come out. */
function found(text: string, words: readonly string[]): string[] {
  return words.filter((word) => text.includes(word)).sort((a, b) => text.indexOf(a) - text.indexOf(b));
}

describe('a sidebar narrower than a column', () => {
  const notes = ['Open', 'daily', 'nine', 'to five'];

  it('is read by itself, on either side of the text', () => {
    const left = markdown([...prose(60, 10), ...lines(notes, 12)]);
    expect(left).toMatch(/Open\ndaily\nnine\nto five\n\nmain line 0/);
    const right = markdown([...prose(0, 10), ...lines(notes, 10, { size: 8 }).map((each) => ({ ...each, x: 300 }))]);
    expect(right).toMatch(/main line 9 [^\n]*\n\nOpen\ndaily\nnine\nto five$/);
  });

  it.each([
    ['numbers of lines', ['5', '10', '15', '20'], 12],
    ['dates beside entries', ['May 19', 'June 20', 'July 21'], 36],
  ])('is none where it is %s', (_what, texts, step) => {
    expect(markdown([...prose(60, 10), ...lines(texts, step)])).toContain(`${texts[1]}\tmain line ${step / 12}`);
  });

  it('is none where the file goes across', () => {
    const rows = prose(60, 4).flatMap((each, at) => [run(notes[at] ?? '', 0, each.y), each]);
    expect(markdown(rows)).toContain('daily\tmain line 1');
  });
});

describe('what stands over or under columns', () => {
  const columns = [...prose(0, 8, 'left'), ...prose(290, 6, 'right')];
  const edges = (more: readonly Run[]): string[] =>
    found(markdown([...columns, ...more]), [
      'left line 0',
      'left line 7',
      'right line 0',
      'right line 5',
      'Page 4',
      'Letters',
      'note',
    ]);

  it('comes after them where it stands under one of them', () => {
    expect(edges([run('Page 4', 200, 130)]).slice(-2)).toEqual(['right line 5', 'Page 4']);
  });

  it('comes before them where it stands over one of them', () => {
    expect(edges([run('Letters', 400, -40)])[0]).toBe('Letters');
  });

  it('is small type under a narrower gap too, on both sides column by column', () => {
    const notes = [0, 1, 2].flatMap((at) => [
      run(`note a${at} of the first column, in small type and wide`, 0, 104 + at * 9, { size: 8 }),
      run(`note b${at} of the second column, in small type also`, 290, 104 + at * 9, { size: 8 }),
    ]);
    const text = markdown([...columns, ...notes]);
    expect(found(text, ['left line 7', 'right line 5', 'note a0', 'note a2', 'note b0', 'note b2'])).toEqual([
      'left line 7',
      'right line 5',
      'note a0',
      'note a2',
      'note b0',
      'note b2',
    ]);
  });

  it.each([
    ['the last lines of a column after a gap no wider than between paragraphs', [run('note', 0, 104)]],
    ['what is larger than their text, as a heading is', [run('note', 0, 130, { size: 14 })]],
  ])('is not %s', (_what, more) => {
    const order = edges(more);
    expect(order[order.indexOf('note') - 1]).toBe('left line 7');
  });
});
