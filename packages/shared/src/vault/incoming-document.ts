/**
 * A document on its way in: counted and hashed as its bytes pass, and kept under a temporary name until it is known what
 * becomes of it. Danger: what a sender states of its length is a claim, so the limit counts what comes; and whatever
 * ends the way early (a limit, a broken connection, a full disk) leaves nothing behind.
 */
import { createHash } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { openFolder } from './open-leaf.ts';
import { shown, type VaultPath } from './path.ts';
import type { PlaceContext, TempSource } from './place-file.ts';
import { giveLikeness, writeTempFile } from './temp-files.ts';

/** The bytes of a document as they come, once. */
export interface Upload {
  /** Throws when the sender breaks off. Whoever stops early leaves the rest to whoever gave it. */
  readonly body: AsyncIterable<Uint8Array>;
  /** What the sender says will come, in bytes; null when it does not say. */
  readonly statedBytes: number | null;
}

/** What came, once it is all there. */
export interface Received {
  /** Hex; the etag. */
  readonly sha256: string;
  readonly size: number;
}

export interface ReceivedFile extends Received {
  /** The bytes, to be put somewhere on their file system. */
  readonly source: TempSource;
  /** Removes what has not been put anywhere, and gives back what was open. Call it exactly once, at the end. */
  discard(): Promise<void>;
}

/** What one document may be. */
export interface DocumentLimit {
  /** As it was asked for: it may be no path that there can be. */
  readonly path: string;
  /** Largest, in bytes; 0 = no limit. */
  readonly maxBytes: number;
}

/** @throws AppError `document_too_large`, `empty_document` by what the sender says, before a byte is read */
export function refuseStated({ statedBytes }: Upload, limit: DocumentLimit): void {
  if (statedBytes === null) return;
  if (isOver(statedBytes, limit)) throw tooLarge(limit);
  if (statedBytes === 0) throw empty(limit.path);
}

/**
 * Reads all of it and keeps none.
 *
 * @throws AppError `document_too_large`, `empty_document`; what the body throws
 */
export async function digestUpload(upload: Upload, limit: DocumentLimit): Promise<Received> {
  const measure = new Measure(limit);
  for await (const part of upload.body) measure.take(part);
  return measure.whole();
}

/**
 * Finds out whether it is too large or empty, of which a refusal for its path must not be told instead. As little is
 * read as that takes.
 *
 * @throws like digestUpload
 */
export async function requireProperSize(upload: Upload, limit: DocumentLimit): Promise<void> {
  if (upload.statedBytes !== null) return refuseStated(upload, limit);
  let size = 0;
  for await (const part of upload.body) {
    size += part.byteLength;
    if (isOver(size, limit)) throw tooLarge(limit);
    if (limit.maxBytes === 0 && size > 0) return;
  }
  if (size === 0) throw empty(limit.path);
}

/**
 * Brings all of it to the disk under a temporary name.
 *
 * @param folder where; the file may be put anywhere on the same file system
 * @throws like digestUpload; the file system's error. Nothing is left then
 */
export async function receiveUpload(
  { vault, locks }: PlaceContext,
  folder: VaultPath,
  upload: Upload,
  limit: DocumentLimit,
): Promise<ReceivedFile> {
  const measure = new Measure(limit);
  const opened = await openFolder(vault, folder);
  let path: string | null = null;
  const discard = async () => {
    try {
      if (path !== null) await rm(path, { force: true });
    } finally {
      await opened.close();
    }
  };
  try {
    path = await writeTempFile(opened, locks.owner, measure.passing(upload.body), null);
    return { ...measure.whole(), source: sourceOf(path, limit.path), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** It stays until it is discarded, since it may take more than one try to put it somewhere. */
function sourceOf(path: string, target: string): TempSource {
  return async (_folder, like) => {
    await lstat(path).catch((cause: unknown) => {
      const message = `The folder that "${shown(target)}" was coming into was removed meanwhile: send it again.`;
      throw new AppError('locked', message, { cause });
    });
    if (like !== null) await giveLikeness(path, like);
    return { path, discard: async () => {} };
  };
}

class Measure {
  readonly #hash = createHash('sha256');
  readonly #limit: DocumentLimit;
  #size = 0;

  constructor(limit: DocumentLimit) {
    this.#limit = limit;
  }

  take(part: Uint8Array): void {
    this.#size += part.byteLength;
    if (isOver(this.#size, this.#limit)) throw tooLarge(this.#limit);
    this.#hash.update(part);
  }

  async *passing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of body) {
      this.take(part);
      yield part;
    }
  }

  whole(): Received {
    if (this.#size === 0) throw empty(this.#limit.path);
    return { sha256: this.#hash.digest('hex'), size: this.#size };
  }
}

function isOver(size: number, { maxBytes }: DocumentLimit): boolean {
  return maxBytes > 0 && size > maxBytes;
}

function tooLarge({ path, maxBytes }: DocumentLimit): AppError {
  return new AppError(
    'document_too_large',
    `"${shown(path)}" was not filed: documents may have ${maxBytes} bytes here. Send a smaller one, or raise vault.doc_max_bytes.`,
  );
}

function empty(path: string): AppError {
  return new AppError(
    'empty_document',
    `"${shown(path)}" was not filed: no bytes came. Send the document as the body.`,
  );
}
