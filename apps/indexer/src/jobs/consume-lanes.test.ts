import { createLogger } from '@vault-mcp/shared/log';
import { type Consumer, type JobQueue, QueueAwayError } from '@vault-mcp/shared/queue/producer';
import { describe, expect, it } from 'vitest';
import { consumeLanes, type LaneHandlers, logJobProblem } from './consume-lanes.ts';

const HANDLERS = {
  embed: { 'embed-chunks': async () => {} },
  extract: { 'extract-document': async () => {} },
} satisfies LaneHandlers;

/** Keeps what its consumers are told. */
function recordingQueue() {
  const given: Record<string, number> = {};
  const consume = async (queue: string): Promise<Consumer> => ({
    async close({ timeoutMs }) {
      given[queue] = timeoutMs;
      return queue === 'embed';
    },
  });
  return { queue: { consume } as unknown as JobQueue, given };
}

describe('the slow lanes at a stop', () => {
  it('get less than the index, since what they cut off is done again, and a document less than a batch', async () => {
    const { queue, given } = recordingQueue();
    const consumers = await consumeLanes(queue, HANDLERS, () => {});
    await Promise.all(consumers.map((consumer) => consumer.close({ timeoutMs: 7_000 })));
    expect(given).toEqual({ embed: 4_000, extract: 2_000 });
  });

  it('get no more than there is, and tell what became of their jobs', async () => {
    const { queue, given } = recordingQueue();
    const consumers = await consumeLanes(queue, HANDLERS, () => {});
    const finished = await Promise.all(consumers.map((consumer) => consumer.close({ timeoutMs: 50 })));
    expect(given).toEqual({ embed: 50, extract: 50 });
    expect(finished).toEqual([true, false]);
  });

  it('are consumed only where there is a handler', async () => {
    const { queue } = recordingQueue();
    expect(await consumeLanes(queue, { embed: null, extract: null }, () => {})).toEqual([]);
  });
});

describe('a job that failed', () => {
  const said = (error: Error) => {
    const lines: object[] = [];
    const write = (line: string) => lines.push(JSON.parse(line));
    const logger = createLogger({ name: 'test', level: 'debug', destination: { write } });
    logJobProblem(logger, { error, job: { name: 'embed-chunks', attempt: 2, givenUp: false, requestId: 'one' } });
    return lines;
  };
  const job = { msg: 'a job failed', job: 'embed-chunks', attempt: 2, given_up: false, request_id: 'one' };

  it('is an error', () => {
    expect(said(new Error('no such model'))).toMatchObject([{ ...job, level: 50, err: { message: 'no such model' } }]);
  });

  it('is for those who look closer where only the queue did not take its results', () => {
    const lines = said(new QueueAwayError('Redis takes no jobs.'));
    expect(lines).toMatchObject([{ ...job, level: 20, reason: 'Redis takes no jobs.' }]);
  });
});
