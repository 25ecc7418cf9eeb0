import { AppError } from '@vault-mcp/shared/errors';
import fc from 'fast-check';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { readBytes } from './body-bytes.ts';
import type { HttpEnv } from './env.ts';
import { respondWithError } from './errors.ts';

const LIMIT = 64;
const app = new Hono<HttpEnv>();
app.onError(respondWithError);
app.post('/', async (c) => {
  const bytes = await readBytes(c, LIMIT, () => new AppError('note_too_large', 'Too much.'));
  return c.body(new Uint8Array(bytes));
});

function send(parts: readonly Uint8Array[], headers: Record<string, string> = {}, fault?: Error) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = parts[taken++];
        if (part !== undefined) controller.enqueue(part);
        else if (fault) controller.error(fault);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const answer = app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  return { answer: Promise.resolve(answer), taken: () => taken };
}

describe('the bytes of a body', () => {
  it('are those that came, however they were cut, up to the limit', async () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(parts, async (pieces) => {
        const sent = Buffer.concat(pieces);
        const answer = await send(pieces).answer;
        if (sent.length > LIMIT) expect(await answer.json()).toMatchObject({ code: 'note_too_large' });
        else expect(Buffer.from(await answer.arrayBuffer())).toEqual(sent);
      }),
    );
  });

  it('are not taken past the limit', async () => {
    const endless = Array.from({ length: 1000 }, () => new Uint8Array(10));
    const { answer, taken } = send(endless);
    expect((await answer).status).toBe(400);
    expect(taken()).toBe(7);
  });

  it('are not taken at all when there are said to be too many', async () => {
    const { answer, taken } = send([new Uint8Array(1)], { 'content-length': String(LIMIT + 1) });
    expect(await (await answer).json()).toMatchObject({ code: 'note_too_large' });
    expect(taken()).toBe(0);
  });

  it('are none when they end before their end', async () => {
    const { answer } = send([new Uint8Array(1)], {}, new Error('aborted'));
    expect(await (await answer).json()).toMatchObject({
      code: 'invalid_request',
      error: expect.stringMatching(/broke off/),
    });
  });
});
