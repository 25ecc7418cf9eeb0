import { afterEach, describe, expect, test } from 'vitest';
import { createLogger, type Logger, silentLogger } from '../../log.ts';
import type { BuiltinLink } from './protocol.ts';
import { createThreadOwner } from './thread-owner.ts';

/** A thread of our own that answers each text's length, dies of "die", and never answers "hang". */
const SCRIPT = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ type, id, texts }) => {
    if (type !== 'embed' || texts.includes('hang')) return;
    if (texts.includes('die')) process.exit(1);
    if (texts.includes('no model')) return parentPort.postMessage({ type: 'failed', id, reason: 'no weights' });
    const problem = texts.includes('bad') ? { problem: 'Error: shapes differ' } : {};
    parentPort.postMessage({ type: 'vectors', id, vectors: Float32Array.from(texts, (text) => text.length), ...problem });
  });`;

const links: BuiltinLink[] = [];
function own(
  options: { maxDeaths?: number; restSeconds?: number; script?: string; logger?: Logger } = {},
): BuiltinLink {
  const { script = SCRIPT, ...rest } = options;
  const entry = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const link = createThreadOwner({ entry, logger: silentLogger(), ...rest });
  links.push(link);
  return link;
}
afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
});

describe('the owner of the model thread', () => {
  test('gives each of many concurrent requests its own answer', async () => {
    const link = own();
    const answers = await Promise.all(['a', 'bb', 'ccc'].map((text) => link.submit('documents', [text])));
    expect(answers).toEqual([Float32Array.of(1), Float32Array.of(2), Float32Array.of(3)]);
    expect(link.problem()).toBeUndefined();
  });

  test('starts a thread that died again, and sends what waited once more', async () => {
    const link = own({ maxDeaths: 3 });
    const innocent = link.submit('documents', ['hang']);
    innocent.catch(() => undefined);
    await expect(link.submit('documents', ['die'])).rejects.toMatchObject({ kind: 'unreachable' });
    expect(link.problem()).toContain('stopped');
    expect(await link.submit('query', ['four'])).toEqual(Float32Array.of(4));
    expect(link.problem()).toBeUndefined();
  });

  test('leaves a thread alone that keeps dying, says so, and tries again after a rest', async () => {
    const link = own({ maxDeaths: 2, restSeconds: 0.05 });
    await expect(link.submit('documents', ['die'])).rejects.toMatchObject({ kind: 'unreachable' });
    expect(link.problem()).toContain('EMBED_PROVIDER');
    await expect(link.submit('documents', ['fine'])).rejects.toMatchObject({ kind: 'unreachable' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await link.submit('documents', ['fine'])).toEqual(Float32Array.of(4));
    expect(link.problem()).toBeUndefined();
  });

  test('reports an entry file that cannot start as a death like any other', async () => {
    const link = own({ maxDeaths: 1, script: 'throw new Error("broken build")' });
    await expect(link.submit('query', ['a'])).rejects.toMatchObject({ kind: 'unreachable' });
    expect(link.problem()).toContain('log has the reason');
  });

  test('passes on why the model cannot be loaded', async () => {
    const link = own();
    await expect(link.submit('query', ['no model'])).rejects.toThrow('no weights');
    expect(link.problem()).toBe('no weights');
  });

  test('logs why the model failed on a text, and answers all the same', async () => {
    const lines: string[] = [];
    const logger = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });
    const link = own({ logger });
    expect(await link.submit('documents', ['bad', 'good'])).toEqual(Float32Array.of(3, 4));
    expect(lines.join()).toContain('shapes differ');
    expect(link.problem()).toBeUndefined();
  });

  test('ends a request at once when its signal fires, before or during it', async () => {
    const link = own();
    await expect(link.submit('query', ['a'], AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
    const controller = new AbortController();
    const hanging = link.submit('documents', ['hang'], controller.signal);
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ kind: 'aborted' });
    expect(await link.submit('query', ['still works'])).toEqual(Float32Array.of(11));
  });

  test('gives every waiting request an answer when it is closed, and none afterwards', async () => {
    const link = own();
    const hanging = link.submit('documents', ['hang']);
    const settled = expect(hanging).rejects.toMatchObject({ kind: 'aborted' });
    await link.close();
    await settled;
    await link.close();
    await expect(link.submit('query', ['a'])).rejects.toMatchObject({ kind: 'aborted' });
  });
});
