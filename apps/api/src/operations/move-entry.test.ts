import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { LinkingFileRow } from '@vault-mcp/shared/index-db/rows';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { indexVault } from '../../../../test/support/indexed-vault.ts';
import { movingContext } from '../../../../test/support/moving-context.ts';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';
import { type MoveContext, moveEntry, type moveEntryInput } from './move-entry.ts';

let on: WritableVault;
let context: MoveContext;
let synced: readonly string[];
beforeEach(async () => {
  on = await createWritableVault();
  const moving = movingContext(on);
  context = moving.context;
  synced = moving.queue.synced;
});
afterEach(() => on.remove());

const move = (source: string, destination: string, options: Partial<z.infer<typeof moveEntryInput>> = {}) =>
  moveEntry(context, { source, destination, ...options }, ANYWHERE);

const isRoot = process.getuid?.() === 0;

describe('moving', () => {
  it('makes links of every form follow a note, keeping what else a link says', async () => {
    await on.put({
      'House/Heating.md': '# Heating\n\nSee [the plan](../plan.md) and [[#Heating]].\n',
      'plan.md': [
        '---',
        'parts: "[[House/Heating]]"',
        '---',
        '[[House/Heating|warm]] ![[House/Heating#Pump]] [[Heating^block]] [md](House/Heating.md#pump "t")',
        '`[[House/Heating]]`',
        '',
      ].join('\n'),
      'board.canvas': '{"nodes":[{"type":"file","file":"House/Heating.md"}]}',
      'view.base': 'filters:\n  - file.path == "House/Heating.md"\n',
    });
    expect(await move('House/Heating.md', 'Flat/Warmth.md')).toMatchObject({
      source: 'House/Heating.md',
      destination: 'Flat/Warmth.md',
      kind: 'note',
      links_updated: 5,
      notes_updated: 2,
      folders_made: ['Flat'],
      left: [{ path: 'view.base', line: 2, reason: expect.stringMatching(/by hand/) }],
    });
    expect(await on.everything()).toEqual({
      House: '/',
      Flat: '/',
      'Flat/Warmth.md': '# Heating\n\nSee [the plan](../plan.md) and [[#Heating]].\n',
      'plan.md': [
        '---',
        'parts: "[[Flat/Warmth]]"',
        '---',
        '[[Flat/Warmth|warm]] ![[Flat/Warmth#Pump]] [[Heating^block]] [md](Flat/Warmth.md#pump "t")',
        '`[[House/Heating]]`',
        '',
      ].join('\n'),
      'board.canvas': '{"nodes":[{"type":"file","file":"Flat/Warmth.md"}]}',
      'view.base': 'filters:\n  - file.path == "House/Heating.md"\n',
    });
    expect([...synced].sort()).toEqual(['Flat/Warmth.md', 'House/Heating.md', 'plan.md']);
  });

  it('takes a whole folder along, with documents, pictures and the links within and into it', async () => {
    await on.put({
      'Old/a.md': '[[Old/b]] ![](img/p.png) [up](../top.md)',
      'Old/b.md': 'b',
      'Old/img/p.png': 'p',
      'Old/scan.pdf': 's',
      'top.md': '[a](Old/a.md) [[Old/scan.pdf]] ![[p.png]]',
    });
    const answer = await move('Old', 'Archive/Deep/New');
    expect(answer).toMatchObject({ kind: 'folder', links_updated: 4, notes_updated: 2, left: [] });
    expect(await on.read('Archive/Deep/New/a.md')).toBe('[[Archive/Deep/New/b]] ![](img/p.png) [up](../../../top.md)');
    expect(await on.read('top.md')).toBe('[a](Archive/Deep/New/a.md) [[Archive/Deep/New/scan.pdf]] ![[p.png]]');
    expect(await readdir(on.root)).toEqual(['Archive', 'top.md']);
  });

  it.each(['scan.pdf', 'picture.png'])('moves %s, which is no note', async (name) => {
    await on.put({ [name]: 'bytes', 'note.md': `![[${name}]] [it](${name})` });
    expect(await move(name, `Files/${name}`)).toMatchObject({ links_updated: 1, notes_updated: 1 });
    expect(await on.read('note.md')).toBe(`![[${name}]] [it](Files/${name})`);
  });

  it('answers the etag of the note as it is after its own links followed', async () => {
    await on.put({ 'a.md': '[b](b.md)', 'b.md': 'b' });
    const { etag } = await move('a.md', 'Deep/a.md');
    expect(await on.read('Deep/a.md')).toBe('[b](../b.md)');
    const again = await move('Deep/a.md', 'a.md', { expected_etag: String(etag) });
    expect(again.links_updated).toBe(1);
  });

  it('does nothing when the place is the same', async () => {
    await on.put({ 'a.md': '[[a]]' });
    expect(await move('a.md', 'a.md')).toMatchObject({ links_updated: 0, left: [] });
  });

  it('leaves links alone when told to, and says how many break', async () => {
    await on.put({ 'a.md': 'a', 'b.md': '[[a]] [a](a.md) [a](a.md)' });
    const answer = await move('a.md', 'Deep/a.md', { update_links: false });
    expect(answer).toMatchObject({ links_updated: 0, notes_updated: 0, links_broken: 2, left: [] });
    expect(await on.read('b.md')).toBe('[[a]] [a](a.md) [a](a.md)');
    expect(await on.read('Deep/a.md')).toBe('a');
  });

  it('changes nothing in a dry run, and says what it would', async () => {
    await on.put({ 'a.md': 'a', 'b.md': '[a](a.md)' });
    const before = await on.everything();
    const options = { dry_run: true };
    const planned = await move('a.md', 'Deep/a.md', options);
    expect(planned).toMatchObject({ dry_run: true, links_updated: 1, notes: [{ path: 'b.md', links: 1 }] });
    expect(await move('a.md', 'Deep/a.md', { ...options, update_links: false })).toMatchObject({ links_broken: 1 });
    expect(await on.everything()).toEqual(before);
    expect(synced).toEqual([]);
    const { dry_run: _, notes: __, diff, ...promised } = planned;
    expect(diff).toContain('-[a](a.md)');
    expect(diff).toContain('+[a](Deep/a.md)');
    expect(await move('a.md', 'Deep/a.md')).toEqual({ ...promised, indexed: 'queued' });
  });

  it('answers no more than so much of what a dry run would change, and counts the rest', async () => {
    const long = 'x'.repeat(300_000);
    await on.put(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.md`, `[a](a.md)${long}\n`])));
    const { notes, diff } = await move('a.md', 'Deep/a.md', { dry_run: true });
    expect(notes).toHaveLength(3);
    expect(diff).toMatch(/\n\(The diffs of 2 more files are left out; "notes" names them\.\)\n$/);
    expect(diff?.length).toBeLessThan(1_000_200);
  });

  it('leaves no intent behind', async () => {
    await on.put({ 'a.md': 'a', 'b.md': 'b' });
    await move('a.md', 'c.md');
    expect(await context.moveIntents.standing()).toEqual([]);
  });
});

describe('a move that cannot be', () => {
  beforeEach(() => on.put({ 'a.md': 'a', 'b.md': '[[a]]', 'House/x.md': 'x', 'scan.pdf': 's' }));

  it.each([
    ['to what is there', 'a.md', 'b.md', {}, 'already_exists'],
    ['of what is not there', 'none.md', 'c.md', {}, 'not_found'],
    ['that makes a note a document', 'a.md', 'a.pdf', {}, 'kind_change'],
    ['that makes a document a note', 'scan.pdf', 'scan.md', {}, 'kind_change'],
    ['of a note onto a folder', 'a.md', 'House', {}, 'already_exists'],
    ['of a note onto a folder, written as one', 'a.md', 'House/', {}, 'already_exists'],
    ['of a note to what would be a folder', 'a.md', 'New/', {}, 'kind_change'],
    ['of another version to another kind', 'a.md', 'a.pdf', { expected_etag: 'other' }, 'precondition_failed'],
    ['of a folder into itself', 'House', 'House/Deep', {}, 'invalid_path'],
    ['onto the generated page', 'a.md', 'index.md', {}, 'invalid_path'],
    ['out of the vault', 'a.md', '../a.md', {}, 'invalid_path'],
    ['of another version', 'a.md', 'c.md', { expected_etag: 'other' }, 'precondition_failed'],
    ['of a version of a folder', 'House', 'Flat', { expected_etag: 'other' }, 'invalid_request'],
  ])('%s is refused, and everything stays', async (_name, source, destination, options, code) => {
    for (const dry_run of [true, false]) {
      await on.refused(() => move(source, destination, { ...options, dry_run }), code);
    }
    expect(await context.moveIntents.standing()).toEqual([]);
  });

  it('is any move of a request that is confined, even within its confines', async () => {
    const call = () =>
      moveEntry(
        context,
        { source: 'House/x.md', destination: 'House/y.md' },
        { ...ANYWHERE, scope: parseVaultPath('House') },
      );
    await on.refused(call, 'out_of_scope', /do not retry/);
  });

  it('is any move of a read-only server', async () => {
    const { config } = context;
    context = { ...context, config: { ...config, server: { ...config.server, read_only: true } } };
    await on.refused(() => move('a.md', 'c.md'), 'out_of_scope', /read-only/);
  });
});

describe('a move in an indexed vault', () => {
  it('is answered, when asked to, once search knows the new names and not the old ones', async () => {
    const links = '[a](House/a.md)';
    const indexed = await indexVault({ files: { 'House/a.md': 'a', 'House/scan.md': links, 'top.md': links } });
    const locks = await openPathLocks(indexed.config.data.path);
    try {
      await indexed.settled();
      const vault = await openVault(indexed.vaultPath, { docSuffixes: ['.pdf'] });
      const writer = createVaultWriter(vault, { locks, noteMaxBytes: 0 });
      const { config, reader, queue } = indexed;
      const answer = await moveEntry(
        { ...context, config, reader, queue, vault, writer, locks },
        { source: 'House', destination: 'Flat', wait: 'indexed', timeout: 20 },
        ANYWHERE,
      );
      expect(answer).toMatchObject({ links_updated: 2, notes_updated: 2, left: [], indexed: 'indexed' });
      expect(reader.linkingFiles(0, 9).map(({ path, links }) => [path, links[0]?.target])).toEqual(
        expect.arrayContaining([
          ['Flat/a.md', undefined],
          ['Flat/scan.md', 'Flat/a.md'],
          ['top.md', 'Flat/a.md'],
        ]),
      );
      expect(reader.fileByPath('House/a.md')).toBeUndefined();
    } finally {
      locks.close();
      await indexed.remove();
    }
  });
});

describe('the files that are looked at', () => {
  const rowOf = async (path: string, links: LinkingFileRow['links'], id: number): Promise<LinkingFileRow> => {
    const { stat: found } = await on.vault.locate(parseVaultPath(path));
    return { id, path, state: 'indexed', links, stat: found };
  };
  const indexOf = (rows: readonly LinkingFileRow[]) => {
    const reader: Partial<IndexReader> = { linkingFiles: (after) => rows.filter(({ id }) => id > after) };
    return reader as IndexReader;
  };

  it('are those the index names, those newer than it, and those it does not have', async () => {
    const text = '[a](a.md)';
    await on.put({ 'a.md': 'a', 'known.md': text, 'passed-over.md': text, 'changed.md': 'old', 'broken.md': text });
    const rows = [
      await rowOf('known.md', [{ form: 'markdown', target: 'a.md', since: 1 }], 1),
      // The index is believed about a file of this stat: that this one is not read is what shows it.
      await rowOf('passed-over.md', [], 2),
      await rowOf('changed.md', [], 3),
      { ...(await rowOf('broken.md', [], 4)), state: 'quarantined' as const },
    ];
    await on.put({ 'changed.md': text, 'new.md': text });
    ({ context } = movingContext(on, indexOf(rows)));
    expect(await move('a.md', 'Deep/a.md')).toMatchObject({ links_updated: 4, notes_updated: 4, left: [] });
    const followed = '[a](Deep/a.md)';
    for (const path of ['known.md', 'changed.md', 'broken.md', 'new.md']) expect(await on.read(path)).toBe(followed);
    expect(await on.read('passed-over.md')).toBe(text);
  });

  it('are named when they cannot be rewritten', async () => {
    const latin = Buffer.concat([Buffer.from('[a](a.md)\n'), Buffer.from([0xe9])]);
    await on.put({ 'a.md': 'a', 'latin.md': latin });
    const { left, links_updated } = await move('a.md', 'b.md');
    expect(links_updated).toBe(0);
    expect(left).toEqual([{ path: 'latin.md', line: 1, reason: expect.stringMatching(/UTF-8/) }]);
  });

  it.skipIf(isRoot)('are named when they may not be written', async () => {
    await on.put({ 'a.md': 'a', 'locked.md': '[a](a.md)' });
    await chmod(join(on.root, 'locked.md'), 0o444);
    const { left } = await move('a.md', 'b.md');
    expect(left).toEqual([{ path: 'locked.md', line: 1, reason: expect.stringMatching(/permission/) }]);
  });

  it('are named when their new links would make them too large', async () => {
    await on.put({ 'a.md': 'a', 'full.md': `[a](a.md)${'x'.repeat(990)}` });
    const { left, links_updated } = await move('a.md', `${'long'.repeat(20)}.md`);
    expect(links_updated).toBe(0);
    expect(left).toEqual([{ path: 'full.md', line: 1, reason: expect.stringMatching(/split the note/) }]);
    expect((await stat(join(on.root, 'full.md'))).size).toBe(999);
  });
});

describe('moves at the same time', () => {
  it('of notes that link to one another leave every link right', async () => {
    await on.put({ 'a.md': '[b](b.md) [c](c.md)', 'b.md': '[a](a.md) [c](c.md)', 'c.md': '[a](a.md) [b](b.md)' });
    await Promise.all(['a', 'b', 'c'].map((name) => move(`${name}.md`, `${name.toUpperCase()}1/${name}.md`)));
    expect(await on.read('A1/a.md')).toBe('[b](../B1/b.md) [c](../C1/c.md)');
    expect(await on.read('B1/b.md')).toBe('[a](../A1/a.md) [c](../C1/c.md)');
    expect(await on.read('C1/c.md')).toBe('[a](../A1/a.md) [b](../B1/b.md)');
  });

  it('and edits of a linking note keep both', async () => {
    await on.put({ 'a.md': 'a', 'b.md': '[a](a.md)\n' });
    const edits = Array.from({ length: 10 }, (_, i) =>
      on.writer.edit(parseVaultPath('b.md'), (current) => `${current?.text ?? ''}${i}\n`),
    );
    await Promise.all([move('a.md', 'Deep/a.md'), ...edits]);
    const [link, ...lines] = (await on.read('b.md')).split('\n');
    expect(link).toBe('[a](Deep/a.md)');
    expect(lines.sort()).toEqual(['', ...'0123456789']);
  });

  it('to one place have one winner', async () => {
    await on.put({ 'a.md': 'a', 'b.md': 'b' });
    const outcomes = await Promise.allSettled([move('a.md', 'c.md'), move('b.md', 'c.md')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await readdir(on.root)).toHaveLength(2);
  });
});
