import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationContext } from '@vault-mcp/api/context';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import { FIX_LATER } from '../checks/built-in/link-findings.ts';
import { vaultLinks } from '../links/vault-links.ts';
import { runBuiltInChecks } from './built-in-checks.ts';
import { linkGraph } from './link-graph.ts';
import { type FixedLink, proposeFixes } from './propose-fixes.ts';

const card = (file: string) => ({ type: 'file', file });
const FILES = {
  'Home.md': '[[Roof]] and [[Roof|the roof]].\n\n[[Rooof]], [[Slates]], ![[Roof#Tiles]], [it](Pear%20tre.md "t").\n',
  'House/Roof.md': '---\naliases: [Slates, The lid]\n---\n# Roof\n',
  'Garden/Roof.md': '---\naliases: Shed, Shed roof\n---\n# Roof of the shed\n',
  'Garden/Pear tree.md': '[[Nowhere|gone]] [[Shed roof]]\n',
  'Board.canvas': JSON.stringify({ nodes: [card('Roof.md'), { type: 'text', text: '[[Pear trees]]' }], edges: [] }),
};

let vault: IndexedVault;
let context: OperationContext;
beforeAll(async () => {
  vault = await indexVault({ files: FILES });
  await vault.settled();
  context = await operationContext(vault);
});
afterAll(() => vault.remove());

async function reindex(): Promise<void> {
  await vault.composed.indexer.build().run({ rebuild: false });
  await vault.settled();
}

/** @param meanwhile what happens after the links were resolved, and before anything was read of them */
async function fixed(meanwhile?: () => Promise<void> | void): Promise<FixedLink[]> {
  const reader = meanwhile === undefined ? context.reader : openIndexReader(vault.config.index.path);
  const asked = { ...context, reader };
  const current = await linkGraph(asked);
  const { names } = current.graph;
  const found = vaultLinks(current, { marks: {}, limit: 100 });
  await meanwhile?.();
  const { broken, ambiguous } = await proposeFixes(asked, names, found);
  if (reader !== context.reader) reader.close();
  return [...broken, ...ambiguous];
}

const brief = (links: readonly FixedLink[]) =>
  links.map(({ path, line, fix }) => [path, line, fix.written, ...fix.paste]);

describe('the links that lead nowhere or could mean several files', () => {
  it('are given as they stand in their files, with what can be pasted there', async () => {
    expect(brief(await fixed())).toEqual([
      ['Board.canvas', null, '"file": "Roof.md"', '"file": "House/Roof.md"', '"file": "Garden/Roof.md"'],
      ['Board.canvas', null, '[[Pear trees]]', '[[Pear tree]]'],
      ['Garden/Pear tree.md', 1, '[[Nowhere|gone]]'],
      ['Garden/Pear tree.md', 1, '[[Shed roof]]', '[[Garden/Roof|Shed roof]]'],
      ['Home.md', 3, '[it](Pear%20tre.md "t")', '[it](Garden/Pear%20tree.md "t")'],
      ['Home.md', 3, '[[Rooof]]', '[[House/Roof]]', '[[Garden/Roof]]'],
      ['Home.md', 3, '[[Slates]]', '[[House/Roof|Slates]]'],
      ['Home.md', 1, '[[Roof]]', '[[House/Roof]]', '[[Garden/Roof]]'],
      ['Home.md', 1, '[[Roof|the roof]]', '[[House/Roof|the roof]]', '[[Garden/Roof|the roof]]'],
      ['Home.md', 3, '![[Roof#Tiles]]', '![[House/Roof#Tiles]]', '![[Garden/Roof#Tiles]]'],
    ]);
  });

  it('are those of the checks, with the same texts', async () => {
    const result = (await runBuiltInChecks(context)).find(({ description }) => description.name === 'links');
    if (result === undefined || !('found' in result.outcome)) throw new Error('The check was not made.');
    const links = await fixed();
    const { findings } = result.outcome.found;
    expect(findings.map(({ path }) => path)).toEqual(links.map(({ path }) => path));
    for (const [at, { fix }] of links.entries()) {
      const { message = '', fix: whatToDo = '' } = findings[at] ?? {};
      expect(message.startsWith(fix.written)).toBe(true);
      expect(whatToDo).toContain([...(fix.paste.length > 0 ? [fix.paste.join(' or ')] : []), fix.advice].at(0));
    }
  });

  it('get no text where the file was changed meanwhile, and another one stands there', async () => {
    try {
      const links = await fixed(() => vault.put('Home.md', '\n\n[[Rooof|moved]]\n'));
      const home = links.filter(({ path }) => path === 'Home.md');
      expect(home.map(({ fix }) => [fix.written, fix.paste.length])).toEqual([
        ['The link to Pear tre.md', 0],
        ['[[Rooof|moved]]', 2],
        ...[
          ['[[Slates]]', 0],
          ['[[Roof]]', 0],
          ['[[Roof]]', 0],
          ['[[Roof]]', 0],
        ],
      ]);
      expect(home[0]?.fix.advice).toMatch(/changed just now/);
    } finally {
      vault.put('Home.md', FILES['Home.md']);
    }
  });

  it('get no text where the file cannot be read', async () => {
    try {
      const links = await fixed(() => rm(join(vault.vaultPath, 'Board.canvas')));
      expect(links.filter(({ path }) => path === 'Board.canvas').map(({ fix }) => fix.paste)).toEqual([[], []]);
    } finally {
      vault.put('Board.canvas', FILES['Board.canvas']);
    }
  });

  it('follow what is written, in the note that links and in the one that is linked to', async () => {
    vault.put('House/Roof.md', '---\naliases: The lid\n---\n# Roof\n');
    vault.put('Home.md', 'Now ![[Slates]] and [[the lid]].\n');
    await reindex();
    try {
      expect(brief(await fixed()).filter(([path]) => path === 'Home.md')).toEqual([
        ['Home.md', 1, '![[Slates]]'],
        ['Home.md', 1, '[[the lid]]', '[[House/Roof|the lid]]'],
      ]);
    } finally {
      for (const path of ['House/Roof.md', 'Home.md'] as const) vault.put(path, FILES[path]);
      await reindex();
    }
  });

  it('are the same for all who ask at once, right after a change', async () => {
    vault.put('Home.md', '[[Slates]] [[the lid|x]]\n');
    await reindex();
    try {
      const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => fixed()));
      expect(brief(first ?? []).filter(([path]) => path === 'Home.md')).toEqual([
        ['Home.md', 1, '[[Slates]]', '[[House/Roof|Slates]]'],
        ['Home.md', 1, '[[the lid|x]]', '[[House/Roof|x]]'],
      ]);
      for (const other of others) expect(other).toEqual(first);
    } finally {
      vault.put('Home.md', FILES['Home.md']);
      await reindex();
    }
  });

  it('are well once what is offered stands there', async () => {
    for (const { path, fix } of await fixed()) {
      const text = readFileSync(join(vault.vaultPath, path), 'utf8');
      const [paste = 'gone'] = fix.paste;
      const written = path.endsWith('.canvas') ? fix.written.replace(': ', ':') : fix.written;
      vault.put(
        path,
        text.replace(written, () => paste),
      );
    }
    await reindex();
    expect(brief(await fixed())).toEqual([]);
    expect([...(await linkGraph(context)).graph.outOf('Board.canvas' as VaultPath)]).toEqual([
      ...['House/Roof.md', 'Garden/Pear tree.md'],
    ]);
  });

  it('are looked for in a check only for the first hundred of a kind, and the others named all the same', async () => {
    vault.put('Log.md', Array.from({ length: 102 }, (_, n) => `[[Lost ${n}|n]]`).join('\n'));
    await reindex();
    const links = (await runBuiltInChecks(context)).find(({ description }) => description.name === 'links');
    const findings = links && 'found' in links.outcome ? links.outcome.found.findings : [];
    expect(findings.map(({ line, message, fix }) => [line, message, fix]).slice(98)).toEqual([
      [99, '[[Lost 98|n]] leads nowhere.', expect.stringMatching(/^Nothing has a name like it: /)],
      [100, '[[Lost 99|n]] leads nowhere.', expect.stringMatching(/^Nothing has a name like it: /)],
      ...[100, 101].map((n) => [n + 1, `[[Lost ${n}]] leads nowhere.`, FIX_LATER]),
    ]);
  });
});
