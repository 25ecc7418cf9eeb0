// Whatever a vault looks like: after a move by who sees a part of it, each link leads where it led for who sees all of it, or
// is named.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRule, createAccess } from '../access.ts';
import { pathKey, type VaultPath } from '../path.ts';
import { followMove } from './follow-move.ts';
import { parseNote } from './parse.ts';
import { relocate } from './relocation.ts';
import { type Resolution, resolveLink } from './resolve-link.ts';
import { createVaultNames, type VaultNames } from './vault-names.ts';

const joined = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`) as VaultPath;
const folder = fc.array(fc.constantFrom('a', 'b', 'Shut'), { maxLength: 2 }).map((names) => names.join('/'));
const file = fc.tuple(folder, fc.constantFrom('a.md', 'b.md', 'c.png')).map(([at, name]) => joined(at, name));
const start = fc.constantFrom('', './', '../', '../../', '/');
const link = fc
  .tuple(fc.boolean(), start, folder, fc.constantFrom('a', 'b', 'a.md', 'c.png'))
  .map(([isWiki, from, at, name]) => (isWiki ? `[[${from}${joined(at, name)}]]` : `[x](${from}${joined(at, name)})`));
const rules: fc.Arbitrary<AccessRule[]> = fc
  .uniqueArray(fc.record({ prefix: fc.oneof(folder, file), read: fc.boolean() }), {
    selector: ({ prefix }) => pathKey(prefix),
    maxLength: 3,
  })
  .map((some) => [{ prefix: '', read: true }, { prefix: 'Shut', read: false }, ...some]);
const vaults = fc.record({
  files: fc.uniqueArray(file, { minLength: 3, maxLength: 8 }),
  stated: rules,
  destination: folder.map((at) => joined(at, 'moved.md')),
  picks: fc.tuple(fc.nat(), fc.nat()),
  links: fc.array(link, { minLength: 1, maxLength: 6 }),
});

function meaning(text: string, from: VaultPath, names: VaultNames): Resolution {
  const [first] = parseNote(text).links;
  if (first === undefined) throw new Error(`no link is left in ${text}`);
  return resolveLink(first, from, names);
}

describe('a move by who sees a part', () => {
  it('leaves no link that led somewhere leading elsewhere without a word', () => {
    let compared = 0;
    fc.assert(
      fc.property(vaults, ({ files, stated, destination, picks, links }) => {
        const { mayRead, readRules } = createAccess(stated);
        const notes = files.filter((path) => mayRead(path) && path.endsWith('.md'));
        const [source, from] = picks.map((pick) => notes[pick % notes.length]);
        if (source === undefined || from === undefined || !mayRead(destination)) return;
        const whole = relocate(createVaultNames(files), source, destination, null);
        const part = relocate(createVaultNames(files.filter(mayRead)), source, destination, readRules);
        for (const text of links) {
          const before = meaning(text, from, whole.before);
          const { text: after, left } = followMove({ path: from, text }, part);
          if (left.length > 0 || before.state === 'broken') continue;
          compared++;
          if (before.state === 'ambiguous') expect(after).toBe(text);
          else {
            const path = whole.movedTo(before.path);
            expect(meaning(after, whole.movedTo(from), whole.after)).toMatchObject({ state: 'resolved', path });
          }
        }
      }),
      { numRuns: 1_500 },
    );
    expect(compared).toBeGreaterThan(200);
  });
});
