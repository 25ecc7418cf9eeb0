/**
 * What becomes of a body that nobody reads, because its request was refused before all of it had come. Danger: a connection
 * that is closed while bytes still arrive is reset, and a client or proxy that is still sending then loses the answer that
 * stands on it already. So the answer goes out at once and whole, and the connection stays until the rest of the body has
 * come and was thrown away, within the bounds given here. An answer without a body of its own ends with its headers, and so
 * goes out only after the rest; so does one to a proxy, of which some (Caddy) hang up on their client once they have it
 * whole, whatever is still on its way. A stream of events is begun at once, and lasts in the same way.
 */
import type { IncomingMessage } from 'node:http';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { HttpEnv } from './env.ts';

export interface UnreadBounds {
  /** Taken in and thrown away, at most. */
  readonly bytes: number;
  /** Longest pause in which nothing comes, in milliseconds. */
  readonly pauseMs: number;
  /** From the answer on, in milliseconds. */
  readonly totalMs: number;
}

/** Twenty times the longest note of the default settings, which a disk or a network of today brings in seconds. */
const BOUNDS: UnreadBounds = { bytes: 128 * 1024 * 1024, pauseMs: 3_000, totalMs: 30_000 };

/**
 * Takes in the rest of a body and throws it away.
 * @returns whether it came to its end; false once a bound is met or the client is gone
 */
export function takeInRest(request: IncomingMessage, { bytes, pauseMs, totalMs }: UnreadBounds = BOUNDS) {
  return new Promise<boolean>((resolve) => {
    let taken = 0;
    const settle = (whole: boolean): void => {
      clearTimeout(pause);
      clearTimeout(total);
      request.off('data', take).off('end', onEnd).off('error', onGone).off('close', onGone);
      if (!whole) request.pause();
      resolve(whole);
    };
    const onEnd = (): void => settle(true);
    const onGone = (): void => settle(false);
    const take = (part: Buffer): void => {
      taken += part.byteLength;
      if (taken > bytes) settle(false);
      else pause.refresh();
    };
    const pause = setTimeout(onGone, pauseMs);
    const total = setTimeout(onGone, totalMs);
    if (request.readableEnded || request.destroyed) {
      settle(request.readableEnded);
      return;
    }
    // Who has stopped reading would only keep what comes now.
    request.removeAllListeners('data');
    request.on('data', take).once('end', onEnd).once('error', onGone).once('close', onGone).resume();
  });
}

/** Keeps the connection of an answer that comes before the end of its request's body, and closes it afterwards. */
export function outlastUnreadBodies(bounds?: UnreadBounds): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const request = c.env?.incoming;
    if (request === undefined || request.complete) return;
    const isLast = c.res.body === null || c.req.method === 'HEAD';
    if (isLast || (cameThroughProxy(c.req) && !isOfEvents(c.res))) {
      if (!(await takeInRest(request, bounds))) c.res.headers.set('Connection', 'close');
      return;
    }
    // With its length the client knows the answer's end before the connection's. Of events each is its own, and the end may
    // never come.
    const answer = c.res.headers.has('content-length') || isOfEvents(c.res) ? c.res : await measured(c.res);
    c.res = new Response(
      lasting(answer.body as ReadableStream<Uint8Array>, () => takeInRest(request, bounds)),
      answer,
    );
    c.res.headers.set('Connection', 'close');
  };
}

/** As each of the proxies in examples/reverse-proxy says. Whoever says it without being one waits for its own body. */
function cameThroughProxy(request: HonoRequest): boolean {
  return ['x-forwarded-for', 'forwarded', 'via'].some((name) => request.header(name) !== undefined);
}

function isOfEvents(answer: Response): boolean {
  return answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** The same, with the length that only files state by themselves. */
async function measured(answer: Response): Promise<Response> {
  const bytes = await answer.arrayBuffer();
  const { status, headers } = answer;
  const known = new Response(bytes, { status, headers });
  known.headers.set('Content-Length', String(bytes.byteLength));
  return known;
}

/** A stream that goes on after its last byte until something else has ended. */
function lasting(body: ReadableStream<Uint8Array>, until: () => Promise<unknown>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      await until();
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
