/**
 * Keep raw material for the wiki: a caller's text, or what a URL leads to, under a plain name in the wiki's raw folder, which
 * the index leaves out. Danger: whoever names a URL has this server call it, so nothing is fetched that could not be written,
 * and nothing but what memory/wiki/fetch-source lets through; and raw material is evidence, so none is ever overwritten.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { CommitOutcome } from '@vault-mcp/shared/records/git-commits';
import { parseVaultPath, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { PlacedFile } from '@vault-mcp/shared/vault/write';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { type FetchedSource, fetchSource, sourceUrl } from '../memory/wiki/fetch-source.ts';
import { fetchTurns } from '../memory/wiki/fetch-turns.ts';
import { isPublic } from '../memory/wiki/public-address.ts';
import { nameInUrl, numberedName, rawName } from '../memory/wiki/raw-name.ts';
import { lookUpHost } from '../memory/wiki/source-hop.ts';
import { recordChange, refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { dryRun } from './write-input.ts';

/** The most that is kept of one source, in bytes: a long book as text, or a page with everything on it. */
export const MAX_SOURCE_BYTES = 10 * 1024 * 1024;

/** For all of a fetch, its redirects included. */
const FETCH_MS = 30_000;

/** Of all callers; each waits for its turn no longer than one fetch may take. */
const inTurn = fetchTurns({ atOnce: 2, waitMs: FETCH_MS });

/** Tries at a name that other bytes have: whoever has kept as many under one name has not looked at them. */
const MAX_NUMBER = 1_000;

export const wikiIngestInput = z.strictObject({
  filename: z.string().min(1).max(500).optional().describe('Name to keep content under.'),
  url: z.string().min(1).max(4_096).optional().describe('http or https.'),
  content: z.string().optional().describe('The text; none: the URL is fetched.'),
  dry_run: dryRun,
});

type WikiIngestInput = z.infer<typeof wikiIngestInput>;

export interface WikiIngestAnswer {
  /**
   * `unchanged`: these very bytes were kept under that name already. In a dry run what it would be; `would_fetch`: a URL, and a
   * dry run fetches nothing.
   */
  readonly status: 'stored' | 'unchanged' | 'would_fetch';
  /** Of `would_fetch` what it would be at least: the source may add a suffix, another name or a number. */
  readonly path: string;
  /** Not of `would_fetch`. */
  readonly etag?: string;
  /** In bytes. Not of `would_fetch`. */
  readonly size?: number;
  /** Folders made for it, outermost first. */
  readonly folders_made: readonly string[];
  /** Absent where nothing was written. */
  readonly committed?: CommitOutcome;
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
}

/** Fetches what a caller's URL leads to. @throws AppError like fetchSource */
export type SourceFetcher = (url: URL, signal: AbortSignal) => Promise<FetchedSource>;

/** From the open internet, and from nowhere else. */
const fromInternet: SourceFetcher = (url, signal) =>
  fetchSource(url, { isPublic, lookup: lookUpHost, maxBytes: MAX_SOURCE_BYTES, timeoutMs: FETCH_MS, signal });

/**
 * @throws AppError `invalid_request` unless it is either a file name with content, or a URL; `invalid_value`,
 * `document_too_large`; `out_of_scope`, `invalid_path`, `locked`, `insufficient_storage`; nothing is changed then
 */
export async function wikiIngest(
  context: WriteContext,
  input: WikiIngestInput,
  request: WriteRequest,
  fetchFrom: SourceFetcher = fromInternet,
): Promise<WikiIngestAnswer> {
  refuseWhenReadOnly(context);
  const asked = askedFor(input);
  if (input.dry_run && asked instanceof URL) return wouldFetch(context, asked, request);
  const { name, bytes } = asked instanceof URL ? await fetched(context, asked, request, fetchFrom) : asked;
  const placed = await placeUnderFreeName(context, name, bytes, request, input.dry_run);
  const status = placed.status === 'unchanged' ? 'unchanged' : 'stored';
  const facts = { status, path: placed.path, etag: placed.etag, size: placed.size } as const;
  const answer = { ...facts, folders_made: placed.madeFolders };
  if (placed.dryRun) return { ...answer, dry_run: true };
  if (status === 'unchanged') return answer;
  recordChange(context, 'wiki-ingest', request, [placed.path]);
  return { ...answer, committed: await committed(context, placed.path, request) };
}

/** Never rejects. */
function committed({ commits }: WriteContext, path: VaultPath, { agent }: WriteRequest): Promise<CommitOutcome> {
  return commits.commit({ paths: [path], agent, message: `wiki-ingest ${path}` });
}

interface Material {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A URL: it has to be fetched. @throws AppError */
function askedFor({ filename, url, content }: WikiIngestInput): Material | URL {
  if ((filename === undefined) === (url === undefined)) {
    throw new AppError('invalid_request', 'Send either filename with content, or url.');
  }
  if (content !== undefined) return { name: rawName(filename ?? nameOfUrl(url ?? '')), bytes: bytesOf(content) };
  if (url === undefined) throw new AppError('invalid_request', 'Send content: the text to keep under that filename.');
  return sourceUrl(url);
}

/** It is not fetched, so it need not be one that could be. */
function nameOfUrl(url: string): string {
  return URL.canParse(url) ? nameInUrl(new URL(url)) : url;
}

function bytesOf(content: string): Uint8Array {
  if (!content.isWellFormed()) {
    throw new AppError('invalid_value', 'The text is not valid Unicode: it holds half of a character.');
  }
  if (content === '') throw new AppError('invalid_value', 'There is nothing to keep: content is empty.');
  return Buffer.from(content, 'utf8');
}

async function fetched(
  context: WriteContext,
  url: URL,
  request: WriteRequest,
  fetchFrom: SourceFetcher,
): Promise<Material> {
  await refuseWhatCannotBeKept(context, rawName(nameInUrl(url)), request);
  const signals = request.signal === undefined ? [] : [request.signal];
  const signal = AbortSignal.any([context.locks.closed, ...signals]);
  const { bytes, contentType, finalUrl } = await inTurn(() => fetchFrom(url, signal), signal);
  return { name: rawName(nameInUrl(url) || nameInUrl(finalUrl), contentType), bytes };
}

/** What can be said without asking anybody. @throws AppError where it could not be kept */
async function wouldFetch(context: WriteContext, url: URL, request: WriteRequest): Promise<WikiIngestAnswer> {
  const placed = await placeUnderFreeName(context, rawName(nameInUrl(url)), new Uint8Array(), request, true);
  return { status: 'would_fetch', path: placed.path, folders_made: placed.madeFolders, dry_run: true };
}

/** Nobody has this server call others for what it would not keep. @throws AppError */
async function refuseWhatCannotBeKept(context: WriteContext, name: string, request: WriteRequest): Promise<void> {
  try {
    await place(context, name, new Uint8Array(), request, true);
  } catch (error) {
    if (!isTaken(error)) throw error;
  }
}

/** @throws AppError `already_exists` when every name is taken by other bytes */
async function placeUnderFreeName(
  context: WriteContext,
  name: string,
  bytes: Uint8Array,
  request: WriteRequest,
  isDry = false,
): Promise<PlacedFile> {
  for (let number = 1; number <= MAX_NUMBER; number++) {
    try {
      return await place(context, numberedName(name, number), bytes, request, isDry);
    } catch (error) {
      // A folder that is there under a name in another case takes every name in it.
      if (!isTaken(error) || !(await isThere(context, rawFolder(context)))) throw error;
    }
  }
  throw new AppError('already_exists', `There are ${MAX_NUMBER} other sources by that name: choose another.`);
}

async function isThere({ vault }: WriteContext, folder: VaultPath): Promise<boolean> {
  try {
    await vault.locate(folder, { hints: false });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === 'already_exists';
}

function place(
  context: WriteContext,
  name: string,
  bytes: Uint8Array,
  { scope }: WriteRequest,
  isDry: boolean,
): Promise<PlacedFile> {
  return context.writer.placeFile(`${rawFolder(context)}/${name}` as VaultPath, bytes, {
    mode: 'create',
    maxBytes: MAX_SOURCE_BYTES,
    dryRun: isDry,
    scope,
  });
}

/** Where it is kept; config/complete leaves this folder out of the index. */
function rawFolder({ config }: WriteContext): VaultPath {
  return parseVaultPath(`${config.wiki.dir}/raw`);
}
