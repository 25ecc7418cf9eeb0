import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../log.ts';
import { createPortLink, servePort } from './builtin/port-link.ts';
import { type BuiltinEmbedder, connectBuiltinEmbedder, createBuiltinEmbedder } from './builtin.ts';
import type { Embedder } from './embedder.ts';
import { BUILTIN_DIMS, BUILTIN_MODEL } from './settings.ts';

const space = { model: BUILTIN_MODEL, dims: BUILTIN_DIMS, queryPrefix: '', documentPrefix: '' };

describe('the built-in embedder', () => {
  const open: Embedder[] = [];
  const create = (): BuiltinEmbedder => {
    const embedder = createBuiltinEmbedder({ space, logger: silentLogger() });
    open.push(embedder);
    return embedder;
  };
  afterEach(async () => {
    for (const embedder of open.splice(0)) await embedder.close();
  });

  test('serves its owner and another thread’s port from one model, in one space', async () => {
    const owner = create();
    const connected = connectBuiltinEmbedder(owner.openPort(), space);
    open.push(connected);
    const [mine, theirs] = await Promise.all([
      owner.embedDocuments(['a boiler', 'a bicycle']),
      connected.embedDocuments(['a boiler', 'a bicycle']),
    ]);
    expect(theirs).toEqual(mine);
    expect(connected.space).toBe(owner.space);
    expect(connected.health()).toEqual(owner.health());
  });

  test('answers a query while a long batch over a port is still under way', async () => {
    const owner = create();
    const connected = connectBuiltinEmbedder(owner.openPort(), space);
    open.push(connected);
    const controller = new AbortController();
    let batchDone = false;
    const texts = Array.from({ length: 60 }, (_, i) => `${i} `.repeat(300));
    const batch = connected.embedDocuments(texts, controller.signal).finally(() => {
      batchDone = true;
    });
    await owner.embedQuery('boiler');
    expect(batchDone).toBe(false);
    controller.abort();
    await expect(batch).rejects.toMatchObject({ kind: 'aborted' });
  });

  test('stops a batch over a port when its signal fires', async () => {
    const owner = create();
    const connected = connectBuiltinEmbedder(owner.openPort(), space);
    open.push(connected);
    const controller = new AbortController();
    const batch = connected.embedDocuments(['some text '.repeat(100)], controller.signal);
    controller.abort();
    await expect(batch).rejects.toMatchObject({ kind: 'aborted' });
    await expect(connected.embedDocuments(['more'])).resolves.toHaveLength(1);
  });

  test('tells those on its ports when it is closed', async () => {
    const owner = create();
    const connected = connectBuiltinEmbedder(owner.openPort(), space);
    await connected.embedQuery('works');
    await owner.close();
    await expect(connected.embedQuery('gone')).rejects.toMatchObject({
      kind: expect.stringMatching(/unreachable|aborted/),
    });
    expect(connected.health().ok).toBe(false);
  });
});

test('a port carries failures and the owner’s view of health', async () => {
  const { port1, port2 } = new MessageChannel();
  servePort(port1, {
    submit: async () => {
      throw Object.assign(new Error('thread is down'), { kind: 'unreachable' });
    },
    problem: () => 'thread is down',
    close: async () => {},
  });
  const link = createPortLink(port2);
  await expect(link.submit('query', ['a'])).rejects.toMatchObject({ kind: 'unreachable', message: 'thread is down' });
  expect(link.problem()).toBe('thread is down');
  await link.close();
});

test('a program that forgot to close it still ends', async () => {
  const script = `
    import { createBuiltinEmbedder } from ${JSON.stringify(new URL('../../dist/embedding/builtin.js', import.meta.url).href)};
    import { silentLogger } from ${JSON.stringify(new URL('../../dist/log.js', import.meta.url).href)};
    const space = ${JSON.stringify(space)};
    const embedder = createBuiltinEmbedder({ space, logger: silentLogger() });
    console.log((await embedder.embedQuery('boiler')).length);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 });
  expect((await run).stdout.trim()).toBe('512');
});
