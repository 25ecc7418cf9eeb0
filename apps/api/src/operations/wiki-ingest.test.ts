import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { openGitCommits } from '@vault-mcp/shared/records/git-commits';
import { type AccessRule, createAccess } from '@vault-mcp/shared/vault/access';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../../../test/support/filing-vault.ts';
import { hasGit } from '../../../../test/support/wiki-suite.ts';
import { ANYWHERE, writingContext, writingSuite } from '../../../../test/support/writing-context.ts';
import { type SourceFetcher, type WikiIngestAnswer, wikiIngest } from './wiki-ingest.ts';

const on = writingSuite({ 'Home.md': '# Home\n' });

/** What the URLs of these tests lead to. */
let pages: Record<string, { text: string; type?: string; at?: string }> = {};
let fetches: string[] = [];
const fetchFrom: SourceFetcher = async (url) => {
  fetches.push(url.href);
  const page = pages[url.href];
  if (page === undefined) throw new AppError('invalid_value', 'The URL was not fetched: it answered 404.');
  const finalUrl = new URL(page.at ?? url.href);
  return { bytes: Buffer.from(page.text), contentType: page.type ?? null, finalUrl };
};
beforeEach(() => {
  [pages, fetches] = [{}, []];
});

const ingest = (input: Parameters<typeof wikiIngest>[1], request = ANYWHERE): Promise<WikiIngestAnswer> =>
  wikiIngest(on.context, input, request, fetchFrom);

describe('a text that is ingested', () => {
  it('is kept below the wiki under a plain name', async () => {
    expect(await ingest({ filename: '../Report (draft).txt', content: 'Grüße' })).toEqual({
      status: 'stored',
      path: 'Wiki/raw/Report-draft.txt',
      etag: hashOf('Grüße'),
      size: 7,
      folders_made: ['Wiki', 'Wiki/raw'],
      committed: { state: 'off' },
    });
    expect(await on.everything()).toMatchObject({ 'Wiki/raw/Report-draft.txt': 'Grüße' });
  });

  it('is the copy of a URL that is then not fetched', async () => {
    const url = 'http://127.0.0.1/articles/One%20Page.html?x=1';
    expect(await ingest({ url, content: '<p>mine</p>' })).toMatchObject({ path: 'Wiki/raw/One-Page.html' });
    expect(fetches).toEqual([]);
  });

  it('takes the place of no other, and is kept once', async () => {
    const paths = [];
    for (const content of ['one', 'two', 'one', 'three', 'two']) {
      const { path, status } = await ingest({ filename: 'a.txt', content });
      paths.push(`${path} ${status}`);
    }
    expect(paths).toEqual([
      'Wiki/raw/a.txt stored',
      'Wiki/raw/a-2.txt stored',
      'Wiki/raw/a.txt unchanged',
      'Wiki/raw/a-3.txt stored',
      'Wiki/raw/a-2.txt unchanged',
    ]);
  });

  it('has a name of its own beside one that differs only by case', async () => {
    await ingest({ filename: 'A.txt', content: 'one' });
    expect(await ingest({ filename: 'a.txt', content: 'two' })).toMatchObject({ path: 'Wiki/raw/a-2.txt' });
  });

  it('is kept whole when many come under one name at once', async () => {
    const texts = Array.from({ length: 10 }, (_, i) => `text ${i}`);
    const kept = await Promise.all(texts.map((content) => ingest({ filename: 'a.txt', content })));
    expect(new Set(kept.map(({ path }) => path)).size).toBe(10);
    const all = await on.everything();
    expect(kept.map(({ path }) => all[path])).toEqual(texts);
  });

  it('is only looked at in a dry run', async () => {
    const before = await on.everything();
    expect(await ingest({ filename: 'a.txt', content: 'one', dry_run: true })).toMatchObject({
      status: 'stored',
      path: 'Wiki/raw/a.txt',
      dry_run: true,
    });
    expect(await on.everything()).toEqual(before);
  });
});

describe.runIf(hasGit)('raw material in a git work tree', () => {
  it('is committed alone, as whoever sent it', async () => {
    const { root } = on.context.vault;
    const places = { PATH: process.env.PATH ?? '', HOME: root };
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: places, encoding: 'utf8' }).trim();
    git('init', '-q');
    git('add', 'Home.md');
    const commits = openGitCommits({ root, mode: 'auto', places, logger: on.context.log });
    const context = { ...on.context, commits };
    const request = { ...ANYWHERE, agent: 'scribe' };
    const { committed } = await wikiIngest(context, { filename: 'a.txt', content: 'one' }, request);
    expect(committed).toEqual({ state: 'committed', commit: git('rev-parse', 'HEAD') });
    expect(git('log', '--format=%an %s', '--name-only')).toBe('scribe wiki-ingest Wiki/raw/a.txt\n\nWiki/raw/a.txt');
    expect(git('diff', '--cached', '--name-only')).toBe('Home.md');
    // Of what was there already there is nothing to say.
    expect(await wikiIngest(context, { filename: 'a.txt', content: 'one' }, request)).not.toHaveProperty('committed');
    commits.close();
  });
});

describe('a URL that is ingested', () => {
  it('is fetched and kept as it came, with the suffix of its type', async () => {
    pages = { 'https://example.org/articles/one': { text: '<p>1</p>', type: 'text/html; charset=utf-8' } };
    expect(await ingest({ url: 'https://example.org/articles/one' })).toMatchObject({
      path: 'Wiki/raw/one.html',
      size: 8,
    });
  });

  it('has the name of where it led to when it has none itself', async () => {
    pages = { 'https://example.org/': { text: 'x', at: 'https://example.org/start/paper.pdf' } };
    expect(await ingest({ url: 'https://example.org' })).toMatchObject({ path: 'Wiki/raw/paper.pdf' });
    pages = { 'https://example.org/': { text: 'y', type: 'text/plain' } };
    expect(await ingest({ url: 'https://example.org' })).toMatchObject({ path: 'Wiki/raw/source.txt' });
  });

  it('is not fetched when it could not be kept', async () => {
    const url = 'https://example.org/a.html';
    pages = { [url]: { text: 'x' } };
    const scope = parseVaultPath('Home.md');
    await on.refused(() => ingest({ url }, { ...ANYWHERE, scope }), 'out_of_scope');
    await mkdir(join(on.context.vault.root, 'Wiki'));
    await symlink('/tmp', join(on.context.vault.root, 'Wiki/raw'));
    await on.refused(() => ingest({ url }), 'invalid_path', /symbolic link/);
    expect(fetches).toEqual([]);
  });

  it('is not fetched in a dry run, which says where it would be kept', async () => {
    const url = 'https://example.org/articles/one.html';
    pages = { [url]: { text: 'x' } };
    const before = await on.everything();
    expect(await ingest({ url, dry_run: true })).toEqual({
      status: 'would_fetch',
      path: 'Wiki/raw/one.html',
      folders_made: ['Wiki', 'Wiki/raw'],
      dry_run: true,
    });
    await on.refused(
      () => ingest({ url: 'file:///etc/passwd', dry_run: true }),
      'invalid_value',
      /only http and https/,
    );
    const scope = parseVaultPath('Home.md');
    await on.refused(() => ingest({ url, dry_run: true }, { ...ANYWHERE, scope }), 'out_of_scope');
    expect(fetches).toEqual([]);
    expect(await on.everything()).toEqual(before);
  });

  it('is fetched beside one other at the most', async () => {
    let [now, most] = [0, 0];
    const slow: SourceFetcher = async (url) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now--;
      return { bytes: Buffer.from(url.href), contentType: null, finalUrl: url };
    };
    const urls = Array.from({ length: 6 }, (_, i) => `https://example.org/${i}.txt`);
    const kept = await Promise.all(urls.map((url) => wikiIngest(on.context, { url }, ANYWHERE, slow)));
    expect(kept.map(({ status }) => status)).toEqual(urls.map(() => 'stored'));
    expect(most).toBe(2);
  });

  it('leaves nothing when it cannot be fetched', async () => {
    await on.refused(() => ingest({ url: 'https://example.org/gone' }), 'invalid_value', /404/);
    await on.refused(() => ingest({ url: 'file:///etc/passwd' }), 'invalid_value', /only http and https/);
    expect(fetches).toEqual(['https://example.org/gone']);
  });

  it('never leads to this machine', async () => {
    for (const url of ['http://127.0.0.1:1/', 'http://[::1]/', 'http://169.254.169.254/latest/meta-data/']) {
      await on.refused(() => wikiIngest(on.context, { url }, ANYWHERE), 'invalid_value', /not on the public internet/);
    }
  });
});

describe('who may write a part of the vault', () => {
  const url = 'https://example.org/a.html';
  const asAgent = async (rules: AccessRule[], input: Parameters<typeof wikiIngest>[1]) => {
    const vault = viewOf(on.context.vault, createAccess(rules));
    const locks = await openPathLocks(on.context.config.data.path);
    try {
      const writer = createVaultWriter(vault, { locks, noteMaxBytes: 0 });
      return await wikiIngest({ ...on.context, vault, writer }, input, { agent: 'scribe' }, fetchFrom);
    } finally {
      locks.close();
    }
  };

  it('keeps material where it may add, beside what it finds there', async () => {
    const adds: AccessRule[] = [{ prefix: 'Wiki', read: true, write: 'append' }];
    expect(await asAgent(adds, { filename: 'a.txt', content: 'one' })).toMatchObject({ path: 'Wiki/raw/a.txt' });
    expect(await asAgent(adds, { filename: 'a.txt', content: 'two' })).toMatchObject({ path: 'Wiki/raw/a-2.txt' });
  });

  it('has nothing fetched where it may not', async () => {
    pages = { [url]: { text: 'x' } };
    const reads: AccessRule[] = [
      { prefix: '', read: true },
      { prefix: 'Facts', write: true },
    ];
    for (const input of [{ url }, { filename: 'a.txt', content: 'one' }]) {
      await on.refused(() => asAgent(reads, input), 'out_of_scope');
    }
    expect(fetches).toEqual([]);
  });
});

describe('what is not ingested', () => {
  it('is nothing, or two things at once', async () => {
    for (const input of [{}, { content: 'x' }, { filename: 'a', url: 'https://example.org', content: 'x' }]) {
      await on.refused(() => ingest(input), 'invalid_request', /either filename with content, or url/);
    }
    await on.refused(() => ingest({ filename: 'a.txt' }), 'invalid_request', /Send content/);
    await on.refused(() => ingest({ filename: 'a.txt', content: '' }), 'invalid_value', /nothing to keep/);
    await on.refused(
      () => ingest({ filename: 'a.txt', content: 'half \ud83d' }),
      'invalid_value',
      /half of a character/,
    );
  });

  it('would come into a folder beside one whose name differs only by case', async () => {
    await mkdir(join(on.context.vault.root, 'wiki'));
    await on.refused(() => ingest({ filename: 'a.txt', content: 'x' }), 'already_exists', /There is "wiki" already/);
  });

  it('is larger than a source may be', async () => {
    const content = 'x'.repeat(10 * 1024 * 1024 + 1);
    await on.refused(() => ingest({ filename: 'a.txt', content }), 'document_too_large');
  });

  it('is anything on a server that only reads', async () => {
    const reading = await writingContext({}, { READ_ONLY: 'true' });
    const call = () => wikiIngest(reading.context, { url: 'https://example.org/a' }, ANYWHERE, fetchFrom);
    await reading.refused(call, 'out_of_scope', /read-only/);
    expect(fetches).toEqual([]);
    await reading.remove();
  });
});
