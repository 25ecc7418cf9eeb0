/** A client of the served vault that asks again while containers come and go. */

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface VaultCaller {
  readonly url: string;
  /** JSON of any call; rejects while nothing listens. */
  call(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Paths that a search finds, best first. */
  search(query: string): Promise<string[]>;
  /** Until it answers true; what it throws counts as not yet. @throws Error naming what was waited for */
  until(check: () => Promise<boolean>, what: string): Promise<void>;
  /** Until /readyz answers 200, and nothing waits to be indexed. */
  untilReady(): Promise<void>;
  /** Until the best hit of a query is this note. */
  untilFound(query: string, path: string): Promise<void>;
}

const UNTIL_MS = 90_000;
const CALL_MS = 30_000;

export function createCaller(url: string, key: string): VaultCaller {
  const call: VaultCaller['call'] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json', 'content-type': 'text/markdown' },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(CALL_MS),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const get = (path: string) => call('GET', path);
  const search = async (query: string) => {
    const { body } = await get(`/search?k=20&q=${encodeURIComponent(query)}`);
    return ((body.results ?? []) as { path: string }[]).map(({ path }) => path);
  };
  return {
    ...{ url, call, get, search, until },
    untilReady: () =>
      until(async () => {
        const { status, body } = await get('/readyz');
        return status === 200 && (body.index as { waiting: number }).waiting === 0;
      }, 'readiness'),
    untilFound: (query, path) => until(async () => (await search(query))[0] === path, `"${query}" to find ${path}`),
  };
}

async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + UNTIL_MS;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      if (await check()) return;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Gave up waiting for ${what}`, { cause: last });
}
