/**
 * Read a file's own bytes, whole or a range: notes, documents, attachments. Danger: an attachment may be a script or
 * a page; the transport must serve the named type without letting a browser guess or run it.
 */
import type { Readable } from 'node:stream';
import { AppError } from '@vault-mcp/shared/errors';
import { type FileKind, parseVaultPath } from '@vault-mcp/shared/vault/path';
import { openFileStream } from '@vault-mcp/shared/vault/read';
import type { Located, Vault } from '@vault-mcp/shared/vault/vault';
import mime from 'mime';
import type { OperationContext } from '../context.ts';
import { type ByteRange, parseByteRange } from './byte-range.ts';
import { etagOf, statKey } from './etag.ts';

export interface RawRequest {
  readonly path: string;
  /** Value of a Range header, for example `bytes=0-999`. */
  readonly range?: string | undefined;
  /** Ends hashing a large file early; what is thrown then is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface RawFile {
  readonly path: string;
  readonly kind: FileKind;
  /** With `; charset=utf-8` for notes. */
  readonly content_type: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The part asked for; null = all of it. */
  readonly range: ByteRange | null;
  /** Bytes that `open` gives. */
  readonly length: number;
  readonly etag: string;
  readonly modified: Date;
  /** Opens the bytes; whoever calls it ends the stream. */
  open(): Promise<Readable>;
}

/** @throws AppError not_found, invalid_path, is_directory, range_not_satisfiable; `open`: locked (the file was replaced meanwhile) */
export async function readRaw(
  context: Pick<OperationContext, 'vault' | 'reader'>,
  input: RawRequest,
): Promise<RawFile> {
  const file = await context.vault.locate(parseVaultPath(input.path));
  if (file.kind === 'folder') {
    throw new AppError('is_directory', `"${file.path}" is a folder: list it, and read one of its files.`);
  }
  const { size, mtimeMs } = file.stat;
  const range = parseByteRange(input.range, size);
  return {
    path: file.path,
    kind: file.kind,
    content_type: contentTypeOf(file.path, file.kind),
    size,
    range,
    length: range === null ? size : range.end - range.start + 1,
    etag: await etagOf(context, file, input.signal),
    modified: new Date(mtimeMs),
    open: () => openUnchanged(context.vault, file, range),
  };
}

/** Length, range and etag were told of the file as it was: another one's bytes under them would be cut or mixed. */
async function openUnchanged(vault: Vault, file: Located, range: ByteRange | null): Promise<Readable> {
  const { stream, stat } = await openFileStream(vault, file.path, range ?? undefined);
  if (statKey(stat) === statKey(file.stat)) return stream;
  stream.destroy();
  throw new AppError('locked', `"${file.path}" is being changed just now: ask again.`);
}

function contentTypeOf(path: string, kind: FileKind): string {
  if (kind === 'note') return 'text/markdown; charset=utf-8';
  return mime.getType(path) ?? 'application/octet-stream';
}
