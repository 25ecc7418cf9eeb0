import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordOpenError } from '@vault-mcp/shared/records/record-open-error';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { tempName } from '@vault-mcp/shared/vault/temp-files';
import { createVaultWriter, type VaultWriter } from '@vault-mcp/shared/vault/write';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movingContext } from '../../../../test/support/moving-context.ts';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';
import { type MoveContext, moveEntry } from './move-entry.ts';
import { resumeMoves } from './resume-moves.ts';

let on: WritableVault;
let context: MoveContext;
let synced: readonly string[];
beforeEach(async () => {
  on = await createWritableVault();
  const moving = movingContext(on);
  context = moving.context;
  synced = moving.queue.synced;
  await on.put({ 'a.md': '[t](t.md)', 't.md': 't', 'one.md': '[a](a.md)', 'two.md': '[a](a.md)' });
});
afterEach(() => on.remove());

const p = parseVaultPath;
const etag = (text: string) => sha256Hex(Buffer.from(text));
const at = (path: string) => join(on.root, path);

const AFTER = { 'Deep/a.md': '[t](../t.md)', 'one.md': '[a](Deep/a.md)', 'two.md': '[a](Deep/a.md)' };

/** Records the move of `a.md` to `Deep/a.md` as begun, by default by a process that is dead. */
function begin(owner: string = randomUUID()): Promise<string> {
  const file = (path: string, before: string, after: string) => ({
    path: p(path),
    etagBefore: etag(before),
    etagAfter: etag(after),
  });
  return context.moveIntents.begin({
    ...{ owner, source: p('a.md'), destination: p('Deep/a.md'), kind: 'note' },
    files: [
      file('a.md', '[t](t.md)', AFTER['Deep/a.md']),
      file('one.md', '[a](a.md)', AFTER['one.md']),
      file('two.md', '[a](a.md)', AFTER['two.md']),
    ],
    readable: null,
  });
}

async function renameOnDisk(): Promise<void> {
  await mkdir(at('Deep'));
  await rename(at('a.md'), at('Deep/a.md'));
}

describe('a move that was cut short', () => {
  it('is completed when the file had gone', async () => {
    await begin();
    await renameOnDisk();
    expect(await resumeMoves(context)).toBe(1);
    expect(await on.everything()).toEqual({ Deep: '/', 't.md': 't', ...AFTER });
    expect(await context.moveIntents.standing()).toEqual([]);
    expect([...synced].sort()).toEqual(['Deep/a.md', 'a.md', 'one.md', 'two.md']);
  });

  it('is completed by what its mover may see', async () => {
    const text = '[[b]] [[Open/b]] [x](../Shut/x.md)';
    await on.put({ 'Open/c.md': 'was b', 'Open/Deep/own.md': text, 'Shut/x.md': 'x' });
    const linking = { path: p('Open/Deep/own.md'), etagBefore: etag(text), etagAfter: etag('') };
    await context.moveIntents.begin({
      ...{ owner: randomUUID(), source: p('Open/b.md'), destination: p('Open/c.md'), kind: 'note' },
      ...{ files: [linking], readable: [{ prefix: 'open', read: true }] },
    });
    expect(await resumeMoves(context)).toBe(1);
    expect(await on.read('Open/Deep/own.md')).toBe('[[b]] [[Open/c]] [x](../Shut/x.md)');
  });

  it('has no link follow twice', async () => {
    // Read from where the note was, this link would mean another file by now.
    await on.put({ 'one.md': AFTER['one.md'], 'Deep/Deep/a.md': 'another' });
    await begin();
    await rename(at('a.md'), at('Deep/a.md'));
    await resumeMoves(context);
    expect(await on.everything()).toEqual({
      ...{ Deep: '/', 'Deep/Deep': '/', 't.md': 't' },
      'Deep/Deep/a.md': 'another',
      ...AFTER,
    });
  });

  it('is completed when the file had two names for a moment', async () => {
    await begin();
    await mkdir(at('Deep'));
    await link(at('a.md'), at('Deep/a.md'));
    expect(await resumeMoves(context)).toBe(1);
    expect(await on.everything()).toEqual({ Deep: '/', 't.md': 't', ...AFTER });
  });

  it.skipIf(['darwin', 'win32'].includes(process.platform))(
    'is completed when the file had two names that differ by case alone',
    async () => {
      await link(at('t.md'), at('T.md'));
      const paths = { source: p('t.md'), destination: p('T.md') };
      await context.moveIntents.begin({ owner: randomUUID(), ...paths, kind: 'note', files: [], readable: null });
      expect(await resumeMoves(context)).toBe(1);
      const { 't.md': old, 'T.md': renamed } = await on.everything();
      expect([old, renamed]).toEqual([undefined, 't']);
    },
  );

  it('is forgotten when the file had not gone', async () => {
    const before = await on.everything();
    await begin();
    expect(await resumeMoves(context)).toBe(0);
    expect(await on.everything()).toEqual(before);
    expect(await context.moveIntents.standing()).toEqual([]);
  });

  it('leaves both files when both are there', async () => {
    await begin();
    await on.put({ 'Deep/a.md': "somebody's" });
    const before = await on.everything();
    await resumeMoves(context);
    expect(await on.everything()).toEqual(before);
  });

  it('leaves a note that somebody has changed since', async () => {
    await begin();
    await renameOnDisk();
    await on.put({ 'one.md': '[a](a.md) and more' });
    expect(await resumeMoves(context)).toBe(1);
    expect(await on.everything()).toMatchObject({ ...AFTER, 'one.md': '[a](a.md) and more' });
    expect(await context.moveIntents.standing()).toEqual([]);
  });

  it('is completed when the server stopped between the file and its links', async () => {
    const { moveIntents, writer } = context;
    const holding: VaultWriter['holding'] = (claims, work) =>
      writer.holding(claims, (held) =>
        work({ ...held, rename: (...call) => held.rename(...call).finally(() => on.locks.close()) }),
      );
    const stopped = await moveEntry(
      { ...context, writer: { ...writer, holding } },
      { source: 'a.md', destination: 'Deep/a.md' },
      ANYWHERE,
    );
    expect(stopped.left).toMatchObject([{ path: 'Deep/a.md' }, { path: 'one.md' }, { path: 'two.md' }]);
    expect(await moveIntents.standing()).toHaveLength(1);
    const locks = await openPathLocks(on.dataPath);
    const restarted = createVaultWriter(on.vault, { locks, noteMaxBytes: 0 });
    expect(await resumeMoves({ ...context, locks, writer: restarted })).toBe(1);
    locks.close();
    expect(await on.everything()).toEqual({ Deep: '/', 't.md': 't', ...AFTER });
  });

  it('is left to its process while that one lives', async () => {
    await begin(on.locks.owner);
    await renameOnDisk();
    expect(await resumeMoves(context)).toBe(0);
    expect(await context.moveIntents.standing()).toHaveLength(1);
  });

  it('leaves nothing of a record that was never written to its end, unless its process still writes it', async () => {
    await begin();
    const folder = join(on.dataPath, 'move-intents');
    const [dead, alive] = [tempName(randomUUID()), tempName(on.locks.owner)];
    for (const name of [dead, alive]) await writeFile(join(folder, name), '{"version":1,');
    await resumeMoves(context);
    expect(await readdir(folder)).toEqual([alive]);
  });

  it('waits while the server is read-only', async () => {
    await begin();
    await renameOnDisk();
    const before = await on.everything();
    const { config } = context;
    const server = { ...config.server, read_only: true };
    expect(await resumeMoves({ ...context, config: { ...config, server } })).toBe(0);
    expect(await on.everything()).toEqual(before);
    expect(await context.moveIntents.standing()).toHaveLength(1);
  });

  it('is completed once by two that start together', async () => {
    await begin();
    await renameOnDisk();
    const completed = await Promise.all([resumeMoves(context), resumeMoves(context)]);
    expect(completed.sort()).toEqual([0, 1]);
    expect(await on.everything()).toEqual({ Deep: '/', 't.md': 't', ...AFTER });
  });
});

describe('an intent', () => {
  const store = (content: string) => writeFile(join(on.dataPath, 'move-intents', `${randomUUID()}.json`), content);

  it('that is damaged is set aside, and the others are completed', async () => {
    await begin();
    await renameOnDisk();
    await store('{"version":1');
    await store('{"version":1,"owner":5}');
    expect(await resumeMoves(context)).toBe(1);
    const names = await readdir(join(on.dataPath, 'move-intents'));
    expect(names).toEqual([expect.stringMatching(/\.damaged$/), expect.stringMatching(/\.damaged$/)]);
  });

  it('of a newer version stops the start', async () => {
    await begin();
    await store('{"version":2}');
    await expect(resumeMoves(context)).rejects.toThrow(RecordOpenError);
  });
});
