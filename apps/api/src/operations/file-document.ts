/**
 * File a document: store its bytes, then wait a while for its text. Danger: the file is the caller's only copy by the
 * time this answers, so nothing that happens to its text, the index or the queue may make the call fail once it is
 * stored; what is not known yet is `pending`, with the reason.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { FileStat } from '@vault-mcp/shared/index-db/rows';
import { requireProperSize } from '@vault-mcp/shared/vault/incoming-document';
import { parseVaultPath, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { FiledDocument, Upload } from '@vault-mcp/shared/vault/write';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { type ExtractionFacts, extractedFrom } from './document-text.ts';
import { announceFiled, type IndexedState, waitingOf } from './index-news.ts';
import { type LinkedFrom, linkedFrom } from './linked-from.ts';
import { whyPending } from './pending-text.ts';
import { indexerProblem } from './status.ts';
import { recordChange, refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { dryRun, expectedEtag, MAX_WAIT_SECONDS } from './write-input.ts';

/** How long a call waits for the text unless it says otherwise, in seconds (the product's contract). */
const WAIT_SECONDS = 10;

const seconds = z.number().min(0).max(MAX_WAIT_SECONDS);

/** Said of every other `wait`. */
const WAITS = `must be the seconds to wait for its text, 0 to ${MAX_WAIT_SECONDS}, or "indexed"; for longer, ask for its ?map again and again`;
const isWaited = (wait: number): boolean => wait >= 0 && wait <= MAX_WAIT_SECONDS;

export const fileDocumentInput = z.strictObject({
  path: z.string().describe('The document; it lies directly in a folder for documents.'),
  overwrite: z.boolean().optional().describe('Replace other bytes that are there.'),
  must_not_exist: z.boolean().optional().describe('Fail with precondition_failed when something is there already.'),
  expected_etag: expectedEtag,
  dry_run: dryRun,
  wait: z
    .union([z.literal('indexed'), z.number().refine(isWaited, WAITS)], { error: WAITS })
    .optional()
    .describe('Seconds to wait for its text, or "indexed". Default 10.'),
  timeout: seconds.optional().describe('Seconds that "indexed" waits. Default 10.'),
});

type FileDocumentInput = z.infer<typeof fileDocumentInput>;

/** With who links to it, when it replaces another. */
interface StoredFacts extends Partial<LinkedFrom> {
  /** In the spelling on disk. */
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** `unchanged`: these very bytes were there already. In a dry run what it would be. */
  readonly status: FiledDocument['status'];
  /** The version after this call; in a dry run the one that is there, null when none is. */
  readonly etag: string | null;
  /** Folders made for it, outermost first. */
  readonly folders_made: readonly string[];
}

/** What is known of its text is absent in a dry run. */
export interface FilingAnswer extends StoredFacts, Partial<Omit<ExtractionFacts, 'detail'>> {
  /** What to know or do about its text; null when there is nothing to say. */
  readonly detail?: string | null;
  readonly indexed?: IndexedState;
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
}

/**
 * @throws AppError `out_of_scope`, `document_too_large`, `empty_document`, `invalid_path`, `unsupported_suffix`,
 * `wrong_parent_folder`, `is_directory`, `not_a_directory`, `precondition_failed`, `already_exists`, `locked`,
 * `insufficient_storage`, and whatever the upload's body throws; nothing is changed then
 */
export async function fileDocument(
  context: WriteContext,
  input: FileDocumentInput,
  request: WriteRequest,
  upload: Upload,
): Promise<FilingAnswer> {
  refuseWhenReadOnly(context);
  const { doc_max_bytes: maxBytes, doc_files_dir: folderName } = context.config.vault;
  const path = await pathBehindSize(context, input.path, upload, () => parseVaultPath(input.path));
  const filed = await context.writer.fileDocument(path, upload, {
    maxBytes,
    folderName,
    overwrite: input.overwrite,
    expectedEtag: input.expected_etag,
    ifNoneMatch: input.must_not_exist,
    dryRun: input.dry_run,
    scope: request.scope,
  });
  const { sha256, size, status } = filed;
  const facts = { path: filed.path, sha256, size, status, folders_made: filed.madeFolders };
  const linking = linkingTo(context, filed);
  if (filed.dryRun) return { ...facts, ...(await linking), etag: filed.etagBefore, dry_run: true };
  if (status !== 'unchanged') recordChange(context, 'file-document', request, [filed.path]);
  const [links, text] = await Promise.all([linking, extractedWithin(context, filed, input, request)]);
  return { ...facts, ...links, etag: sha256, ...text };
}

/**
 * A document's path, taken from how it was asked for. One that can be none is told only of a body that could be filed, like
 * every other refusal.
 *
 * @param asked for people, should the body be refused
 * @throws what `decode` throws; before that AppError `out_of_scope` (a read-only server), `document_too_large`, `empty_document`
 */
export async function pathBehindSize(
  context: WriteContext,
  asked: string,
  upload: Upload,
  decode: () => VaultPath,
): Promise<VaultPath> {
  try {
    return decode();
  } catch (refusal) {
    refuseWhenReadOnly(context);
    await requireProperSize(upload, { path: asked, maxBytes: context.config.vault.doc_max_bytes });
    throw refusal;
  }
}

/** Of other bytes than before, whoever links to them may have to know. Never throws. */
async function linkingTo(context: WriteContext, { path, status }: FiledDocument): Promise<Partial<LinkedFrom>> {
  return status === 'replaced' ? linkedFrom(context, [path]) : {};
}

/** Waits for the text as long as the caller wants to, and the document is there. Never throws: it was stored. */
async function extractedWithin(
  context: WriteContext,
  { path, sha256 }: FiledDocument,
  { wait, timeout }: FileDocumentInput,
  request: WriteRequest,
): Promise<Omit<FilingAnswer, keyof StoredFacts>> {
  const stat = await statOf(context, path);
  const now = () => (stat === null ? UNKNOWN : extractedFrom(context, path, { sha256, stat }).facts);
  const waiting = {
    wait: 'indexed',
    timeout: typeof wait === 'number' ? wait : (timeout ?? WAIT_SECONDS),
    ...waitingOf(request),
  } as const;
  let isDisplaced = false;
  const announced = await announceFiled(context, path, sha256, waiting, async () => {
    if (now().extraction !== 'pending') return true;
    isDisplaced = !isSameFile(stat, await statOf(context, path));
    return isDisplaced;
  });
  const indexed = isDisplaced && announced === 'indexed' ? 'queued' : announced;
  try {
    const { detail, ...facts }: ExtractionFacts = now();
    const isPending = facts.extraction === 'pending';
    if (isPending && isDisplaced) return { ...facts, detail: DISPLACED, indexed };
    return {
      ...facts,
      detail: isPending ? pendingDetail(context, sha256, indexed, detail) : (detail ?? null),
      indexed,
    };
  } catch (error) {
    context.log.warn({ err: error }, 'the index could not be asked for a document that was filed');
    return { ...UNKNOWN, detail: `${STORED} ${LATER}`, indexed };
  }
}

/** Null when another program has taken it away again. */
async function statOf({ vault }: WriteContext, path: VaultPath): Promise<FileStat | null> {
  try {
    return (await vault.locate(path, { hints: false })).stat;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Permissions and names of a file may change; these do when another takes its place. */
function isSameFile(one: FileStat | null, other: FileStat | null): boolean {
  return one?.inode === other?.inode && one?.size === other?.size && one?.mtimeMs === other?.mtimeMs;
}

const UNKNOWN = { extraction: 'pending', pages: null, has_text_layer: null, extracted_chars: 0 } as const;

const STORED = 'The document is stored.';
const DISPLACED = 'The document was stored, and since then replaced, moved or taken away: its text is not waited for.';
const LATER = 'Its text is extracted as soon as the indexer sees it: read it later.';

function pendingDetail(context: WriteContext, sha256: string, indexed: IndexedState, heldUp?: string): string {
  const problem = indexerProblem(context);
  if (problem !== null) return `${STORED} ${problem} ${LATER}`;
  if (indexed === 'deferred') return `${STORED} The indexer could not be told of it. ${LATER}`;
  return `${STORED} ${whyPending(context, sha256, heldUp)} GET it with ?map to see how far it is.`;
}
