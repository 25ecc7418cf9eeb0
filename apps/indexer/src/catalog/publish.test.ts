/** The index page in a real vault, over rows that the test makes up. */
import { rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writing } from '@vault-mcp/shared/vault/write-errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPublishingVault, type PublishingVault, published } from '../../../../test/support/publishing-vault.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';

/** What stands below a page's frontmatter. */
const pageBody = (page: string) => page.slice(page.indexOf('\n---\n') + 5);

let on: PublishingVault;
beforeEach(async () => {
  on = await createPublishingVault();
});
afterEach(() => on.remove());

describe('a vault without an index page', () => {
  it('is given one that carries the mark and its time', async () => {
    expect(await on.publish()).toEqual(published(1));
    expect(await on.page()).toMatch(
      /^---\ngenerated_by: vault-mcp\ntimestamp: 2026-11-30T10:00:00Z\n---\n\n# Index\n\n.*\n\n- \[Home\]\(Home\.md\)\n$/,
    );
  });

  it('is given none for no notes: what is mounted there may only be away', async () => {
    on.hold();
    expect(await on.publish()).toMatchObject({ ok: true, state: 'empty', entries: 0 });
    expect(await on.everything()).toEqual({});
  });

  it('is given its time under the key that notes have theirs, or none where they have none', async () => {
    on.publishWith({ timestampKey: 'updated' });
    await on.publish();
    expect(await on.page()).toContain('\nupdated: 2026-11-30T10:00:00Z\n');
    await unlink(join(on.root, 'index.md'));
    on.publishWith({ timestampKey: '' });
    await on.publish();
    expect(await on.page()).toMatch(/^---\ngenerated_by: vault-mcp\n---\n/);
  });

  it('is left alone while it is not there', async () => {
    await rename(on.root, `${on.root}-away`);
    expect(await on.publish()).toBeNull();
    await rename(`${on.root}-away`, on.root);
    expect(await on.publish()).toEqual(published(1));
  });
});

describe('a page that is there', () => {
  const written = async () => {
    const before = await on.page();
    on.now += 60_000;
    const state = await on.publish();
    return { state, isNew: (await on.page()) !== before };
  };

  it('is written only when its body differs, then with the time of it', async () => {
    await on.publish();
    expect(await written()).toEqual({ state: published(1), isNew: false });
    on.generation++;
    expect(await written()).toEqual({ state: published(1), isNew: false });
    on.hold('Home.md', 'New.md');
    expect(await written()).toEqual({ state: published(2), isNew: true });
    expect(await on.page()).toContain('timestamp: 2026-11-30T10:03:00Z');
  });

  it('is not looked into again while neither it nor any row has changed', async () => {
    await on.publish();
    await on.publish();
    const before = on.reads;
    const past = new Date(0);
    await utimes(join(on.root, 'index.md'), past, past);
    for (const look of [on.publish, on.publish, on.publish]) expect(await look()).toEqual(published(1));
    expect(on.reads).toBe(before);
  });

  it('is settled under the stat it was seen under, and no other', async () => {
    await on.publish();
    const { path, stat } = await on.vault.locate('index.md' as never);
    expect(on.publisher.isSettled(path, stat)).toBe(false);
    await on.publish();
    expect(on.publisher.isSettled(path, stat)).toBe(true);
    expect(on.publisher.isSettled(path, { ...stat, size: stat.size + 1 })).toBe(false);
    expect(on.publisher.isSettled('Home.md', stat)).toBe(false);
  });

  it('is made again when somebody removes it, and put right when somebody edits it', async () => {
    await on.publish();
    const right = pageBody(await on.page());
    await unlink(join(on.root, 'index.md'));
    expect(await on.publish()).toEqual(published(1));
    expect(pageBody(await on.page())).toBe(right);
    await writeFile(join(on.root, 'index.md'), `${await on.page()}\nMine.\n`);
    expect(await written()).toEqual({ state: published(1), isNew: true });
    expect(pageBody(await on.page())).toBe(right);
    const damaged = Buffer.concat([Buffer.from(await on.page()), Buffer.from([0xff, 0xfe])]);
    await writeFile(join(on.root, 'index.md'), damaged);
    await on.publish();
    expect(pageBody(await on.page())).toBe(right);
  });

  it('keeps what somebody adds to its frontmatter until its body changes', async () => {
    await on.publish();
    await writeFile(join(on.root, 'index.md'), (await on.page()).replace('---\n', '---\ncssclasses: wide\n'));
    expect(await written()).toEqual({ state: published(1), isNew: false });
    on.hold('Home.md', 'New.md');
    await on.publish();
    expect(await on.page()).not.toContain('cssclasses');
  });

  it('is not fought over with a program that changes it back each time', async () => {
    await on.publish();
    const spoil = async () => writeFile(join(on.root, 'index.md'), `${await on.page()}\nTheirs.\n`);
    for (const state of ['published', 'published', 'published', 'failed', 'failed']) {
      await spoil();
      expect(await on.publish()).toMatchObject({ state });
    }
    expect(await on.publish()).toMatchObject({ ok: false, error: expect.stringContaining('catalog.enabled') });
    // It goes on following the notes, and heals in time.
    on.hold('Home.md', 'New.md');
    expect(await on.publish()).toEqual(published(2));
    await spoil();
    expect(await on.publish()).toMatchObject({ state: 'failed' });
    on.now += 61_000;
    expect(await on.publish()).toEqual(published(2));
    expect(await on.page()).not.toContain('Theirs');
  });

  it('is emptied, not removed, when the last note goes', async () => {
    await on.publish();
    on.hold();
    expect(await on.publish()).toEqual(published(0));
    expect(await on.page()).not.toContain('Home');
  });

  it('is written in whatever case its name has', async () => {
    await on.publish();
    await rename(join(on.root, 'index.md'), join(on.root, 'INDEX.md'));
    on.hold('Home.md', 'New.md');
    expect(await on.publish()).toEqual(published(2));
    expect(Object.keys(await on.everything())).toEqual(['INDEX.md']);
    expect(await on.read('INDEX.md')).toContain('New.md');
  });

  it('does not list itself, though its row has yet to go', async () => {
    on.hold('Home.md', 'index.md');
    expect(await on.publish()).toEqual(published(1));
  });

  it('is compared anew once the index counts its generations anew', async () => {
    await on.publish();
    await on.publish();
    const at = on.generation;
    on.hold('Other.md');
    on.generation = at;
    on.publisher.forget();
    expect(await on.publish()).toEqual(published(1));
    expect(await on.page()).toContain('Other.md');
  });
});

describe('what the page says of a vault', () => {
  it('is one line of each folder that the index leaves out, as the disk spells it, if it is there', async () => {
    await on.put({ 'Archive/Raw/a.md': '', 'Archive/b.md': '', 'Reports/2026/r.md': '' });
    on.publishWith({
      excludeDirs: ['archive/raw', 'REPORTS/', 'reports/2026', 'Missing', 'Archive/b.md', '', '.hidden'],
    });
    await on.publish();
    expect((await on.page()).match(/^- Left out.*|^##.*/gm)).toEqual([
      '- Left out of the index, so not listed: Reports/',
      '## Archive',
      '- Left out of the index, so not listed: Raw/',
    ]);
    await rm(join(on.root, 'Reports'), { recursive: true });
    await on.publish();
    expect(await on.page()).not.toContain('Reports');
  });

  it('is the name alone of a note that cannot be read', async () => {
    on.rows = [{ path: 'Deep/broken.md', title: 'broken.md', description: '', state: 'quarantined' }];
    await on.publish();
    expect(await on.page()).toContain('- [broken](Deep/broken.md)\n');
  });

  it('leaves descriptions out where a page with them would be too long for a note', async () => {
    on.rows = Array.from({ length: 20 }, (_, n) => ({
      path: `${n}.md`,
      title: `${n}`,
      description: 'x'.repeat(200),
      state: 'indexed',
    }));
    on.publishWith({ noteMaxBytes: 3000 });
    expect(await on.publish()).toEqual(published(20));
    expect(Buffer.byteLength(await on.page())).toBeLessThan(3000);
    on.publishWith({ noteMaxBytes: 100 });
    expect(await on.publish()).toEqual(published(20));
  });
});

const FORBIDDEN = {
  ...{ ok: true, state: 'disabled', entries: 0, error: null, forbidden: true },
  detail: expect.stringMatching(/no permission to write index\.md: grant it write access .*CATALOG_ENABLED/),
};

describe('a page that cannot be written', () => {
  it.skipIf(!canRunUnprivileged)('says why, and is written once that is over', async () => {
    const script = `
      import { chmodSync } from 'node:fs';
      import { openPathLocks } from '@vault-mcp/shared/vault/lock';
      import { observePresence } from '@vault-mcp/shared/vault/presence';
      import { openVault } from '@vault-mcp/shared/vault/vault';
      const { createCatalogPublisher } = await import(process.cwd() + '/apps/indexer/dist/catalog/publish.js');
      const [root, data] = process.argv.slice(1);
      const locks = await openPathLocks(data);
      const vault = await openVault(root, { docSuffixes: [] });
      const rows = [{ path: 'Home.md', title: 'Home', description: '', state: 'indexed' }];
      const publisher = createCatalogPublisher({
        vault, locks, presence: await observePresence(root), excludeDirs: [], noteMaxBytes: 0, timestampKey: '',
        index: { generation: () => 1, storedNotes: () => rows }, now: () => new Date(),
      });
      const states = [];
      for (const mode of [0o555, 0o755]) {
        chmodSync(root, mode);
        states.push(await publisher.publish());
      }
      locks.close();
      console.log(JSON.stringify(states));
    `;
    expect(runUnprivileged(script, [on.root, join(on.outside, 'other-data')])).toEqual([FORBIDDEN, published(1)]);
  });

  /** Over a disk that answers every writing with this error, as the vault's writer tells of it. */
  const onDiskThatSays = (code: string) =>
    on.publishWith({
      writer: {
        replace: (path) => writing(path, () => Promise.reject(Object.assign(new Error(`${code}: no`), { code }))),
      },
    });

  it.each(['EACCES', 'EPERM'])('by permission is well, with what to do: %s', async (code) => {
    onDiskThatSays(code);
    expect(await on.publish()).toEqual(FORBIDDEN);
    on.publishWith({});
    expect(await on.publish()).toEqual(published(1));
  });

  it('on a disk that is only read is well', async () => {
    onDiskThatSays('EROFS');
    expect(await on.publish()).toEqual({
      ...{ ok: true, state: 'disabled', entries: 0, error: null },
      detail: 'The vault is mounted read-only.',
    });
  });

  it.each([
    ['ENOSPC', /disk .* is full/],
    ['EDQUOT', /disk .* is full/],
    ['EIO', /\(EIO\): check the disk/],
    ['EMFILE', /EMFILE/],
    ['EBUSY', /busy/],
  ])('for a reason that passes is a failure: %s', async (code, error) => {
    onDiskThatSays(code);
    expect(await on.publish()).toEqual({
      ...{ ok: false, state: 'failed', entries: 0, error: expect.stringMatching(error), detail: null },
    });
  });

  it('throws what reading the index throws, since that is not the page’s fault', async () => {
    const damaged = Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' });
    on.publishWith({
      index: {
        ...on.deps.index,
        storedNotes() {
          throw damaged;
        },
      },
    });
    await expect(on.publish()).rejects.toBe(damaged);
  });
});
