/** The one promise of a move, on vaults made to make it hard: the links form the same graph, and nothing else changes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { followMove } from './follow-move.ts';
import { linkChange } from './link-change.ts';
import type { Link } from './model.ts';
import { parseNote } from './parse.ts';
import { type Relocation, relocate } from './relocation.ts';
import { type Resolution, resolveLink } from './resolve-link.ts';
import { createVaultNames } from './vault-names.ts';

const asPath = (path: string) => path as VaultPath;

/** Vaults small enough for names to collide, with what makes links hard: spaces, case, dots, marks, no suffix. */
const stem = fc.constantFrom('a', 'A', 'b', 'b c', 'é', '1.2', 'x(y', 'p%20', 'c#', "it's", 'n: o', 'q`r');
const name = fc.oneof(
  { weight: 5, arbitrary: stem.map((one) => `${one}.md`) },
  { weight: 1, arbitrary: stem.map((one) => `${one}.png`) },
  { weight: 1, arbitrary: stem },
);
const folder = fc.array(fc.constantFrom('a', 'b', 'B', 'd e', 'f|g'), { maxLength: 2 });
const vaultPath = fc.tuple(folder, name).map(([folders, file]) => asPath([...folders, file].join('/')));
const vaultPaths = fc.uniqueArray(vaultPath, { minLength: 3, maxLength: 12 });

/** How a link may be written; `TO` is the path it names, `REL` the way there, `NAME` its last segment. */
const form = fc.constantFrom(
  '[[TO]]',
  '[[NAME]]',
  '![[NAME|x]]',
  '[[STEM#Head|x]]',
  '[[/TO]]',
  '[[./REL]]',
  '[x](<REL#h> "t")',
  '[x](</TO>)',
  '[x](<TO>)',
  '[x](ENC)',
  '[x](<NAME>)',
  '![x](<STEM>)',
  '![x](./ENC)',
  '[![i](ENC)](</TO>)',
  '`[[STEM]]`',
  'a ` b',
);
const link = fc.record({ form, to: fc.nat() });
const noteBody = fc.array(link, { maxLength: 6 });
const scenario = fc.record({
  paths: vaultPaths,
  bodies: fc.array(fc.tuple(noteBody, fc.constantFrom(' ', '\n', '\r\n\r\n', '\n- ', '\n| '), fc.boolean()), {
    minLength: 12,
    maxLength: 12,
  }),
  source: fc.nat(),
  wholeFolder: fc.boolean(),
  destination: vaultPath,
});

function wayTo(from: string, to: string): string {
  return [
    ...from
      .split('/')
      .slice(1)
      .map(() => '..'),
    to,
  ].join('/');
}

function written({ form: shape, to }: { form: string; to: number }, from: string, paths: readonly string[]): string {
  const path = paths[to % paths.length] ?? '';
  const file = path.split('/').at(-1) ?? '';
  const relative = wayTo(from, path);
  return shape
    .replace('TO', () => path)
    .replace('REL', () => relative)
    .replace('ENC', () => encodeURI(relative).replace(/[#()']/g, (char) => `%${char.charCodeAt(0).toString(16)}`))
    .replace('NAME', () => file)
    .replace('STEM', () => file.replace(/\.md$/, ''));
}

type Files = Map<VaultPath, string>;

/** A vault of notes with links, some of them in frontmatter, and a move that its disk would allow. */
function build(made: typeof scenario extends fc.Arbitrary<infer T> ? T : never): {
  files: Files;
  relocation: Relocation;
} {
  const { paths } = made;
  const files: Files = new Map();
  paths.forEach((path, i) => {
    const [links, separator, inFrontmatter] = made.bodies[i] ?? [[], '', false];
    const texts = links.map((one) => written(one, path, paths));
    const yaml = texts.map((text, nth) => `k${nth}: ${JSON.stringify(text)}\n`);
    const body = texts.join(separator);
    files.set(path, inFrontmatter ? `---\n${yaml.join('')}---\n${body}` : body);
  });
  const file = paths[made.source % paths.length] ?? asPath('a.md');
  const folders = file.split('/').slice(0, -1);
  const source = made.wholeFolder && folders.length > 0 ? asPath(folders.join('/')) : file;
  const suffix = /\.\w+$/.exec(file)?.[0] ?? '';
  const wanted =
    source === file ? made.destination.replace(/\.\w+$/, '') + suffix : made.destination.replace(/\W\w+$/, '');
  const taken = paths.some((path) => path === wanted || path.startsWith(`${wanted}/`) || wanted.startsWith(`${path}/`));
  const destination = taken || wanted.startsWith(`${source}/`) ? asPath(`new/${source}`) : asPath(wanted);
  return { files, relocation: relocate(createVaultNames(paths), source, destination, null) };
}

function resolutions(text: string, path: VaultPath, names: Relocation['before']): [Link, Resolution][] {
  return parseNote(text).links.map((one) => [one, resolveLink(one, path, names)]);
}

/** A text with its link targets taken out: what no move may change. */
function frame(text: string): string {
  let at = 0;
  const kept: string[] = [];
  for (const { targetRange } of [...parseNote(text).links].sort((a, b) => a.targetRange.from - b.targetRange.from)) {
    kept.push(text.slice(at, targetRange.from));
    at = targetRange.to;
  }
  return [...kept, text.slice(at)].join('\0');
}

describe('move then resolve', () => {
  it('gives the same graph: each link leads to the same file at its new place, or is reported', () => {
    let led = 0;
    let rewritten = 0;
    fc.assert(
      fc.property(scenario, (made) => {
        const { files, relocation } = build(made);
        for (const [path, text] of files) {
          if (!path.toLowerCase().endsWith('.md')) continue;
          const outcome = followMove({ path, text }, relocation);
          rewritten += outcome.changedLines.length;
          const before = resolutions(text, path, relocation.before);
          const after = resolutions(outcome.text, relocation.movedTo(path), relocation.after);
          expect(after).toHaveLength(before.length);
          before.forEach(([was, meant], i) => {
            const [is, means] = after[i] ?? [];
            if (meant.state === 'resolved') {
              led++;
              const wanted = relocation.movedTo(meant.path);
              if (means?.state === 'resolved' && means.path === wanted) return;
              expect(outcome.left.map(({ line }) => line)).toContain(was.line);
            }
            expect(is?.target).toBe(was.target);
          });
        }
      }),
      { numRuns: 120 },
    );
    expect(led).toBeGreaterThan(500);
    expect(rewritten).toBeGreaterThan(100);
  });

  it('changes nothing but targets, and nothing at all in a note whose links are not concerned', () => {
    fc.assert(
      fc.property(scenario, (made) => {
        const { files, relocation } = build(made);
        for (const [path, text] of files) {
          const outcome = followMove({ path, text }, relocation);
          if (outcome.changedLines.length === 0) expect(outcome.text).toBe(text);
          expect(frame(outcome.text)).toBe(frame(text));
          const concerned = parseNote(text).links.some((one) => linkChange(one, path, relocation).action !== 'keep');
          if (!concerned) expect(outcome).toEqual({ text, changedLines: [], breaking: 0, left: [] });
        }
      }),
      { numRuns: 100 },
    );
  });

  it('has nothing left to do the second time', () => {
    fc.assert(
      fc.property(scenario, (made) => {
        const { files, relocation } = build(made);
        const { before, source, movedTo } = relocation;
        const names = createVaultNames([...before.paths()].map(movedTo));
        const still = relocate(names, asPath('nowhere'), asPath('nowhere else'), null);
        for (const [path, text] of files) {
          const once = followMove({ path, text }, relocation).text;
          const again = followMove({ path: movedTo(path), text: once }, still);
          expect(again, `${source}`).toEqual({ text: once, changedLines: [], breaking: 0, left: [] });
        }
      }),
      { numRuns: 60 },
    );
  });
});
