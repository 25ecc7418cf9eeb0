/** Adding jobs over a MessagePort: the same promises as a producer beside the queue, and none kept open for ever. */
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createInMemoryQueue } from './in-memory.ts';
import { createPortProducer, servePortProducer } from './port.ts';
import { type JobProducer, QueueAwayError } from './producer.ts';

describe('a producer on the other side of a port', () => {
  const producers: JobProducer[] = [];
  afterEach(async () => {
    for (const producer of producers.splice(0)) await producer.close();
  });

  function connect(queue: JobProducer) {
    const { port1, port2 } = new MessageChannel();
    const served = servePortProducer(port1, queue);
    const producer = createPortProducer(port2);
    producers.push(producer);
    return { producer, served };
  }

  it('adds to the queue and reads its stats', async () => {
    const queue = createInMemoryQueue();
    const { producer } = connect(queue);
    await producer.add('sync-path', { path: 'Car.md', source: 'news' });
    await producer.add('reconcile', {});
    expect(await producer.stats()).toMatchObject({ ok: true, depth: 2, failed: 0, error: null });
    expect(await queue.stats()).toEqual(await producer.stats());
  });

  it("passes on the queue's refusal", async () => {
    const queue = createInMemoryQueue();
    const { producer } = connect(queue);
    await queue.close();
    await expect(producer.add('reconcile', {})).rejects.toThrow(new QueueAwayError('The job queue is closed.'));
  });

  it('tells a defect from a queue that is away', async () => {
    const { producer } = connect(createInMemoryQueue());
    const defect = await producer.add('sync-path', { source: 'news' } as never).catch((error: unknown) => error);
    expect(defect).toBeInstanceOf(Error);
    expect(defect).not.toBeInstanceOf(QueueAwayError);
    await producer.close();
    await expect(producer.add('reconcile', {})).rejects.toThrow(QueueAwayError);
  });

  it('answers each of many calls at once with its own result', async () => {
    const queue = createInMemoryQueue();
    const { producer } = connect(queue);
    const adds = Array.from({ length: 50 }, (_, i) => producer.add('sync-path', { path: `${i}.md`, source: 'scan' }));
    await Promise.all(adds);
    expect((await producer.stats()).depth).toBe(50);
  });

  it('rejects open and later calls when the other thread is gone', async () => {
    const never: JobProducer = {
      add: () => new Promise(() => {}),
      stats: () => new Promise(() => {}),
      close: async () => {},
    };
    const { producer, served } = connect(never);
    const open = producer.add('reconcile', {});
    const openStats = producer.stats();
    served.close();
    await expect(open).rejects.toThrow('The thread that holds the job queue is gone.');
    expect(await openStats).toMatchObject({ ok: false, error: 'The thread that holds the job queue is gone.' });
    await expect(producer.add('reconcile', {})).rejects.toThrow('gone');
    expect((await producer.stats()).ok).toBe(false);
  });
});
