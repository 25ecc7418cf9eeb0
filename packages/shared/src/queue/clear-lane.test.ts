import { expect, it } from 'vitest';
import { silentLogger } from '../log.ts';
import { clearLane } from './clear-lane.ts';
import { createInMemoryQueue } from './in-memory.ts';
import { QueueAwayError } from './producer.ts';

const HASH = 'a'.repeat(64);

it('what an earlier run asked for makes room for the same content asked for anew', async () => {
  const queue = createInMemoryQueue();
  const ask = (behaviour: string) => queue.add('extract-document', { path: 'a.pdf', sha256: HASH, behaviour });
  await ask('as it was');
  await ask('as it is');
  await clearLane(queue, 'extract', silentLogger());
  await ask('as it is');
  const seen: (string | undefined)[] = [];
  const handlers = {
    'extract-document': async ({ behaviour }: { behaviour?: string | undefined }) => void seen.push(behaviour),
  };
  const consumer = await queue.consume('extract', handlers, { concurrency: 1, onError: () => undefined });
  await expect.poll(async () => (await queue.stats()).depth).toBe(0);
  expect(seen).toEqual(['as it is']);
  await consumer.close({ timeoutMs: 1000 });
  await queue.close();
});

it('a queue that is away is cleared another time', async () => {
  const clear = async (): Promise<void> => {
    throw new QueueAwayError('no connection');
  };
  await expect(clearLane({ clear }, 'extract', silentLogger())).resolves.toBeUndefined();
});
