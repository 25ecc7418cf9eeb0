/**
 * One request for raw material: its host's addresses are looked up once, all of them judged, and only those connected to.
 * Danger: a name may answer otherwise from one moment to the next, so the connection is never left to look it up again; and
 * what comes is counted as it comes, since a stated length is a claim.
 */
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '@vault-mcp/shared/errors';

export interface HostAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

export interface HopOptions {
  isPublic(address: string): boolean;
  /** All addresses of a host name. */
  lookup(host: string): Promise<readonly HostAddress[]>;
  /** Of the body, as it is sent. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export type HopAnswer =
  | { readonly bytes: Buffer; readonly contentType: string | null }
  /** As it was sent: it may be relative, and lead anywhere. */
  | { readonly location: string };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** As programs on this machine find a host: also by its own list of names. */
export function lookUpHost(host: string): Promise<readonly HostAddress[]> {
  return lookup(host, { all: true });
}

/** @throws AppError `invalid_value`, `document_too_large`; once the signal is aborted whatever was broken off */
export async function askOnce(url: URL, options: HopOptions): Promise<HopAnswer> {
  const addresses = await publicAddresses(url, options);
  const response = await unlessUnreachable(() => headersOf(url, addresses, options));
  try {
    const { statusCode = 0, headers } = response;
    if (REDIRECTS.has(statusCode) && headers.location !== undefined) return { location: headers.location };
    if (statusCode !== 200) throw refusedSource(`it answered ${statusCode}`);
    requirePlain(response);
    const bytes = await unlessUnreachable(() => bodyOf(response, options.maxBytes));
    return { bytes, contentType: headers['content-type'] ?? null };
  } finally {
    response.destroy();
  }
}

/** The refusal of a URL, with the rule it broke; what it led to stays unsaid. */
export function refusedSource(rule: string, cause?: unknown): AppError {
  return new AppError('invalid_value', `The URL was not fetched: ${rule}. Send its text as content instead.`, {
    cause,
  });
}

/** Every one of them, since the connection may be made to any. */
async function publicAddresses(url: URL, { isPublic, lookup, signal }: HopOptions): Promise<readonly HostAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await lookedUp(host, lookup, signal) : [{ address: host, family }];
  if (addresses.length === 0) throw refusedSource('its host has no address');
  if (!addresses.every(({ address }) => isPublic(address))) throw notPublic();
  return addresses;
}

function notPublic(): AppError {
  return refusedSource(
    'its host is not on the public internet (private, loopback and link-local addresses are refused)',
  );
}

async function lookedUp(
  host: string,
  lookup: HopOptions['lookup'],
  signal: AbortSignal,
): Promise<readonly HostAddress[]> {
  try {
    return await unlessAborted(lookup(host), signal);
  } catch (error) {
    throw signal.aborted ? error : refusedSource('its host has no address', error);
  }
}

/** A look-up cannot be broken off: only no longer waited for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function headersOf(
  url: URL,
  addresses: readonly HostAddress[],
  { isPublic, signal }: HopOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const asked = request(url, {
      agent: false, // no connection is shared, and none goes through a proxy
      lookup: answering(addresses),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'vault-mcp' },
      signal,
    });
    asked.once('socket', (socket) => {
      socket.once('connect', () => {
        if (!isPublic(socket.remoteAddress ?? '')) asked.destroy(notPublic());
      });
    });
    asked.once('response', resolve).once('error', reject).end();
  });
}

/** Looks nothing up: the addresses are those that were judged. */
function answering(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0);
  };
}

/** Unpacked bytes could be any number of times those that came. @throws AppError `invalid_value` */
function requirePlain({ headers }: IncomingMessage): void {
  const packed = headers['content-encoding'] ?? 'identity';
  const sent = headers['transfer-encoding'] ?? 'chunked';
  if (packed.trim().toLowerCase() === 'identity' && sent.trim().toLowerCase() === 'chunked') return;
  throw refusedSource('it answered with packed bytes, though plain ones were asked for');
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new AppError(
      'document_too_large',
      `The URL leads to more than ${maxBytes} bytes, the most that is fetched: send the part that matters as content.`,
    );
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) throw tooLarge();
    parts.push(part);
  }
  if (size === 0) throw refusedSource('it answered with nothing');
  return Buffer.concat(parts, size);
}

async function unlessUnreachable<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = typeof code === 'string' && /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
    throw refusedSource(`its host could not be reached, or broke off${reason}`, error);
  }
}
