/**
 * Files a document: its bytes come to the disk under a temporary name while nobody is kept waiting, and get their own
 * under the path's lock. Danger: bytes that stand there already go only when that was asked for, and only those that were
 * looked at; and since a document comes from outside, the order of refusals (size, emptiness, path, suffix, scope,
 * parent, what is there) is part of the contract, whatever is known first.
 */
import { AppError } from '../errors.ts';
import { fileVersion } from './file-version.ts';
import {
  type DocumentLimit,
  digestUpload,
  type Received,
  receiveUpload,
  refuseStated,
  requireProperSize,
  type Upload,
} from './incoming-document.ts';
import { nameOf, parentOf, pathKey, shown, type VaultPath } from './path.ts';
import { createFile, type PlaceContext, replaceFile } from './place-file.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import type { Located, Vault, VaultStat } from './vault.ts';
import { writing } from './write-errors.ts';
import { requireDocumentSuffix } from './write-rules.ts';
import { checkTarget, namesIn, requireFreeName, requireWritable, type Target } from './write-target.ts';

/** How often it is tried anew because another program changed what stands there meanwhile. */
const MAX_ATTEMPTS = 5;

export interface FileDocumentOptions extends Preconditions {
  /** Largest document, in bytes; 0 = no limit. */
  readonly maxBytes: number;
  /** What the folder that holds it has to be called. */
  readonly folderName: string;
  /** Replace other bytes that are there. They are gone then, as with a note that is replaced. */
  readonly overwrite?: boolean | undefined;
  /** Check everything, read the bytes, take no lock, change nothing. */
  readonly dryRun?: boolean | undefined;
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
}

export interface FiledDocument extends Received {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  /** `unchanged`: these very bytes were there already. In a dry run what it would be. */
  readonly status: 'filed' | 'unchanged' | 'replaced';
  /** Of what was there; null when nothing was. */
  readonly etagBefore: string | null;
  /** Folders made for it, outermost first; in a dry run those that would be. */
  readonly madeFolders: readonly VaultPath[];
  readonly dryRun: boolean;
}

/** Does something while holding the path and the folders to be made for it. */
export type HoldNew = <T>(missingFolders: readonly VaultPath[], work: () => Promise<T>) => Promise<T>;

/** @throws AppError; nothing is changed then, and nothing left of the bytes that came */
export async function fileDocument(
  context: PlaceContext,
  path: VaultPath,
  upload: Upload,
  options: FileDocumentOptions,
  hold: HoldNew,
): Promise<FiledDocument> {
  const limit = { path, maxBytes: options.maxBytes };
  refuseStated(upload, limit);
  const target = await admitted(context, path, upload, options, limit);
  if (options.dryRun) return { ...(await plan(context, path, await digestUpload(upload, limit), options)).outcome };
  // The deepest folder that is there: those on the way are made once it is sure that something comes into them.
  const received = await writing(target.path, () => receiveUpload(context, target.base.path, upload, limit));
  try {
    const { missingFolders } = await checkDocument(context, path, options);
    return await hold(missingFolders, () => attempts(received, () => plan(context, path, received, options), context));
  } finally {
    await received.discard();
  }
}

/** Refuses whatever can be told before the bytes have come, unless they are to be refused for themselves. */
async function admitted(
  context: PlaceContext,
  path: VaultPath,
  upload: Upload,
  options: FileDocumentOptions,
  limit: DocumentLimit,
): Promise<Target> {
  try {
    const target = await checkDocument(context, path, options);
    if (options.expectedEtag !== undefined || options.ifNoneMatch) {
      checkPreconditions(target.path, (await versionOf(context, target.existing))?.sha256 ?? null, options);
    }
    if (target.existing === null) await requireFreeName(context.vault, target);
    await requireWritable(target);
    return target;
  } catch (refusal) {
    if (refusal instanceof AppError) await requireProperSize(upload, limit);
    throw refusal;
  }
}

/** Path, suffix, scope and parent. @throws AppError `is_directory`, `wrong_parent_folder`; like checkTarget */
async function checkDocument({ vault }: PlaceContext, path: VaultPath, options: FileDocumentOptions): Promise<Target> {
  const target = await checkTarget(vault, path, {
    act: 'change',
    creates: true,
    scope: options.scope,
    requireSuffix: (found) => requireDocumentSuffix(found, vault.docSuffixes),
  });
  await requireParent(vault, target, options.folderName);
  if (target.existing?.kind === 'folder') {
    throw new AppError('is_directory', `"${shown(target.path)}" is a folder: choose another name for the document.`);
  }
  return target;
}

/** A folder that is there counts in any case of its letters; one that is to be made gets the name as it is configured. */
async function requireParent(vault: Vault, { path, missingFolders }: Target, folderName: string): Promise<void> {
  const parent = nameOf(parentOf(path));
  const isRight =
    missingFolders.length > 0
      ? parent.normalize('NFC') === folderName.normalize('NFC')
      : pathKey(parent) === pathKey(folderName);
  if (isRight) return;
  const above = pathKey(parent) === pathKey(folderName) ? parentOf(parentOf(path)) : parentOf(path);
  const better = [above, await folderThere(vault, above, folderName), nameOf(path)]
    .filter((part) => part !== '')
    .join('/');
  throw new AppError(
    'wrong_parent_folder',
    `"${shown(path)}" was not filed: documents go directly into a folder named "${folderName}", which is made when it is missing. Use "${shown(better)}".`,
  );
}

/** The folder for documents, as it is spelled where there is one: no second is made beside it. */
async function folderThere(vault: Vault, above: VaultPath, folderName: string): Promise<string> {
  try {
    const names = await writing(above, () => namesIn(vault, above));
    if (names.includes(folderName)) return folderName;
    return names.find((name) => pathKey(name) === pathKey(folderName)) ?? folderName;
  } catch (error) {
    // Not there yet, or closed to us: the refusal at hand says more than that.
    if (error instanceof AppError) return folderName;
    throw error;
  }
}

interface Version {
  readonly sha256: string;
  readonly stat: VaultStat;
}

async function versionOf({ vault }: PlaceContext, existing: Located | null): Promise<Version | null> {
  return existing && fileVersion(vault, existing);
}

interface Plan {
  readonly outcome: FiledDocument;
  readonly there: Version | null;
}

/** What becomes of the bytes, by what is there now. @throws AppError */
async function plan(
  context: PlaceContext,
  path: VaultPath,
  { sha256, size }: Received,
  options: FileDocumentOptions,
): Promise<Plan> {
  const target = await checkDocument(context, path, options);
  const there = await versionOf(context, target.existing);
  checkPreconditions(target.path, there?.sha256 ?? null, options);
  if (there === null) await requireFreeName(context.vault, target);
  await requireWritable(target);
  const status = there === null ? 'filed' : there.sha256 === sha256 ? 'unchanged' : 'replaced';
  if (status === 'replaced' && !options.overwrite) throw exists(target.path);
  const facts = { path: target.path, sha256, size, status, etagBefore: there?.sha256 ?? null } as const;
  return { outcome: { ...facts, madeFolders: target.missingFolders, dryRun: options.dryRun ?? false }, there };
}

async function attempts(
  { source }: Pick<Awaited<ReturnType<typeof receiveUpload>>, 'source'>,
  look: () => Promise<Plan>,
  context: PlaceContext,
): Promise<FiledDocument> {
  let path: VaultPath | null = null;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { outcome, there } = await look();
    if (outcome.status === 'unchanged') return outcome;
    path = outcome.path;
    const placed = await writing(outcome.path, () =>
      there === null
        ? createFile(context, outcome.path, source)
        : replaceFile(context, outcome.path, source, there.stat),
    );
    if (placed) return outcome;
  }
  const message = `Another program keeps changing "${shown(path ?? '')}". Nothing was changed here: try again in a moment.`;
  throw new AppError('locked', message);
}

function exists(path: VaultPath): AppError {
  return new AppError(
    'already_exists',
    `"${shown(path)}" is there already with other bytes: choose another name, or add ?overwrite=true to replace it.`,
  );
}
