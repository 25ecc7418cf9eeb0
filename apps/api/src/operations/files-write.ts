/**
 * Write a file beside the notes, in the folder that `files.root` names. Danger: that folder is no part of the vault, so
 * neither scopes by path nor the index know of it: who may write only parts of the vault may not write here at all.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { parseVaultPath, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import type { FilesFolder, WriteContext } from '../context.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { dryRun, expectedEtag } from './write-input.ts';

/** Largest file, in bytes: far more than anybody has a model write. */
const MAX_BYTES = 5 * 1024 * 1024;

export const filesWriteInput = z.strictObject({
  path: z.string().describe('In the folder for files.'),
  content: z.string().describe('Text.'),
  mode: z.enum(['create', 'overwrite', 'append']).optional().describe('Default create: refused when it is there.'),
  expected_etag: expectedEtag,
  dry_run: dryRun,
});

export interface FilesWriteAnswer {
  /** In the spelling on disk. */
  readonly path: string;
  /** `unchanged`: it held these very bytes already. In a dry run what it would be. */
  readonly status: 'created' | 'replaced' | 'appended' | 'unchanged';
  /** Of all of it, after this call; in a dry run what it would be. */
  readonly etag: string;
  /** Of all of it, in bytes. */
  readonly size: number;
  /** Folders made for it, outermost first. */
  readonly folders_made: readonly string[];
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
}

/**
 * @throws AppError `out_of_scope` (also where there is no such folder), `invalid_path`, `is_directory`, `not_a_directory`,
 * `invalid_value`, `document_too_large`, `already_exists`, `precondition_failed`, `locked`, `insufficient_storage`; nothing is
 * changed then
 */
export async function filesWrite(
  context: WriteContext,
  input: z.infer<typeof filesWriteInput>,
  request: WriteRequest,
): Promise<FilesWriteAnswer> {
  refuseWhenReadOnly(context);
  const { writer } = folderFor(context, request);
  if (!input.content.isWellFormed()) {
    throw new AppError('invalid_value', 'The text is not valid Unicode: it holds half of a character.');
  }
  const placed = await writer.placeFile(filePath(input.path), Buffer.from(input.content, 'utf8'), {
    mode: input.mode ?? 'create',
    maxBytes: MAX_BYTES,
    expectedEtag: input.expected_etag,
    dryRun: input.dry_run,
    noIndexPage: true,
  });
  const { path, status, etag, size, madeFolders: folders_made } = placed;
  return { path, status, etag, size, folders_made, ...(placed.dryRun ? { dry_run: true } : {}) };
}

/** @throws AppError `invalid_path`, also for what names a folder, of which a file would be made */
function filePath(raw: string): VaultPath {
  const path = parseVaultPath(raw, 'the folder for files (files.root)');
  if (!/\/\.{0,2}\s*$/.test(raw)) return path;
  throw new AppError('invalid_path', `"${shown(raw)}" names a folder: end it with the name of a file.`);
}

/** @throws AppError `out_of_scope` */
function folderFor({ filesFolder, vault }: WriteContext, { scope }: WriteRequest): FilesFolder {
  if (filesFolder === null) {
    throw new AppError('out_of_scope', 'No files are written here: files.root (FILES_ROOT) names no folder for them.');
  }
  // One of the vault's paths, or rights for parts of it, say nothing of what is outside.
  if (scope !== undefined || !vault.access.mayChangeAll('')) {
    throw new AppError('out_of_scope', 'The folder for files is open only to who may write the whole vault.');
  }
  return filesFolder;
}
