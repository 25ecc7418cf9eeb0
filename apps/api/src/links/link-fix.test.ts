import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ambiguousFix, brokenFix, type LinkFix } from './link-fix.ts';
import { noteLinkSources } from './link-source.ts';
import { comparedName, NearNames } from './near-names.ts';

const HOUSE = [
  ...['Home.md', 'House/Plan.md', 'House/Roof.md', 'Garden/Roof.md', 'Garden/Pear tree.md', 'Garden/Notes.md'],
  ...['img/sketch.png', 'old/sketch.png', 'People/Wanda Ek.md', 'C# tips.md'],
] as VaultPath[];

/** The only link of a note, as it stands there. */
function sourceIn(note: string) {
  const [source] = noteLinkSources(note);
  if (source === undefined) throw new Error('There is no link in the note.');
  return source;
}

const ambiguous = (note: string, from = 'Home.md', paths = HOUSE): LinkFix =>
  ambiguousFix(sourceIn(note), from as VaultPath, createVaultNames(paths));

async function broken(note: string, from = 'Home.md', aliases: Record<string, string> = {}): Promise<LinkFix> {
  const called = Object.entries(aliases).map(([alias, path]) => [comparedName(alias), [path as VaultPath]] as const);
  const near = await NearNames.gather(HOUSE);
  const view = { names: createVaultNames(HOUSE), near, aliases: new Map(called) };
  return brokenFix(sourceIn(note), from as VaultPath, view);
}

describe('for a link that could mean several files', () => {
  it.each([
    ['[[Roof]]', ['[[House/Roof]]', '[[Garden/Roof]]']],
    ['![[Roof]]', ['![[House/Roof]]', '![[Garden/Roof]]']],
    ['[[Roof|the roof]]', ['[[House/Roof|the roof]]', '[[Garden/Roof|the roof]]']],
    ['[[Roof#Tiles#Slate]]', ['[[House/Roof#Tiles#Slate]]', '[[Garden/Roof#Tiles#Slate]]']],
    ['[[Roof#^sum|it]]', ['[[House/Roof#^sum|it]]', '[[Garden/Roof#^sum|it]]']],
    ['[[Roof.md]]', ['[[House/Roof.md]]', '[[Garden/Roof.md]]']],
    ['[it](Roof.md "title")', ['[it](House/Roof.md "title")', '[it](Garden/Roof.md "title")']],
    ['[it](Roof#Tiles)', ['[it](House/Roof#Tiles)', '[it](Garden/Roof#Tiles)']],
    ['[it](<Roof.md>)', ['[it](<House/Roof.md>)', '[it](<Garden/Roof.md>)']],
    ['![](sketch.png)', ['![](img/sketch.png)', '![](old/sketch.png)']],
  ])('%s there is one text for each', (note, paste) => {
    expect(ambiguous(note)).toMatchObject({ written: note, paste });
  });

  it('the one that Obsidian opens comes first', () => {
    expect(ambiguous('[[Roof]]', 'Garden/Notes.md').paste[0]).toBe('[[Garden/Roof]]');
  });

  it('those nearest to it come next, and no more than a few', () => {
    const paths = ['A', 'B', 'C', 'D', 'Far/E', 'Far/Away/F'].map((folder) => `${folder}/Day.md`) as VaultPath[];
    const { paste, meant } = ambiguous('[[Day]]', 'Far/Away/Note.md', paths);
    expect(paste).toEqual(['[[A/Day]]', '[[Far/Away/F/Day]]', '[[Far/E/Day]]', '[[B/Day]]', '[[C/Day]]']);
    expect(meant).toEqual({ files: expect.arrayContaining(['A/Day.md', 'C/Day.md']), total: 6 });
  });

  it('a Markdown link that starts at its folder stays one', () => {
    expect(ambiguous('[it](Roof.md)', 'People/Wanda Ek.md').paste).toEqual([
      ...['[it](../House/Roof.md)', '[it](../Garden/Roof.md)'],
    ]);
  });

  it('spaces are written as they were', () => {
    const paths = ['Big house/Roof.md', 'Big garden/Roof.md'] as VaultPath[];
    expect(ambiguous('[it](Roof.md)', 'Home.md', paths).paste[0]).toBe('[it](Big%20house/Roof.md)');
    expect(ambiguous('[it](<Roof.md>)', 'Home.md', paths).paste[0]).toBe('[it](<Big house/Roof.md>)');
  });

  it('what no wikilink can hold is offered as a Markdown link, and that is said', () => {
    const paths = ['a [1]/Roof.md', 'b #2/Roof.md', 'c/Roof.md'] as VaultPath[];
    const { paste, advice } = ambiguous('[[Roof#Tiles and more|the [new] roof]]', 'c d/Home.md', paths);
    expect(paste).toEqual(
      [
        '[[c/Roof#Tiles and more|the [new] roof]]',
        '[the \\[new\\] roof](../b%20%232/Roof.md#Tiles%20and%20more)',
        '[the \\[new\\] roof](<../a%20[1]/Roof.md#Tiles%20and%20more>)',
      ].map((text) => text.replace('(<', '(').replace('>)', ')')),
    );
    expect(advice).toMatch(/No wikilink can hold/);
  });
});

describe('for a link that leads nowhere', () => {
  it.each([
    ['the same name elsewhere', '[[Garden/Plan|it]]', ['[[House/Plan|it]]']],
    ['a name that differs in a letter', '[[Pear tre#Pruning]]', ['[[Pear tree#Pruning]]']],
    ['one of them all', '[[Attic/Roof]]', ['[[House/Roof]]', '[[Garden/Roof]]']],
    ['what somebody encoded in a wikilink', '[[Pear%20tree]]', ['[[Pear tree]]']],
    ['a picture', '![[skecth.png|300]]', ['![[img/sketch.png|300]]', '![[old/sketch.png|300]]']],
    ['a Markdown link', '[it](Pear-tree.md#a "b")', ['[it](Garden/Pear%20tree.md#a "b")']],
    ['a path from the root', '[it](/Plan.md)', ['[it](/House/Plan.md)']],
  ])('what is near is offered: %s', async (_what, note, paste) => {
    expect((await broken(note)).paste).toEqual(paste);
  });

  it('keeps the way in which a target starts', async () => {
    expect((await broken('[[./Plan]]', 'Garden/Notes.md')).paste).toEqual(['[[../House/Plan]]']);
    expect((await broken('[it](../Pear tree.md)'.replace(' ', '%20'), 'Garden/Notes.md')).paste).toEqual([
      '[it](Pear%20tree.md)',
    ]);
    expect((await broken('[it](House/2024/Plan.md)', 'Garden/Notes.md')).paste).toEqual(['[it](House/Plan.md)']);
  });

  it('the note that has it for an alias is offered, with it as the text', async () => {
    const aliases = { Wanda: 'People/Wanda Ek.md' };
    const pasteOf = async (note: string) => (await broken(note, 'Home.md', aliases)).paste;
    expect(await pasteOf('[[wanda]]')).toEqual(['[[Wanda Ek|wanda]]']);
    expect(await pasteOf('[[Wanda#Garden]]')).toEqual(['[[Wanda Ek#Garden|Wanda]]']);
    expect(await pasteOf('[[Wanda|she]]')).toEqual(['[[Wanda Ek|she]]']);
    expect(await pasteOf('![[Wanda]]')).toEqual(['![[Wanda Ek]]']);
    expect(await pasteOf('[she](Wanda.md)')).toEqual(['[she](People/Wanda%20Ek.md)']);
    expect(await pasteOf('| a |\n| --- |\n| [[Wanda]] |\n')).toEqual(['[[Wanda Ek\\|Wanda]]']);
  });

  it('what stands in quotes of frontmatter is written so that it can', async () => {
    const aliases = { Owner: `People/Wanda's "own".md` };
    const paths = [...HOUSE, aliases.Owner] as VaultPath[];
    const view = {
      names: createVaultNames(paths),
      near: await NearNames.gather(paths),
      aliases: new Map([['owner', [aliases.Owner as VaultPath]]]),
    };
    const pasteOf = (note: string) => brokenFix(sourceIn(note), 'Home.md' as VaultPath, view).paste;
    expect(pasteOf(`---\nby: '[[Owner]]'\n---\n`)).toEqual([`[[Wanda''s "own"|Owner]]`]);
    expect(pasteOf(`---\nby: "[[Owner]]"\n---\n`)).toEqual([`[[Wanda's \\"own\\"|Owner]]`]);
  });

  it.each([
    [
      'a note',
      '[[Nowhere|gone]]',
      'Nothing has a name like it: make the note "Nowhere.md", or write "gone" without a link.',
    ],
    ['a note by its path', '[[Attic/Nowhere]]', 'make the note "Attic/Nowhere.md", or write "Nowhere" without a link.'],
    ['a note beside it', '[[./Nowhere]]', 'make the note "Garden/Nowhere.md", or write "Nowhere" without a link.'],
    ['a file', '![[photo.jpg]]', 'add the file "photo.jpg", or remove the link.'],
    ['what no note can be called', '[[..Nowhere]]', 'Nothing has a name like it: write "..Nowhere" without a link.'],
    ['a definition', '[it]: Nowhere.md', 'make the note "Nowhere.md", or remove the link.'],
    ['a property', '---\nup: "[[Nowhere]]"\n---\n', 'make the note "Nowhere.md", or remove the link.'],
    ['the web', '[it](www.example.org/a)', 'Nothing has a name like it: begin it with https://, if it means the web.'],
    ['a folder', '[it](../House/)', 'link to a note in that folder, since no link leads to a folder.'],
  ])('where nothing is near, it is said what else to do: %s', async (_what, note, advice) => {
    const fix = await broken(note, 'Garden/Notes.md');
    expect(fix.paste).toEqual([]);
    expect(fix.advice.endsWith(advice)).toBe(true);
  });

  it('what else to do is said too where something is near', async () => {
    expect((await broken('[[Pear tre]]')).advice).toBe(
      'Or make the note "Pear tre.md", or write "Pear tre" without a link.',
    );
  });
});

describe('a link that is longer than anybody reads', () => {
  const long = (target: string) => `[${'word '.repeat(300)}](${target})`;

  it('is not repeated, and the files are named that it could lead to', async () => {
    for (const fix of [ambiguous(long('Roof.md')), await broken(long('Attic/Roof.md'))]) {
      expect([fix.written.length < 400, fix.paste]).toEqual([true, []]);
      expect(fix.advice).toMatch(
        /^It is too long to be repeated here: let it lead to "House.Roof.md" or "Garden.Roof.md"/,
      );
    }
  });
});

describe('each text that is offered', () => {
  const segment = fc.stringMatching(/^[ab '"%&#[\]()|^é0]{1,4}$/).filter((text) => text.trim() === text);
  const path = fc
    .tuple(fc.array(segment, { maxLength: 2 }), fc.constantFrom('Roof', 'Ro of', 'R#oof', 'Roof [1]', "R'oof", 'R%20f'))
    .map(([folders, name]) => [...folders, `${name}.md`].join('/') as VaultPath);
  const SURROUNDINGS = [
    (link: string) => `Text ${link} and more.\n`,
    (link: string) => `| a | b |\n| --- | --- |\n| ${link.replaceAll('|', '\\|')} | x |\n`,
    (link: string) => `---\nup: "${link}"\n---\n`,
    (link: string) => `---\nup: '${link}'\n---\n`,
  ];
  const LINKS = [
    '[[Roof]]',
    '![[Roof#a b]]',
    '[[Ro of]]',
    '[it](Roof.md#c "t")',
    '[it](<Ro of.md>)',
    '[it](Ro%20of.md)',
  ];

  it('leads to a file of its own once it stands in the place of the link', () => {
    let pasted = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { minLength: 3, maxLength: 8 }),
        fc.constantFrom(...LINKS),
        fc.constantFrom(...SURROUNDINGS),
        fc.nat(),
        (paths, link, around, place) => {
          const from = paths[place % paths.length] as VaultPath;
          const names = createVaultNames(paths);
          // A title needs the quotes that the YAML stands in.
          const note = around(around('').includes('"') ? link.replaceAll('"', "'") : link.replaceAll(`'`, ''));
          const [source] = noteLinkSources(note);
          if (source === undefined || resolveLink(source, from, names).state !== 'ambiguous') return;
          const { paste, meant } = ambiguousFix(source, from, names);
          const led = paste.map((text) => {
            const [found, ...others] = parseNote(note.replace(source.text, () => text)).links;
            expect([others, found?.heading, found?.embed]).toEqual([[], source.heading, source.embed]);
            const resolution = found && resolveLink(found, from, names);
            return resolution?.state === 'resolved' ? resolution.path : resolution;
          });
          expect(new Set(led).size).toBe(paste.length);
          for (const to of led) expect(meant?.files).toContain(to);
          pasted += paste.length;
        },
      ),
      { numRuns: 3_000 },
    );
    expect(pasted).toBeGreaterThan(300);
  });

  it('leads to a file of a name like it, where it led nowhere before', async () => {
    let pasted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(
          '[[x/Roof]]',
          '![[./Roof#a]]',
          '[[Rooof|it]]',
          '[it](/Ro%20of.md)',
          '[it](<x/Roof [1].md> "t")',
        ),
        fc.constantFrom(...SURROUNDINGS.slice(0, 2)),
        fc.nat(),
        async (paths, link, around, place) => {
          const from = paths[place % paths.length] as VaultPath;
          const names = createVaultNames(paths);
          const note = around(link);
          const source = sourceIn(note);
          if (resolveLink(source, from, names).state !== 'broken') return;
          const { paste } = brokenFix(source, from, { names, near: await NearNames.gather(paths), aliases: new Map() });
          for (const text of paste) {
            const [found, ...others] = parseNote(note.replace(source.text, () => text)).links;
            expect([others, found?.heading, found?.embed]).toEqual([[], source.heading, source.embed]);
            expect(found && resolveLink(found, from, names)).toMatchObject({ state: 'resolved' });
          }
          pasted += paste.length;
        },
      ),
      { numRuns: 1_000 },
    );
    expect(pasted).toBeGreaterThan(100);
  });
});

describe('the note that somebody is told to make', () => {
  it('is where the link leads once it is there', async () => {
    const near = await NearNames.gather([]);
    const part = fc.constantFrom('a', 'B c', '..', '.', 'é', 'a.b', 'x.md', '%20', 'y.png');
    let made = 0;
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '/', './', '../'),
        (parts, start) => {
          const source = sourceIn(`[[${start}${parts.join('/')}]]`);
          const from = 'Deep/Down/Note.md' as VaultPath;
          const { advice } = brokenFix(source, from, { names: createVaultNames([]), near, aliases: new Map() });
          const [, told] = /(?:note|file) "(.*?)"/.exec(advice) ?? [];
          if (told === undefined) return;
          made++;
          expect(resolveLink(source, from, createVaultNames([told as VaultPath]))).toMatchObject({ path: told });
        },
      ),
    );
    expect(made).toBeGreaterThan(20);
  });
});
