import { decodeHead } from '@vault-mcp/shared/vault/note/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsFromHead, noteFacts } from './note-facts.ts';

const KEYS = [
  'a: 1',
  'tags: [x, y]',
  'expires: none',
  'expires: [2026-01-31]',
  'title: Hé',
  'bad: [',
  'id: 9007199254740993',
];
const block = fc.array(fc.constantFrom(...KEYS, '---', '...', '--- # no', '', '# c'), { maxLength: 8 });
const note = fc
  .tuple(
    fc.constantFrom('---', '--- ', '\ufeff---', '----', 'text'),
    block,
    fc.constantFrom('---\n# H\n', '...', '', 'é\n'),
  )
  .map(([first, lines, rest]) => [first, ...lines, rest].join('\n'));

describe('what is told of a note by its beginning', () => {
  it('is what the whole of it tells, wherever the beginning ends', () => {
    fc.assert(
      fc.property(note, fc.nat(120), (text, bytes) => {
        const head = decodeHead(Buffer.from(text).subarray(0, bytes));
        if (head === null) throw new Error('these are texts');
        const facts = factsFromHead(head);
        if (facts !== null) expect(facts).toEqual(noteFacts(text, 'a.md'));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['has no frontmatter', `# A\n${'text '.repeat(100)}`, true],
    ['ends its frontmatter', '---\nstatus: open\n---\ntext', true],
    ['says how it is called, and when it expires', '---\ntitle: A\nexpires: none\n---\n', true],
    ['says when it expires, and is called by its heading', '---\nexpires: none\n---\n# A\n', false],
    ['does not end its frontmatter', '---\nstatus: open\n', false],
    ['may end it with the line that is cut', '---\nstatus: open\n---', false],
  ])('is enough of one that %s: %#', (_, text, isEnough) => {
    expect(factsFromHead(`${text}${isEnough ? '\n' : ''}`) !== null).toBe(isEnough);
  });
});
