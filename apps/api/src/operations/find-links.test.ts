import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationContext } from '@vault-mcp/api/context';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import type { FileLinks } from '../links/file-links.ts';
import type { VaultLinks } from '../links/vault-links.ts';
import { linksText } from '../rendering/links-text.ts';
import { type FoundLinks, findLinks, findLinksInput } from './find-links.ts';
import { parseInput } from './input.ts';
import { linkedFrom } from './linked-from.ts';

const canvas = (...nodes: object[]) => JSON.stringify({ nodes, edges: [] });

const FILES = {
  'Home.md': '[[Plan]] and [the plan again](House/Plan.md#Costs)\n\nNow [[Roof]], [[Nowhere|gone]], ![[sketch.png]].\n',
  'House/Plan.md':
    '---\nup: "[[Home]]"\n---\n# Plan\n\n## Costs\n\nSee [[#Costs]], [[scan.pdf]]. ^sum\n\n`[[Nowhere]]`\n',
  'House/Roof.md': '[[Plan#^sum]]\n',
  'Garden/Roof.md': 'See [[Roof]].\n',
  'Garden/Pear.md': '[[Home]] [[Plan]]\n',
  'Alone.md': 'Nobody knows me. [[Not me either]]\n',
  'Selfish.md': '[[Selfish]]\n',
  'Files/scan.pdf': 'this is no PDF',
  'img/sketch.png': 'PNG',
  'Board.canvas': canvas({ type: 'file', file: 'Alone too.md' }, { type: 'text', text: '[[Pear]] [[Pear]]' }),
  'Alone too.md': 'Only a canvas knows me.\n',
  'Kept.md': 'Linked from the archive alone.\n',
  'Archive/old.md': '# Old\n\nSee [[Kept]].\n\n[[Never was]]\n',
};

let vault: IndexedVault;
let context: OperationContext;

beforeAll(async () => {
  vault = await indexVault({ files: FILES, env: { NOTE_MAX_BYTES: '1000', INDEX_EXCLUDE_DIRS: 'Archive' } });
  await vault.settled();
  context = await operationContext(vault);
});
afterAll(() => vault.remove());

const find = (input: object = {}): Promise<FoundLinks> => findLinks(context, parseInput(findLinksInput, input));
const of = (path: string, more: object = {}) => find({ path, ...more }) as Promise<FoundLinks & FileLinks>;
const ofVault = (more: object = {}) => find(more) as Promise<FoundLinks & VaultLinks>;
const backPaths = async (path: string) => (await of(path)).backlinks.map((one) => one.path);
const disk = (path: string) => join(vault.vaultPath, path);

/** Brings the index up to date with the disk. */
async function reindex(): Promise<void> {
  await vault.composed.indexer.build().run({ rebuild: false });
  await vault.settled();
}

describe('the links of a note', () => {
  it('are given with line, form, fragment, alias and where they lead', async () => {
    const { outlinks, path, kind } = await of('Home.md');
    expect([path, kind]).toEqual(['Home.md', 'note']);
    expect(outlinks).toEqual([
      { line: 1, form: 'wikilink', target: 'Plan', to: 'House/Plan.md' },
      {
        ...{ line: 1, form: 'markdown', target: 'House/Plan.md', to: 'House/Plan.md' },
        ...{ heading: 'Costs', alias: 'the plan again' },
      },
      { line: 3, form: 'wikilink', target: 'sketch.png', embed: true, to: 'img/sketch.png' },
    ]);
  });

  it('count in frontmatter and within the note, and not in code', async () => {
    const { outlinks, broken } = await of('House/Plan.md');
    expect(outlinks).toEqual([
      { line: 2, form: 'wikilink', target: 'Home', to: 'Home.md' },
      { line: 8, form: 'wikilink', target: '', heading: 'Costs', to: 'House/Plan.md' },
      { line: 8, form: 'wikilink', target: 'scan.pdf', to: 'Files/scan.pdf' },
    ]);
    expect(broken).toEqual([]);
  });

  it('are broken where they lead nowhere, and ambiguous where they could mean several, with what Obsidian opens', async () => {
    const { broken, ambiguous, counts } = await of('Home.md');
    expect(broken).toEqual([{ line: 3, form: 'wikilink', target: 'Nowhere', alias: 'gone' }]);
    const candidates = ['House/Roof.md', 'Garden/Roof.md'];
    expect(ambiguous).toEqual([{ line: 3, form: 'wikilink', target: 'Roof', to: candidates[0], candidates }]);
    expect(counts).toEqual({ outlinks: 3, backlinks: 2, broken: 1, ambiguous: 1, unknown: 0 });
  });

  it('are told of a canvas too, without lines', async () => {
    const { kind, outlinks } = await of('Board.canvas');
    expect(kind).toBe('attachment');
    expect(outlinks.map(({ line, to }) => [line, to])).toEqual([
      [null, 'Alone too.md'],
      [null, 'Garden/Pear.md'],
      [null, 'Garden/Pear.md'],
    ]);
  });
});

describe('a note that could not be read', () => {
  it('is no orphan, since nobody knows what it links to', async () => {
    const known = (await ofVault()).counts.notes;
    vault.put('Unread.md', 'too long '.repeat(200));
    try {
      await reindex();
      expect(vault.reader.fileByPath('Unread.md')?.state).toBe('quarantined');
      const { orphans, counts } = await ofVault();
      expect(orphans).not.toContain('Unread.md');
      expect(counts.notes).toBe(known);
    } finally {
      await rm(disk('Unread.md'));
      await reindex();
    }
  });
});

describe('the links to a file', () => {
  it('are told of each file that links, with all its lines', async () => {
    expect((await of('House/Plan.md')).backlinks).toEqual([
      { path: 'Garden/Pear.md', lines: [1] },
      { path: 'Home.md', lines: [1] },
      { path: 'House/Roof.md', lines: [1] },
    ]);
  });

  it('are told of documents, attachments and whatever a canvas shows', async () => {
    expect(await backPaths('Files/scan.pdf')).toEqual(['House/Plan.md']);
    expect(await backPaths('img/sketch.png')).toEqual(['Home.md']);
    expect((await of('Alone too.md')).backlinks).toEqual([{ path: 'Board.canvas', lines: [] }]);
  });

  it('hold what could mean another file as well, marked, at the one that Obsidian opens', async () => {
    expect((await of('House/Roof.md')).backlinks).toEqual([{ path: 'Home.md', lines: [3], ambiguous: true }]);
    expect(await backPaths('Garden/Roof.md')).toEqual([]);
  });

  it('do not hold those of a file to itself', async () => {
    const { outlinks, backlinks } = await of('Selfish.md');
    expect(outlinks).toHaveLength(1);
    expect(backlinks).toEqual([]);
  });
});

describe('a file that is linked to from many lines', () => {
  it('is told of the first lines, and how many more there are', async () => {
    vault.put('Log.md', '[[Alone]]\n'.repeat(23));
    try {
      await reindex();
      const lines = Array.from({ length: 20 }, (_, n) => n + 1);
      const found = await of('Alone.md');
      expect(found.backlinks).toEqual([{ path: 'Log.md', lines, more_lines: 3 }]);
      expect(linksText(found)).toContain(', 19, 20 and 3 more\n');
    } finally {
      await rm(disk('Log.md'));
      await reindex();
    }
  });
});

describe('a note in a folder that is kept out of the index', () => {
  it('links like any other, also while nothing but it links there', async () => {
    expect((await of('Kept.md')).backlinks).toEqual([{ path: 'Archive/old.md', lines: [3] }]);
    expect((await of('Archive/old.md')).outlinks).toMatchObject([{ line: 3, to: 'Kept.md' }]);
    expect(await linkedFrom(context, ['Kept.md' as VaultPath])).toEqual({ linked_from: ['Archive/old.md'] });
    expect((await ofVault()).orphans).not.toContain('Kept.md');
  });

  it('is followed when it changes', async () => {
    vault.put('Archive/old.md', '[[Alone]]\n');
    try {
      expect(await backPaths('Kept.md')).toEqual([]);
      expect(await backPaths('Alone.md')).toEqual(['Archive/old.md']);
    } finally {
      vault.put('Archive/old.md', FILES['Archive/old.md']);
    }
  });

  it('is not told of when its own links lead nowhere, unless it is asked about', async () => {
    expect((await ofVault()).broken.map(({ path }) => path)).not.toContain('Archive/old.md');
    expect((await of('Archive/old.md')).broken).toMatchObject([{ line: 5, target: 'Never was' }]);
  });
});

describe('the neighbours of a note', () => {
  it('are the notes linked with it, then those linked with the most of the same', async () => {
    const { neighbours } = await of('Garden/Pear.md');
    expect(neighbours).toEqual([
      { path: 'Home.md', distance: 1, shared: 1 },
      { path: 'House/Plan.md', distance: 1, shared: 1 },
      { path: 'House/Roof.md', distance: 2, shared: 2 },
      { path: 'Alone too.md', distance: 2, shared: 1 },
      { path: 'Files/scan.pdf', distance: 2, shared: 1 },
    ]);
  });
});

describe('the links of the whole vault', () => {
  it('are counted, with those that lead nowhere or could lead to several, and the notes that stand alone', async () => {
    const { counts, broken, ambiguous, orphans } = await ofVault();
    expect(broken.map(({ path, line, target }) => [path, line, target])).toEqual([
      ['Alone.md', 1, 'Not me either'],
      ['Home.md', 3, 'Nowhere'],
    ]);
    expect(ambiguous.map(({ path, line, to }) => [path, line, to])).toEqual([
      ['Garden/Roof.md', 1, 'Garden/Roof.md'],
      ['Home.md', 3, 'House/Roof.md'],
    ]);
    expect(orphans).toEqual(['Alone.md', 'Garden/Roof.md', 'Selfish.md']);
    expect(counts).toEqual({ notes: 9, links: 17, resolved: 13, broken: 2, ambiguous: 2, unknown: 0, orphans: 3 });
  });

  it('come page by page, each entry once, until every list has ended', async () => {
    const whole = await ofVault();
    const seen = { broken: [] as unknown[], ambiguous: [] as unknown[], orphans: [] as unknown[] };
    let cursor: string | null = null;
    do {
      const page: FoundLinks & VaultLinks = await ofVault({ limit: 1, ...(cursor === null ? {} : { cursor }) });
      expect(page.counts).toEqual(whole.counts);
      for (const list of ['broken', 'ambiguous', 'orphans'] as const) seen[list].push(...page[list]);
      cursor = page.next_cursor;
    } while (cursor !== null);
    const { broken, ambiguous, orphans } = whole;
    expect(seen).toEqual({ broken, ambiguous, orphans });
  });
});

describe('asking for links', () => {
  it.each([
    ['a file that is not there', { path: 'Gone.md' }, 'not_found'],
    ['a folder', { path: 'House' }, 'is_directory'],
    ['what is hidden', { path: '.git/config' }, 'invalid_path'],
    ['a cursor of something else', { cursor: 'bm90ZTph' }, 'invalid_request'],
    ['a cursor that is damaged', { cursor: Buffer.from('links:{').toString('base64url') }, 'invalid_request'],
  ])('of %s is refused', async (_, input, code) => {
    await expect(find(input)).rejects.toMatchObject({ code });
  });

  it('with the cursor of another file is refused', async () => {
    const { next_cursor } = await of('Home.md', { limit: 1 });
    await expect(find({ path: 'House/Plan.md', cursor: next_cursor })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('is not answered before anything is indexed', async () => {
    const reader = openIndexReader(disk('no index here.db'));
    for (const input of [{}, { path: 'Home.md' }]) {
      const asked = findLinks({ ...context, reader }, parseInput(findLinksInput, input));
      await expect(asked).rejects.toMatchObject({ code: 'not_ready' });
    }
  });

  it('by several at once is answered alike', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => of('House/Plan.md')));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('after a change', () => {
  it('a file’s own links are those it has now, before the index knows', async () => {
    vault.put('Garden/Pear.md', 'Now only [[Roof]].\n');
    const { outlinks, ambiguous } = await of('Garden/Pear.md');
    expect(outlinks).toEqual([]);
    expect(ambiguous.map(({ to }) => to)).toEqual(['Garden/Roof.md']);
    await reindex();
    expect(await backPaths('House/Plan.md')).toEqual(['Home.md', 'House/Roof.md']);
    expect(await backPaths('Garden/Roof.md')).toEqual(['Garden/Pear.md']);
  });

  it('links of others lead to what came, and nowhere once it is gone, whatever the index knows', async () => {
    vault.put('Deep/Nowhere.md', 'Here I am.\n');
    expect(await backPaths('Deep/Nowhere.md')).toEqual(['Home.md']);
    await rename(disk('Deep'), disk('Deeper'));
    expect(await backPaths('Deeper/Nowhere.md')).toEqual(['Home.md']);
    await rm(disk('Deeper'), { recursive: true });
    expect((await of('Home.md')).broken.map(({ target }) => target)).toEqual(['Nowhere']);
  });

  it('a note that is gone links to nothing any more', async () => {
    await rm(disk('House/Roof.md'));
    expect(await backPaths('House/Plan.md')).toEqual(['Home.md']);
    expect((await of('Home.md')).ambiguous).toEqual([]);
    await reindex();
    expect(await backPaths('House/Plan.md')).toEqual(['Home.md']);
  });

  it('a canvas links to what it shows now', async () => {
    vault.put('Board.canvas', canvas({ type: 'file', file: 'Alone.md' }));
    expect(await backPaths('Alone too.md')).toEqual([]);
    expect(await backPaths('Alone.md')).toEqual(['Board.canvas']);
    await rm(disk('Board.canvas'));
    expect(await backPaths('Alone.md')).toEqual([]);
  });
});
