/**
 * Puts a file of any kind in place: raw material that a wiki keeps, and what callers keep beside the notes. Danger: no suffix
 * is asked for, so whoever calls says where such files may lie; and bytes that stand there already go only when that was
 * asked for, and only those that were looked at.
 */
import { AppError } from '../errors.ts';
import { fileVersion } from './file-version.ts';
import { sha256Hex } from './note/text.ts';
import { shown, type VaultPath } from './path.ts';
import { createFile, type PlaceContext, replaceFile, tempOf } from './place-file.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import { readFileBytes } from './read.ts';
import type { VaultStat } from './vault.ts';
import { writing } from './write-errors.ts';
import { checkTarget, requireFreeName, requireWritable, type Target } from './write-target.ts';

/** How often it is tried anew because another program changed what stands there meanwhile. */
const MAX_ATTEMPTS = 5;

/** `create`: other bytes that are there are refused; `append`: they stay, and these follow. */
export type PlaceMode = 'create' | 'overwrite' | 'append';

export interface PlaceFileOptions extends Preconditions {
  readonly mode: PlaceMode;
  /** Largest file, in bytes: also what it may have become by appending. */
  readonly maxBytes: number;
  /** Check everything, take no lock, change nothing. */
  readonly dryRun?: boolean | undefined;
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
  /** Where no index page is generated, `index.md` at the root is a file like any other. */
  readonly noIndexPage?: boolean | undefined;
}

export interface PlacedFile {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  /** `unchanged`: these very bytes were there already, or none were to be added. In a dry run what it would be. */
  readonly status: 'created' | 'replaced' | 'appended' | 'unchanged';
  /** Of all of it, after this call; in a dry run what it would be. */
  readonly etag: string;
  /** Of what was there; null when nothing was. */
  readonly etagBefore: string | null;
  /** Of all of it, in bytes. */
  readonly size: number;
  /** Folders made for it, outermost first; in a dry run those that would be. */
  readonly madeFolders: readonly VaultPath[];
  readonly dryRun: boolean;
}

/** A file to be placed: checked without its lock, and put there with it. */
export interface PlannedFile {
  /** Everything that can be told beforehand. @throws AppError */
  check(): Promise<Target>;
  /** Checks again and does it; the caller holds the path's lock unless it is a dry run. @throws AppError; nothing is changed then */
  run(): Promise<PlacedFile>;
}

export function plannedFile(
  context: PlaceContext,
  path: VaultPath,
  bytes: Uint8Array,
  options: PlaceFileOptions,
): PlannedFile {
  return {
    check: async () => (await lookAt(context, path, bytes, options)).target,
    run: () => attempts(context, path, bytes, options),
  };
}

interface Look {
  readonly target: Target;
  readonly outcome: PlacedFile;
  /** All of it as it is to be. */
  readonly content: Uint8Array;
  readonly there: { readonly stat: VaultStat } | null;
}

async function attempts(
  context: PlaceContext,
  path: VaultPath,
  bytes: Uint8Array,
  options: PlaceFileOptions,
): Promise<PlacedFile> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { outcome, content, there } = await lookAt(context, path, bytes, options);
    if (outcome.dryRun || outcome.status === 'unchanged') return outcome;
    const source = tempOf(content, context);
    const placed = await writing(outcome.path, () =>
      there === null
        ? createFile(context, outcome.path, source)
        : replaceFile(context, outcome.path, source, there.stat),
    );
    if (placed) return outcome;
  }
  const message = `Another program keeps changing "${shown(path)}". Nothing was changed here: try again in a moment.`;
  throw new AppError('locked', message);
}

/** What becomes of the bytes, by what is there now. @throws AppError */
async function lookAt(
  context: PlaceContext,
  path: VaultPath,
  bytes: Uint8Array,
  options: PlaceFileOptions,
): Promise<Look> {
  const { scope, mode, noIndexPage: indexPage = false } = options;
  const act = mode === 'overwrite' ? 'change' : 'add';
  const target = await checkTarget(context.vault, path, { act, creates: true, scope, indexPage });
  if (target.existing?.kind === 'folder') {
    throw new AppError('is_directory', `"${shown(target.path)}" is a folder: choose another name for the file.`);
  }
  requireFit(target.path, bytes.length, options.maxBytes);
  const there = await versionOf(context, target, options);
  checkPreconditions(target.path, there?.sha256 ?? null, options);
  if (there === null) await requireFreeName(context.vault, target);
  await requireWritable(target);
  const content = there?.bytes == null ? bytes : Buffer.concat([there.bytes, bytes]);
  requireFit(target.path, content.length, options.maxBytes);
  const etag = sha256Hex(content);
  const isSame = there?.sha256 === etag;
  if (there !== null && !isSame && mode === 'create') throw exists(target.path);
  const outcome: PlacedFile = {
    path: target.path,
    status: isSame ? 'unchanged' : there === null ? 'created' : mode === 'append' ? 'appended' : 'replaced',
    etag,
    etagBefore: there?.sha256 ?? null,
    size: content.length,
    madeFolders: target.missingFolders,
    dryRun: options.dryRun ?? false,
  };
  return { target, outcome, content, there };
}

/** The bytes only where more are to follow. */
async function versionOf(
  { vault }: PlaceContext,
  { existing }: Target,
  { mode, maxBytes }: PlaceFileOptions,
): Promise<{ readonly sha256: string; readonly stat: VaultStat; readonly bytes: Buffer | null } | null> {
  if (existing === null) return null;
  if (mode !== 'append') return { ...(await fileVersion(vault, existing)), bytes: null };
  const { bytes, stat } = await readFileBytes(vault, existing.path, { maxBytes });
  return { sha256: sha256Hex(bytes), stat, bytes };
}

function requireFit(path: VaultPath, size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  throw new AppError(
    'document_too_large',
    `"${shown(path)}" would have ${size} bytes, more than the ${maxBytes} that a file may have here: split it.`,
  );
}

function exists(path: VaultPath): AppError {
  return new AppError(
    'already_exists',
    `"${shown(path)}" is there already with other bytes: choose another name, or another mode.`,
  );
}
