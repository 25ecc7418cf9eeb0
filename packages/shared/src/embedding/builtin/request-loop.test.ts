import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import type { BuiltinReply, BuiltinRequest } from './protocol.ts';
import { type SentenceModel, serveRequests } from './request-loop.ts';

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** Serves `embed` behind a real channel; replies come out of `next` in order. */
function serve(load: () => Promise<SentenceModel>) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  serveRequests(port1, 2, load);
  const replies: BuiltinReply[] = [];
  const waiting: ((reply: BuiltinReply) => void)[] = [];
  port2.on('message', (reply: BuiltinReply) => {
    const first = waiting.shift();
    if (first === undefined) replies.push(reply);
    else first(reply);
  });
  return {
    send: (request: BuiltinRequest) => port2.postMessage(request),
    next: () => {
      const ready = replies.shift();
      return ready === undefined
        ? new Promise<BuiltinReply>((resolve) => waiting.push(resolve))
        : Promise.resolve(ready);
    },
  };
}

const model = (embed: SentenceModel['embed']) => async () => ({ dims: 2, embed });

describe('the request loop', () => {
  test('answers the rows of a request in the order of its texts', async () => {
    const loop = serve(model((text) => Float32Array.of(Number(text), 0)));
    loop.send({ type: 'embed', id: 7, kind: 'documents', texts: ['1', '2', '3'] });
    expect(await loop.next()).toEqual({ type: 'vectors', id: 7, vectors: Float32Array.of(1, 0, 2, 0, 3, 0) });
  });

  test('lets a query wait for one text of a batch and no more', async () => {
    const order: string[] = [];
    const loop = serve(
      model(async (text) => {
        order.push(text);
        if (text === 'a') {
          loop.send({ type: 'embed', id: 2, kind: 'query', texts: ['query'] });
          // Room for the message to arrive while the first text is still being worked on.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return Float32Array.of(1, 0);
      }),
    );
    loop.send({ type: 'embed', id: 1, kind: 'documents', texts: ['a', 'b', 'c'] });
    expect((await loop.next()).id).toBe(2);
    expect((await loop.next()).id).toBe(1);
    expect(order).toEqual(['a', 'query', 'b', 'c']);
  });

  test('drops the rest of a cancelled request and answers the next one', async () => {
    const order: string[] = [];
    const loop = serve(
      model(async (text) => {
        order.push(text);
        if (text === 'a') {
          loop.send({ type: 'cancel', id: 1 });
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return Float32Array.of(1, 0);
      }),
    );
    loop.send({ type: 'embed', id: 1, kind: 'documents', texts: ['a', 'b'] });
    loop.send({ type: 'embed', id: 2, kind: 'documents', texts: ['c'] });
    expect((await loop.next()).id).toBe(2);
    expect(order).toEqual(['a', 'c']);
  });

  test('marks a text the model fails on, says why the first failed, and goes on with the others', async () => {
    const loop = serve(
      model((text) => {
        if (text.startsWith('bad')) throw new Error(`no room for ${text.length}`);
        return Float32Array.of(1, 0);
      }),
    );
    loop.send({ type: 'embed', id: 1, kind: 'documents', texts: ['bad', 'good', 'bad too'] });
    const { NaN: none } = Number;
    expect(await loop.next()).toMatchObject({
      vectors: Float32Array.of(none, none, 1, 0, none, none),
      problem: 'Error: no room for 3',
    });
    loop.send({ type: 'embed', id: 2, kind: 'documents', texts: ['good'] });
    expect(await loop.next()).not.toHaveProperty('problem');
  });

  test('says why the model cannot be loaded to everybody who waits, and tries again for the next', async () => {
    let broken = true;
    const loop = serve(async () => {
      if (broken) throw new Error('no weights');
      return { dims: 2, embed: () => Float32Array.of(1, 0) };
    });
    loop.send({ type: 'embed', id: 1, kind: 'documents', texts: ['a'] });
    expect(await loop.next()).toMatchObject({ type: 'failed', id: 1, reason: expect.stringContaining('no weights') });
    broken = false;
    loop.send({ type: 'embed', id: 2, kind: 'query', texts: ['a'] });
    expect(await loop.next()).toMatchObject({ type: 'vectors', id: 2 });
  });
});
