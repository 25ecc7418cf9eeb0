import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { createLogger } from '@vault-mcp/shared/log';
import { expect, it } from 'vitest';
import { embedQuery } from './dense.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const answering = (numbers: number[]) =>
  ({ dims: 2, embedQuery: async () => Float32Array.from(numbers) }) as unknown as Embedder;

it.each([
  ['zeros', [0, 0]],
  ['NaN', [1, Number.NaN]],
  ['an infinity', [1, Number.POSITIVE_INFINITY]],
  ['too many numbers', [1, 0, 0]],
])('an embedder that answers a question with %s leaves it to the words', async (_name, numbers) => {
  expect(await embedQuery(answering(numbers), 'q', 1, log)).toEqual({ degraded: 'embedder_unreachable' });
});

it('takes what can be compared', async () => {
  expect(await embedQuery(answering([0, 1]), 'q', 1, log)).toEqual({ vector: Float32Array.from([0, 1]) });
});
