/**
 * Calls a running server of this data folder over HTTP with the stored key. Danger: the server may stop between two
 * calls, use another key, or be of another version, whose answers have other parts; each becomes one plain line that says
 * what to do, and what an older server does not tell of is left out.
 */
import type { ConsolidateAnswer } from '@vault-mcp/api/operations/consolidate';
import type { ReindexAnswer } from '@vault-mcp/api/operations/reindex';
import type { RestoreAnswer } from '@vault-mcp/api/operations/restore-discard';
import type { FoundAnswer } from '@vault-mcp/api/operations/search';
import type { StatusBody } from '@vault-mcp/api/operations/status';
import type { Config } from '@vault-mcp/shared/config/schema';
import { AppError, ERROR_STATUS, type ErrorCode } from '@vault-mcp/shared/errors';
import { keyOf } from './api-key.ts';
import { CliError, EXIT } from './exit-codes.ts';
import type { IndexProgress } from './indexing-progress.ts';
import { patientPost } from './patient-fetch.ts';
import { findRunningServer } from './server-json.ts';

const TIMEOUT_MS = 60_000;
/** Some clusters' worth of a chat model, each of which may take a minute. */
const CONSOLIDATION_TIMEOUT_MS = 10 * 60_000;

export interface ServerClient {
  readonly url: string;
  /** @param request the body of POST /search: what may be long, as a query may, fits no URL */
  search(request: object): Promise<FoundAnswer>;
  reindex(options: { rebuild: boolean }): Promise<ReindexAnswer>;
  restoreDiscard(n: number, how: object): Promise<RestoreAnswer>;
  consolidate(how: object): Promise<ConsolidateAnswer>;
  /** The body of /readyz, ready or not. */
  status(): Promise<ServerStatus>;
}

/** What every version tells, and what those of today tell besides. */
export type ServerStatus = Pick<StatusBody, 'index' | 'queue' | 'embedder' | 'watcher'> & Partial<StatusBody>;

/** The server that holds the data folder, if one runs. */
export async function connectToServer(config: Config, agent?: string): Promise<ServerClient | undefined> {
  const record = await findRunningServer(config.data.path);
  if (record === undefined) return undefined;
  const key = keyOf(config);
  if (key === undefined) throw keyMismatch(record.url);
  return createServerClient(record.url, key.value, { agent });
}

export interface ServerClientOptions {
  /** In whose name to ask; the operator's, unless given. */
  readonly agent?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

export function createServerClient(
  url: string,
  key: string,
  { agent, timeoutMs }: ServerClientOptions = {},
): ServerClient {
  const headers = {
    ...{ authorization: `Bearer ${key}`, accept: 'application/json', 'content-type': 'application/json' },
    ...(agent === undefined ? {} : { 'x-vault-agent': agent }),
  };
  const answered = async (
    send: () => Promise<Response>,
    accepted: readonly number[],
    late: string,
  ): Promise<object> => {
    const response = await request(new URL(url), send, late);
    if (response.status === ERROR_STATUS.unauthorized) throw keyMismatch(url);
    const body: unknown = await response.json().catch(() => undefined);
    if (!accepted.includes(response.status)) throw refusal(url, response.status, body);
    if (!isObject(body)) throw otherVersion(url, `${response.status} and nothing that can be read`);
    return body;
  };
  const call = (path: string, init: RequestInit, accepted: readonly number[] = [200]): Promise<object> => {
    const signal = AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS);
    return answered(() => fetch(new URL(path, url), { ...init, headers, redirect: 'error', signal }), accepted, LATE);
  };
  return {
    url,
    search: async (request) =>
      (await call('/search', { method: 'POST', body: JSON.stringify(request) })) as FoundAnswer,
    reindex: async (options) =>
      (await call('/reindex', { method: 'POST', body: JSON.stringify(options) })) as ReindexAnswer,
    restoreDiscard: async (n, how) =>
      (await call(`/memory/discards/${n}/restore`, { method: 'POST', body: JSON.stringify(how) })) as RestoreAnswer,
    async consolidate(how) {
      const signal = AbortSignal.timeout(timeoutMs ?? CONSOLIDATION_TIMEOUT_MS);
      const sent = { headers, body: JSON.stringify(how), signal };
      const send = () => patientPost(new URL('/memory/consolidate', url), sent);
      return (await answered(send, [200], STILL_AT_IT)) as ConsolidateAnswer;
    },
    async status() {
      const body = await call('/readyz', {}, [200, ERROR_STATUS.not_ready]);
      if (isStatus(body)) return body;
      // 503 is also what a refusal is answered with.
      throw 'code' in body ? refusal(url, ERROR_STATUS.not_ready, body) : otherVersion(url, 'no status of its index');
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isStatus(body: object): body is ServerStatus {
  const { index, queue, embedder, watcher } = body as Partial<ServerStatus>;
  return [index, queue, embedder, watcher].every(isObject);
}

/** The status in the form that waiting works on. */
export function progressOf({ index, queue, extraction, embedder }: ServerStatus): IndexProgress {
  const { state, error, notes, documents, quarantined, chunks, embedded, pending, failed, waiting = 0 } = index;
  return {
    state,
    error,
    waiting: filesWaiting(waiting, queue.depth),
    idle: queue.depth === 0 && waiting === 0,
    ...(extraction && {
      documents: { pending: extraction.pending, needsOcr: extraction.needs_ocr, reading: extraction.reading },
    }),
    counts: { notes, documents, quarantined, chunks, embedded, pending, failed },
    embedder: { ok: embedder.ok, provider: embedder.provider, model: embedder.model, error: embedder.error },
  };
}

/** The report is seconds old, the queue's depth is not: with jobs in it, no files reported may mean that some come. */
function filesWaiting(reported: number, queueDepth: number): number | null {
  if (reported > 0) return reported;
  return queueDepth === 0 ? 0 : null;
}

const LATE = 'did not answer in time; is it stopping? Try again';
const STILL_AT_IT = 'has not come to its end yet, and goes on: look later what it has done, without --write';

async function request(url: URL, send: () => Promise<Response>, late: string): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    const slow = error instanceof DOMException && error.name === 'TimeoutError';
    const what = slow ? late : 'cannot be reached; is it stopping? Try again';
    throw new CliError(EXIT.failed, `The server at ${url.origin} ${what}.`, { cause: error });
  }
}

function keyMismatch(url: string): CliError {
  return new CliError(
    EXIT.failed,
    `The server at ${url} was started with another key; set the same VAULT_MCP_API_KEY here, or restart it after a rotation.`,
  );
}

function refusal(url: string, status: number, body: unknown): Error {
  const { code, error } = (body ?? {}) as { code?: unknown; error?: unknown };
  if (typeof code === 'string' && code in ERROR_STATUS && typeof error === 'string') {
    return new AppError(code as ErrorCode, error);
  }
  return otherVersion(url, String(status));
}

function otherVersion(url: string, answered: string): CliError {
  return new CliError(
    EXIT.failed,
    `The server at ${url} answered ${answered}; is it a vault-mcp server of another version? Stop it, and start this one.`,
  );
}
