/**
 * The containers' two programs on a real Redis: what one writes the other reads, and what a kill of either, or of Redis,
 * may cost: time, never a change.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rootWarning } from '@vault-mcp/shared/vault/running-user';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TwoPrograms, twoPrograms } from '../support/two-programs.ts';

const notes = Object.fromEntries(
  Array.from({ length: 120 }, (_, i) => [
    `Notes/n${i}.md`,
    `# Note ${i}\n\nA sentence about subject-${i} and the boiler.\n`,
  ]),
);

let both: TwoPrograms;
beforeEach(async () => {
  both = await twoPrograms({ ...notes, 'Home.md': '# Home\n\nThe chimney was swept.\n' });
});
afterEach(() => both.close());

/** The best hit: far ones follow it in any small vault. */
const best = async (query: string) => (await both.search(query))[0];
const ready = () => both.until(async () => (await both.get('/readyz')).status === 200, 'readiness');

describe('api and indexer as two processes', { timeout: 120_000 }, () => {
  it('index, search, follow edits on disk and stop cleanly', async () => {
    const api = both.startApi();
    await both.until(async () => (await both.get('/readyz')).status === 503, 'an api without an indexer');
    const indexer = both.startIndexer();
    await ready();
    expect(await best('chimney')).toBe('Home.md');
    expect(await both.search('subject-77')).toContain('Notes/n77.md');

    await both.put('Notes/n5.md', 'Now about marmalade.\n');
    await both.until(async () => (await best('marmalade')) === 'Notes/n5.md', 'the edit');
    await rm(join(both.vaultPath, 'Home.md'));
    await both.until(async () => !(await both.search('chimney')).includes('Home.md'), 'the removal');

    await Promise.all([api.kill('SIGTERM'), indexer.kill('SIGTERM')]);
    expect([api.child.exitCode, indexer.child.exitCode]).toEqual([0, 0]);
    // Each says once when it runs as root, and nothing of it otherwise.
    const said = await rootWarning();
    for (const program of [api, indexer]) {
      const warnings = (await program.errors).match(/running as root/g) ?? [];
      expect(warnings).toHaveLength(said === null ? 0 : 1);
    }
  });

  it('lose nothing when the indexer is killed in the middle of its work', async () => {
    both.startApi();
    const first = both.startIndexer();
    await both.until(async () => {
      const { body } = await both.get('/readyz');
      return ((body.index as { notes?: number } | undefined)?.notes ?? 0) > 5;
    }, 'some notes to be in');
    await first.kill('SIGKILL');
    await both.put('Late.md', 'Written while nobody watched: gooseberry.\n');
    both.startIndexer();
    await both.until(async () => (await best('gooseberry')) === 'Late.md', 'the late note');
    await ready();
    const { body } = await both.get('/readyz');
    expect(body.index).toMatchObject({ notes: 122, quarantined: 0 });
  });

  it('go on searching while Redis is away, and catch up when it is back', async () => {
    both.startApi();
    both.startIndexer();
    await ready();
    await both.redis.kill();
    await both.put('Away.md', 'Written without a queue: elderflower.\n');
    expect(await best('chimney')).toBe('Home.md');
    await both.redis.restart();
    await both.until(async () => (await best('elderflower')) === 'Away.md', 'the change made meanwhile');
  });

  it('name the call behind a change, the indexer too', async () => {
    both.startApi();
    // On a busy machine the watcher's news of the file, which knows of no call, could come first.
    const indexer = both.startIndexer({ WATCH_DEBOUNCE_SECONDS: '60' });
    await ready();
    const { url, key } = both.server;
    const answer = await fetch(`${url}/vault/Called.md`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/markdown', 'x-request-id': 'call-of-the-test' },
      body: 'About quinces.\n',
    });
    expect(answer.status).toBe(200);
    await both.until(async () => (await best('quinces')) === 'Called.md', 'the write');
    await indexer.kill('SIGTERM');
    const lines = (await indexer.errors).split('\n').filter((line) => line.includes('call-of-the-test'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ path: 'Called.md', outcome: 'stored' }]);
  });

  it('refuse a second indexer on the same data, naming the first', async () => {
    both.startApi();
    const first = both.startIndexer();
    await ready();
    const second = both.startIndexer();
    await both.until(async () => second.child.exitCode !== null, 'the refusal');
    expect(second.child.exitCode).toBe(3);
    expect(await second.errors).toContain(`process ${first.child.pid}`);
    expect(first.child.exitCode).toBeNull();
  });

  it('show a dead indexer in readyz while reading goes on', async () => {
    both.startApi();
    const indexer = both.startIndexer();
    await ready();
    await indexer.kill('SIGKILL');
    await both.until(async () => (await both.get('/readyz')).status === 503, 'the missing heartbeat');
    expect(await best('chimney')).toBe('Home.md');
  });

  it('keep words findable with a dead embedder, and say so', async () => {
    const dead = { EMBED_PROVIDER: 'ollama', OLLAMA_URL: 'http://127.0.0.1:9/v1', EMBED_MAX_ATTEMPTS: '1' };
    both.startApi();
    both.startIndexer(dead);
    await ready();
    expect(await best('chimney')).toBe('Home.md');
    await both.until(async () => {
      const { body } = await both.get('/readyz');
      return (body.embedder as { ok: boolean }).ok === false;
    }, 'the embedder to be reported');
  });
});
