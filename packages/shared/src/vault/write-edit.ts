/**
 * Changes or makes one note: read under the lock, checked, computed, written beside it, brought to the disk and renamed
 * over it. Danger: other programs hold no lock of ours, so just before the rename the note must still be the one that
 * was read; if not, all of it is done again. Look and rename are two system calls, and no one call does both: what is
 * saved in the microseconds between is replaced. Only who replaces a note whole may replace bytes that cannot be read.
 * A crash at any instant leaves the old or the new note, whole.
 */
import { AppError } from '../errors.ts';
import { decodeNote, encodeNote, sha256Hex } from './note/text.ts';
import { onlyAdds } from './only-adds.ts';
import { shown, type VaultPath } from './path.ts';
import { createFile, type PlaceContext, replaceFile, tempOf } from './place-file.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import { type NoteFile, readFileBytes, readLocatedNote } from './read.ts';
import { type ReplacedNote, readReplaced } from './replaced-note.ts';
import type { Located, Vault } from './vault.ts';
import { writing } from './write-errors.ts';
import { mayOnlyAdd } from './write-rights.ts';
import { requireNoteSuffix } from './write-rules.ts';
import {
  checkTarget,
  requireFreeName,
  requireInScope,
  requireWritable,
  type Target,
  type TargetRules,
} from './write-target.ts';

/** How often a change is computed anew because another program changed the note meanwhile. */
const MAX_ATTEMPTS = 5;

export interface WriteOptions extends Preconditions {
  /** Something there already is `already_exists`. */
  readonly mustNotExist?: boolean | undefined;
  /** Nothing there is `not_found`; without it the note and its folders are made. */
  readonly mustExist?: boolean | undefined;
  /** `add` where what is there is kept whole. Default `change`. */
  readonly act?: 'add' | 'change' | undefined;
  /** Check and compute everything, take no lock, change nothing. */
  readonly dryRun?: boolean | undefined;
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
  /** What may be written: a note (default); a canvas, whose links are kept; the root's generated index page. */
  readonly target?: 'note' | 'canvas' | 'index-page' | undefined;
}

/** A text is written as UTF-8. */
export type NewContent = string | Uint8Array;

/**
 * Computes a file's new content from what is there under the lock; null when nothing is. Throwing leaves everything as
 * it was. May be called again when another program changes the file meanwhile, so it must have no other effect.
 */
export type Change = (current: NoteFile | null) => NewContent | Promise<NewContent>;

/** Computes the content that replaces a note whole; else like Change. */
export type Replacement = (there: ReplacedNote | null) => NewContent | Promise<NewContent>;

export interface WriteResult {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  /** Of the new content: bare hex. In a dry run what it would be. */
  readonly etag: string;
  /** Of what the change was computed from; null when nothing was there. */
  readonly etagBefore: string | null;
  /** Null when nothing was there, or more than a note may hold. */
  readonly before: Buffer | null;
  readonly after: Buffer;
  readonly created: boolean;
  /** False when the new content is the old one: nothing was written then. */
  readonly changed: boolean;
  /** Folders made for it, outermost first; in a dry run those that would be. */
  readonly madeFolders: readonly VaultPath[];
  readonly dryRun: boolean;
}

export interface EditContext extends PlaceContext {
  /** Largest note read or written, in bytes; 0 = no limit. */
  readonly maxBytes: number;
}

/** What a path and its rules come to, whatever is there. @throws AppError */
async function checkEdit(context: EditContext, path: VaultPath, options: WriteOptions): Promise<Target> {
  const { vault } = context;
  const kind = options.target ?? 'note';
  const rules: TargetRules = {
    act: options.act ?? 'change',
    creates: !options.mustExist,
    scope: options.scope,
    indexPage: kind === 'index-page',
    requireSuffix: (found) => (kind === 'canvas' ? requireCanvas(found) : requireNoteSuffix(found, vault.docSuffixes)),
  };
  try {
    return await checkTarget(vault, path, rules);
  } catch (error) {
    throw error instanceof AppError && error.code === 'unsupported_suffix'
      ? await namingTheNote(vault, path, options.scope, error)
      : error;
  }
}

/** The refusal of a path without `.md`, with the note that was probably meant if it is there and may be written. */
async function namingTheNote(vault: Vault, path: VaultPath, scope: VaultPath | undefined, refusal: AppError) {
  try {
    const note = await vault.locate(`${path}.md` as VaultPath, { hints: false });
    requireInScope(note.path, scope);
    if (note.kind !== 'note' || vault.access.rightAt(note.path) === false) return refusal;
    return new AppError(refusal.code, `${refusal.message} There is "${shown(note.path)}": write that.`);
  } catch (error) {
    if (error instanceof AppError) return refusal;
    throw error;
  }
}

function requireCanvas(path: VaultPath): void {
  if (path.toLowerCase().endsWith('.canvas')) return;
  throw new AppError('unsupported_suffix', `"${shown(path)}" is no canvas: only its links could be rewritten.`);
}

/** A change of one note, to be checked without its lock and done with it. */
export interface PlannedWrite {
  /** Everything that can be told without computing the new content. @throws AppError */
  check(): Promise<Target>;
  /** Checks again and does it; the caller holds the path's lock unless it is a dry run. @throws AppError; nothing is changed then */
  run(): Promise<WriteResult>;
}

export function plannedEdit(
  context: EditContext,
  path: VaultPath,
  change: Change,
  options: WriteOptions,
): PlannedWrite {
  return planned(context, path, options, {
    read: (existing) => readCurrent(context.vault, existing, context.maxBytes),
    compute(current) {
      if (current !== null && !current.validUtf8) throw notUtf8(current.path);
      return change(current);
    },
  });
}

/** The same for a note that is replaced whole, whatever its bytes are. */
export function plannedReplace(
  context: EditContext,
  path: VaultPath,
  replacement: Replacement,
  options: WriteOptions,
): PlannedWrite {
  return planned(context, path, options, {
    read: (existing) => readReplaced(context.vault, existing, context.maxBytes),
    compute: replacement,
  });
}

/** How a change sees what is there, and what it makes of it. */
interface Computation<C> {
  read(existing: Located): Promise<C>;
  compute(current: C | null): NewContent | Promise<NewContent>;
}

type Seen = Pick<ReplacedNote, 'sha256' | 'stat' | 'bytes'>;

function planned<C extends Seen>(
  context: EditContext,
  path: VaultPath,
  options: WriteOptions,
  computation: Computation<C>,
): PlannedWrite {
  return {
    check: async () => (await lookAt(context, path, options, computation)).target,
    run: () => attempts(context, path, options, computation),
  };
}

async function attempts<C extends Seen>(
  context: EditContext,
  path: VaultPath,
  options: WriteOptions,
  computation: Computation<C>,
): Promise<WriteResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await attemptEdit(context, path, options, computation);
    if (result !== 'changed-meanwhile') return result;
  }
  const message = `Another program keeps changing "${shown(path)}". Nothing was changed here: try again in a moment.`;
  throw new AppError('locked', message);
}

/** What is there, once it may be changed. */
async function lookAt<C extends Seen>(
  context: EditContext,
  path: VaultPath,
  options: WriteOptions,
  { read }: Computation<C>,
): Promise<{ readonly target: Target; readonly current: C | null }> {
  const target = await checkEdit(context, path, options);
  const current = target.existing && (await read(target.existing));
  await checkExistence(context.vault, target, current?.sha256 ?? null, options);
  await requireWritable(target);
  return { target, current };
}

async function attemptEdit<C extends Seen>(
  context: EditContext,
  path: VaultPath,
  options: WriteOptions,
  computation: Computation<C>,
): Promise<WriteResult | 'changed-meanwhile'> {
  const { target, current } = await lookAt(context, path, options, computation);
  const after = newBytes(await computation.compute(current), target.path, context.maxBytes);
  if (current !== null) requireAllowed(context.vault, target.path, current.bytes, after);
  const etag = sha256Hex(after);
  const result: WriteResult = {
    path: target.path,
    etag,
    etagBefore: current?.sha256 ?? null,
    before: current?.bytes ?? null,
    after,
    created: current === null,
    changed: current?.sha256 !== etag,
    madeFolders: target.missingFolders,
    dryRun: options.dryRun ?? false,
  };
  if (result.dryRun || !result.changed) return result;
  const temp = tempOf(after, context);
  const written = await writing(target.path, () =>
    current === null ? createFile(context, target.path, temp) : replaceFile(context, target.path, temp, current.stat),
  );
  return written ? result : 'changed-meanwhile';
}

/** Whatever an edit calls itself. @throws AppError `out_of_scope` */
function requireAllowed({ access }: Vault, path: VaultPath, before: Buffer | null, after: Buffer): void {
  if (access.rightAt(path) !== 'append') return;
  if (before !== null && onlyAdds(decodeNote(before).text, decodeNote(after).text)) return;
  throw mayOnlyAdd(path);
}

async function readCurrent(vault: Vault, existing: Located, maxBytes: number): Promise<NoteFile> {
  if (existing.kind !== 'attachment') return readLocatedNote(vault, existing, { maxBytes });
  const { path, bytes, stat } = await readFileBytes(vault, existing.path, { maxBytes });
  return { path, bytes, ...decodeNote(bytes), sha256: sha256Hex(bytes), stat };
}

/** @param etag of what is there; null when nothing is */
async function checkExistence(vault: Vault, target: Target, etag: string | null, options: WriteOptions): Promise<void> {
  const { path } = target;
  checkPreconditions(path, etag, options);
  if (etag !== null && options.mustNotExist) {
    throw new AppError('already_exists', `"${shown(path)}" is there already: change it, or choose another name.`);
  }
  if (etag === null && options.mustExist) throw await missing(vault, path);
  if (etag === null) await requireFreeName(vault, target);
}

function notUtf8(path: VaultPath): AppError {
  return new AppError(
    'unreadable',
    `"${shown(path)}" is not valid UTF-8, so no edit could keep its bytes: it can be read, moved, deleted and replaced whole. Convert it first.`,
  );
}

/** The error that names what the caller may have meant. */
async function missing(vault: Vault, path: VaultPath): Promise<unknown> {
  return vault.locate(path).then(
    () => new AppError('locked', `"${shown(path)}" has only just been made: try again.`),
    (error: unknown) => error,
  );
}

function newBytes(content: NewContent, path: VaultPath, maxBytes: number): Buffer {
  if (typeof content === 'string' && !content.isWellFormed()) {
    throw new AppError('invalid_value', 'The text is not valid Unicode: it holds half of a character.');
  }
  const bytes = typeof content === 'string' ? encodeNote(content) : Buffer.from(content);
  if (maxBytes > 0 && bytes.length > maxBytes) {
    throw new AppError(
      'note_too_large',
      `"${shown(path)}" would have ${bytes.length} bytes, more than ${maxBytes}: split the note, or raise vault.note_max_bytes.`,
    );
  }
  return bytes;
}
