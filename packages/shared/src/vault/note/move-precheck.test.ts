import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { followMove } from './follow-move.ts';
import { createMovePrecheck } from './move-precheck.ts';
import { type Relocation, relocate } from './relocation.ts';
import { createVaultNames } from './vault-names.ts';

const p = (path: string) => path as VaultPath;
const NAMES = [
  'House/Heating.md',
  "House/It's (a) plan.md",
  'House/café 2.md',
  'a-b.md',
  'Größe.png',
  'x.base',
  'top.md',
];
const move = (source: string, destination: string): Relocation =>
  relocate(
    createVaultNames([...NAMES, 'linking.md', 'linking.canvas', 'linking.base'].map(p)),
    p(source),
    p(destination),
    null,
  );

const hex = (char: string, digits: number) => (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
/** Every way in which a link's target is written. */
const SPELLINGS: readonly ((target: string) => string)[] = [
  (target) => `[[${target}]]`,
  (target) => `[[${target.replace(/\.md$/, '').toUpperCase()}|alias]]`,
  (target) => `[a](<${target}>)`,
  (target) => `[a](${encodeURI(target)})`,
  (target) => `[a](${[...Buffer.from(target)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')})`,
  (target) => `[a]\n\n[a]: <${target.replace(/[^\w/ ]/g, '\\$&')}>\n`,
  (target) => `![[${target.normalize('NFD')}]]`,
  (target) => `---\nup: '[[${target.replaceAll("'", "''")}]]'\n---\n`,
  (target) => `---\nup: "[[${[...target].map((char) => `\\u${hex(char, 4)}`).join('')}]]"\n---\n`,
  (target) => `---\nup: "[[${target.slice(0, 3)}\\\n  ${target.slice(3)}]]"\n---\n`,
  (target) => `---\nup: >-\n  [[${target.replaceAll(' ', '\n  ')}]]\n---\n`,
];
const inCanvas = (target: string) => [
  JSON.stringify({ nodes: [{ type: 'file', file: target }] }),
  `{"nodes":[{"type":"file","file":"${[...target].map((char) => `\\u${hex(char, 4)}`).join('')}"}]}`,
  `{"nodes":[{"type":"file","file":"${target}"`,
];

describe('a text that a move is not concerned with', () => {
  it('is never one in which anything changes, breaks or is left', () => {
    const target = fc.constantFrom(...NAMES, 'Heating.md', 'café 2.md', 'House', 'other.md');
    const file = fc.oneof(
      fc.tuple(fc.constantFrom(...SPELLINGS), target).map(([spell, to]) => ['linking.md', spell(to)] as const),
      target.chain((to) => fc.constantFrom(...inCanvas(to))).map((text) => ['linking.canvas', text] as const),
      target.map((to) => ['linking.base', `filters: file.inFolder("${to}")\n`] as const),
    );
    const moves = [...NAMES, 'House'].map((name) => move(name, `Deep/New ${name.replace('/', ' ')}`));
    fc.assert(
      fc.property(file, fc.constantFrom(...moves), ([path, text], relocation) => {
        if (createMovePrecheck(relocation)(p(path), text)) return;
        expect(followMove({ path: p(path), text }, relocation)).toMatchObject({
          changedLines: [],
          breaking: 0,
          left: [],
        });
      }),
      { numRuns: 3000 },
    );
  });

  it('is told by the names alone', () => {
    const mayConcern = createMovePrecheck(move('House/Heating.md', 'Warm/Boiler.md'));
    expect(mayConcern(p('linking.md'), 'A text with [[a-b]], [a link](top.md) and 20 % of `\\code`.\n')).toBe(false);
    for (const text of ['[[heating]]', 'of the BOILER', '[a](%48eating.md)', '&#72;', '"\\x48"']) {
      expect(mayConcern(p('linking.md'), text)).toBe(true);
    }
    expect(mayConcern(p('House/Heating.md'), 'no link')).toBe(true);
    expect(createMovePrecheck(move('a-b.md', '日本語.md'))(p('linking.md'), 'no link')).toBe(true);
  });
});
