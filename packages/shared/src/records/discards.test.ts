import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendAll,
  createDiscardingVault,
  DISCARDED_AT,
  type DiscardingVault,
  discarded,
  listedIds,
} from '../../../../test/support/discarding-vault.ts';
import { canMount, mount, resize, unmount } from '../../../../test/support/small-disk.ts';
import type { DiscardLog } from './discard-log.ts';

const mayMount = await canMount();

let vault: DiscardingVault;
let log: DiscardLog;
beforeEach(async () => {
  vault = await createDiscardingVault();
  log = await vault.open();
});
afterEach(() => vault.remove());

describe('the discard log', () => {
  it('holds an entry whole, in a line that only its owner may read', async () => {
    const seen = [{ path: 'tea.md', etag: 'e', distance: 0.1 }];
    const decision = { action: 'discard', reason: 'known already' };
    const given = discarded('one', { source: 'chat 7', seen, decision });
    expect(await log.append(given)).toBe(1);
    expect(vault.lines().map((line) => JSON.parse(line))).toEqual([{ v: 1, n: 1, t: DISCARDED_AT, ...given }]);
    expect(statSync(vault.file()).mode & 0o777).toBe(0o600);
    expect(await log.show(1)).toEqual({ discard: { n: 1, t: DISCARDED_AT, ...given }, restored: null });
    expect(await log.show(2)).toBeNull();
  });

  it('lists what one looks for, newest first, with the note that it became again', async () => {
    await log.append(discarded('one', { decision: { action: 'discard', reason: 'known already' } }));
    await log.append({
      ...{ id: 'two', kind: 'replaced', agent: 'operator' },
      note: { path: 'tea.md', etag: 'e', text: 'old text' },
    });
    await log.markRestored(1, 'Facts/one.md');
    const common = { t: DISCARDED_AT };
    expect(await log.list({ limit: 10 })).toEqual({
      entries: [
        { ...common, n: 2, kind: 'replaced', agent: 'operator', path: 'tea.md' },
        {
          ...{ ...common, n: 1, kind: 'discarded', agent: 'claude', title: 'Title one', reason: 'known already' },
          restored: 'Facts/one.md',
        },
      ],
      next: null,
      damaged: 0,
    });
    expect(await log.show(1)).toMatchObject({ restored: 'Facts/one.md' });
    expect(await log.stats()).toEqual({ count: 2, restored: 1, damaged: 0 });
    await log.markRestored(1, 'Facts/one-2.md');
    expect(await log.show(1)).toMatchObject({ restored: 'Facts/one-2.md' });
  });

  it('refuses to call an entry restored that is not there', async () => {
    await expect(log.markRestored(7, 'a.md')).rejects.toMatchObject({ code: 'not_found' });
    expect(existsSync(vault.file())).toBe(false);
  });

  it('is empty while nothing was discarded, and not made by looking', async () => {
    expect(await log.list({ limit: 10 })).toEqual({ entries: [], next: null, damaged: 0 });
    expect(await log.stats()).toEqual({ count: 0, restored: 0, damaged: 0 });
    expect(readdirSync(vault.root)).toEqual(['a.md']);
  });

  it('takes an entry once, whoever writes it again', async () => {
    expect(await appendAll(log, ['one', 'two', 'one'])).toEqual([1, 2, 1]);
    expect(await appendAll(await vault.open(), ['two'])).toEqual([2]);
    expect(vault.lines()).toHaveLength(2);
  });

  it('gives numbers that grow by one, also when several write at once and after a restart', async () => {
    const other = await vault.open();
    const ids = Array.from({ length: 20 }, (_, i) => `id-${i}`);
    const numbers = await Promise.all(ids.map((id, i) => (i % 2 ? log : other).append(discarded(id))));
    expect(numbers.sort((a, b) => a - b)).toEqual(ids.map((_, i) => i + 1));
    expect(await (await vault.open()).append(discarded('later'))).toBe(21);
  });
});

describe('what a crash cut short', () => {
  it('stays as a line that is counted, and the next entry is whole', async () => {
    await appendAll(log, ['one']);
    appendFileSync(vault.file(), '{"v":1,"n":2,"id":"torn","t":"2026');
    expect(await log.stats()).toEqual({ count: 1, restored: 0, damaged: 1 });
    expect(await appendAll(log, ['two'])).toEqual([2]);
    expect(await listedIds(log)).toEqual(['two', 'one']);
    expect(await log.list({ limit: 1 })).toMatchObject({ damaged: 1 });
    expect(vault.lines()).toHaveLength(3);
  });

  it('is an entry if only its line end was missing', async () => {
    await appendAll(log, ['one', 'two']);
    writeFileSync(vault.file(), readFileSync(vault.file(), 'utf8').slice(0, -1));
    log = await vault.open();
    expect(await appendAll(log, ['two', 'three'])).toEqual([2, 3]);
    expect(await listedIds(log)).toEqual(['three', 'two', 'one']);
    expect(await log.stats()).toMatchObject({ damaged: 0 });
  });

  it('keeps its number from being given again, if that can be read', async () => {
    await appendAll(log, ['one']);
    appendFileSync(vault.file(), '{"v":2,"n":7,"id":"of a newer version"}\nno line at all\n');
    expect(await appendAll(log, ['two'])).toEqual([8]);
    expect(await log.stats()).toEqual({ count: 2, restored: 0, damaged: 2 });
  });

  it('does not hide the numbers given before, though it is all there is in a file', async () => {
    await appendAll(log, ['one', 'two']);
    renameSync(vault.file(), vault.file('.discarded.log.1'));
    writeFileSync(vault.file('.discarded.log.2'), 'damaged');
    writeFileSync(vault.file(), 'damaged too');
    expect(await appendAll(await vault.open(), ['three'])).toEqual([3]);
  });
});

describe('something else in the place of the log', () => {
  const places: [string, () => void][] = [
    ['a link', () => symlinkSync('a.md', vault.file())],
    ['a link to nothing', () => symlinkSync('nowhere.md', vault.file())],
    ['a folder', () => mkdirSync(vault.file())],
    ['a pipe', () => execFileSync('mkfifo', [vault.file()])],
  ];
  it.each(places)('is refused and left alone: %s', async (_what, make) => {
    make();
    await expect(log.append(discarded('one'))).rejects.toMatchObject({ code: 'invalid_path' });
    expect(readFileSync(join(vault.root, 'a.md'), 'utf8')).toBe('a note\n');
    expect(existsSync(join(vault.root, 'nowhere.md'))).toBe(false);
    expect(await log.list({ limit: 10 })).toEqual({ entries: [], next: null, damaged: 0 });
    rmSync(vault.file(), { recursive: true });
    expect(await log.append(discarded('one'))).toBe(1);
  });

  it('does not keep from reading what was put aside', async () => {
    log = await vault.open({ maxBytes: 400 });
    await appendAll(log, ['a', 'b', 'c', 'd', 'e']);
    symlinkSync('a.md', vault.file('.discarded.log.3'));
    mkdirSync(vault.file('.discarded.log.4'));
    expect(await listedIds(await vault.open())).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await appendAll(await vault.open({ maxBytes: 400 }), ['f', 'g', 'h'])).toEqual([6, 7, 8]);
    expect(vault.logs()).toContain('.discarded.log.5');
  });

  it('that was another file a moment ago is not mistaken for it', async () => {
    await appendAll(log, ['one', 'two', 'three']);
    await log.list({ limit: 10 });
    const kept = vault
      .lines()
      .slice(1)
      .join('\n')
      .replaceAll('"agent":"claude"', '"agent":"a much longer name than before"');
    writeFileSync(vault.file(), `${kept}\n${kept.replaceAll('"id":"t', '"id":"again t')}\n`);
    const { entries } = await log.list({ limit: 10 });
    expect(entries.map(({ agent }) => agent)).toEqual(Array(4).fill('a much longer name than before'));
  });
});

describe('a vault', () => {
  it('that is not there gets no log', async () => {
    rmSync(vault.root, { recursive: true });
    await expect(log.append(discarded('one'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(log.list({ limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
    expect(existsSync(vault.root)).toBe(false);
  });

  it.skipIf(!mayMount)('on a full disk refuses, and the log is as it was', async () => {
    rmSync(join(vault.root, 'a.md'));
    mount(vault.root, '256k');
    try {
      writeFileSync(join(vault.root, 'a.md'), 'a note\n');
      log = await vault.open();
      await appendAll(log, ['one']);
      const before = readFileSync(vault.file(), 'utf8');
      writeFileSync(join(vault.root, 'filler'), Buffer.alloc(200 * 1024));
      const large = discarded('large', { candidate: { title: 'Large', body: 'x'.repeat(100_000) } });
      await expect(log.append(large)).rejects.toMatchObject({ code: 'insufficient_storage' });
      expect(readFileSync(vault.file(), 'utf8')).toBe(before);
      resize(vault.root, '1m');
      expect(await log.append(large)).toBe(2);
      expect(await log.stats()).toEqual({ count: 2, restored: 0, damaged: 0 });
    } finally {
      unmount(vault.root);
    }
  });
});
