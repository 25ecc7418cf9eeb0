import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from './frontmatter.ts';
import { supersededBy } from './superseded-by.ts';

const FORMS: readonly [written: string, read: string | null][] = [
  ['title: Tea', null],
  ['superseded_by:', null],
  ['superseded_by: ""', null],
  ['superseded_by: "  "', null],
  ['superseded_by: ~', null],
  ['superseded_by: []', null],
  ['superseded_by: [""]', null],
  ['superseded_by: [[]]', null],
  ['superseded_by: [[" "]]', null],
  ['superseded_by: { note: x }', null],
  ['superseded_by: true', null],
  ['superseded_by: 7', null],
  ['superseded_by: "[[Facts/x]]"', '[[Facts/x]]'],
  ["superseded_by: '[[Facts/x|the other]]'", '[[Facts/x|the other]]'],
  ['superseded_by: Facts/x.md', 'Facts/x.md'],
  ['superseded_by: "[x](Facts/x.md)"', '[x](Facts/x.md)'],
  ['superseded_by: [[Facts/x]]', '[[Facts/x]]'],
  ['superseded_by: [[Facts/x|the other]]', '[[Facts/x|the other]]'],
  ['superseded_by: [[Facts/Lovelace, Ada]]', '[[Facts/Lovelace, Ada]]'],
  ['superseded_by: ["[[Facts/x]]"]', '[[Facts/x]]'],
  ['superseded_by: [["[[Facts/x]]"]]', '[[Facts/x]]'],
  ['superseded_by: [Facts/x.md]', 'Facts/x.md'],
  ['superseded_by:\n  - "[[Facts/x]]"', '[[Facts/x]]'],
  ['superseded_by:\n  - [[Facts/x]]', '[[Facts/x]]'],
  ['superseded_by:\n  -\n  - "[[Facts/x]]"\n  - "[[Facts/y]]"', '[[Facts/x]]'],
  ['superseded_by:\n  - [[Facts/x]]\n  - [[Facts/y]]', '[[Facts/x]]'],
];

describe('which note stands for a note now', () => {
  it.each(FORMS)('is read from %j as %j', (written, read) => {
    const { data, error } = parseFrontmatter(`---\n${written}\n---\n`);
    expect(error).toBeUndefined();
    expect(supersededBy(data)).toBe(read);
  });
});
