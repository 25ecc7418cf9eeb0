/**
 * The index page where two programs share a vault through Redis: it follows what callers write, what happens while its
 * writer is dead and while Redis is away; and it is no link to anything.
 */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TwoPrograms, twoPrograms } from '../support/two-programs.ts';

let both: TwoPrograms;
beforeEach(async () => {
  both = await twoPrograms({ 'Home.md': '# Home\n', 'Car/Car.md': '# Car\n', 'Alone.md': '# Alone\n' });
});
afterEach(() => both.close());

const ready = () => both.until(async () => (await both.get('/readyz')).status === 200, 'readiness');
const page = () => readFile(join(both.vaultPath, 'index.md'), 'utf8');
const untilPage = (pattern: RegExp) =>
  both.until(async () => pattern.test(await page()), `the page to match ${pattern}`);
const call = (method: string, path: string, body?: string) =>
  fetch(both.url + path, {
    ...{ method, headers: { authorization: `Bearer ${both.server.key}`, 'content-type': 'text/markdown' } },
    ...(body === undefined ? {} : { body }),
  });

describe('the index page of two programs', { timeout: 90_000 }, () => {
  it('is there when they are ready, and follows what callers write, move and delete', async () => {
    both.startApi();
    both.startIndexer();
    await ready();
    expect(await page()).toMatch(/- \[Alone\][\s\S]*- \[Home\][\s\S]*## Car/);
    expect((await both.get('/readyz')).body.index_doc).toEqual({
      ok: true,
      state: 'published',
      error: null,
      entries: 3,
      detail: null,
    });
    expect((await call('PUT', '/vault/New.md', '# New\n')).status).toBe(200);
    await untilPage(/\[New\]\(New\.md\)/);
    const moved = await fetch(`${both.url}/move`, {
      method: 'POST',
      headers: { authorization: `Bearer ${both.server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source: 'Car', destination: 'Wagon' }),
    });
    // The page named the note, and is no link to follow.
    expect(await moved.json()).toMatchObject({ links_updated: 0, left: [] });
    await untilPage(/## Wagon/);
    const deleted = await call('DELETE', '/vault/New.md');
    expect(deleted.status).toBe(200);
    await untilPage(/^(?![\s\S]*New\.md)/);
  });

  it('is no link: what it alone names is an orphan, and nothing links to it', async () => {
    both.startApi();
    both.startIndexer();
    await ready();
    const { body: links } = await both.get('/links');
    expect(links).toMatchObject({ orphans: ['Alone.md', 'Car/Car.md', 'Home.md'], counts: { notes: 3, links: 0 } });
    expect((await both.get('/links?path=Home.md')).body).toMatchObject({ backlinks: [], neighbours: [] });
    const deleted = await fetch(`${both.url}/vault/Alone.md?dry_run`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${both.server.key}`, accept: 'application/json' },
    });
    expect(await deleted.json()).toMatchObject({ linked_from: [] });
    for (const [method, body] of [
      ['PUT', 'x'],
      ['DELETE', undefined],
    ] as const) {
      expect((await call(method, '/vault/index.md', body)).status).toBe(400);
    }
    expect(await both.search('generated')).not.toContain('index.md');
  });

  it('catches up with what happened while its writer was dead', async () => {
    both.startApi();
    const indexer = both.startIndexer();
    await ready();
    await indexer.kill('SIGKILL');
    await rename(join(both.vaultPath, 'Car'), join(both.vaultPath, 'Wagon'));
    both.startIndexer();
    await untilPage(/## Wagon/);
    expect(await page()).not.toContain('## Car');
  });

  it('catches up with what happened while Redis was away', async () => {
    both.startApi();
    both.startIndexer();
    await ready();
    await both.redis.kill();
    await both.put('Away.md', '# Away\n');
    await both.redis.restart();
    await untilPage(/\[Away\]/);
  });
});
