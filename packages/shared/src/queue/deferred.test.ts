import { expect, it } from 'vitest';
import { createLogger } from '../log.ts';
import { logDeferred } from './deferred.ts';
import { createInMemoryQueue } from './in-memory.ts';
import { QueueAwayError } from './producer.ts';

const DEBUG = 20;
const ERROR = 50;

async function lineOf(add: () => Promise<void>) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const log = createLogger({ name: 'test', level: 'debug', destination: { write } });
  await add().catch((error: unknown) => logDeferred(log, error, 'no reconcile now', { path: 'a.md' }));
  expect(lines).toHaveLength(1);
  return lines[0];
}

it('says of a queue that is away only to those who look closer that a job is deferred', async () => {
  const line = await lineOf(() => Promise.reject(new QueueAwayError('Redis cannot be reached.')));
  const said = { level: DEBUG, msg: 'no reconcile now', reason: 'Redis cannot be reached.', path: 'a.md' };
  expect(line).toMatchObject(said);
  expect(line).not.toHaveProperty('err');
  const queue = createInMemoryQueue();
  await queue.close();
  expect(await lineOf(() => queue.add('reconcile', {}))).toMatchObject({ level: DEBUG });
});

it('says of a job that cannot be one that it is a defect, with where', async () => {
  const queue = createInMemoryQueue();
  const line = await lineOf(() => queue.add('sync-path', { source: 'news' } as never));
  expect(line).toMatchObject({ level: ERROR, msg: 'no reconcile now', path: 'a.md', err: { type: 'TypeError' } });
});
