/**
 * Mends the links of one file that a survey found, or says what that would write. Danger: it is somebody's text: what is
 * there now must be what the survey was made from, and only the targets of links change.
 */
import { AppError } from '../errors.ts';
import { rewriteCanvas } from '../vault/note/canvas-links.ts';
import { canvasParts } from '../vault/note/canvas-parts.ts';
import { parseNote } from '../vault/note/parse.ts';
import { type LeftLink, type RewrittenText, rewriteLinks } from '../vault/note/rewrite-links.ts';
import { decodeNote, sha256Hex } from '../vault/note/text.ts';
import { shown } from '../vault/path.ts';
import { readFileBytes } from '../vault/read.ts';
import type { Vault } from '../vault/vault.ts';
import type { VaultWriter } from '../vault/write.ts';
import { asChange, type RepairKind } from './repair-judge.ts';
import type { ConcernedFile } from './survey.ts';

/** A link as it stands in the file and as it is to stand there: `[[Old#Part|text]]`, of a canvas `"file": "Old.md"`. */
export interface MendedLink {
  /** 1-based; null in a canvas, which has no lines that a person sees. */
  readonly line: number | null;
  readonly before: string;
  readonly after: string;
}

export interface Mending {
  readonly mended: readonly MendedLink[];
  /** Links that need a person, and why. */
  readonly left: readonly LeftLink[];
}

/**
 * What `mendFile` would do.
 *
 * @param maxBytes of a note that is looked at; 0 = no limit
 * @throws AppError `locked` when the file is another one by now; what reading it throws
 */
export async function proposeMending(
  vault: Vault,
  file: ConcernedFile,
  kinds: ReadonlySet<RepairKind>,
  maxBytes: number,
): Promise<Mending> {
  const { bytes } = await readFileBytes(vault, file.path, { maxBytes });
  const { text, validUtf8 } = decodeNote(bytes);
  if (!validUtf8) throw notUtf8(file);
  requireSame(file, sha256Hex(bytes));
  const rewritten = rewrite(text, file, kinds);
  return { mended: mendedLinks(text, rewritten, file), left: rewritten.left };
}

/**
 * @returns what was done, and the etag of the file after it
 * @throws AppError `locked` when the file is another one by now, or is held by somebody else; what an edit throws. Nothing
 * has changed then.
 */
export async function mendFile(
  writer: VaultWriter,
  file: ConcernedFile,
  kinds: ReadonlySet<RepairKind>,
): Promise<Mending & { readonly etag: string }> {
  let mending: Mending = { mended: [], left: [] };
  const target = isCanvas(file) ? 'canvas' : 'note';
  const { etag } = await writer.edit(
    file.path,
    (current) => {
      if (current === null) throw new AppError('not_found', `"${shown(file.path)}" is not there any more.`);
      requireSame(file, current.sha256);
      const rewritten = rewrite(current.text, file, kinds);
      mending = { mended: mendedLinks(current.text, rewritten, file), left: rewritten.left };
      return rewritten.text;
    },
    { mustExist: true, target },
  );
  return { ...mending, etag };
}

function rewrite(text: string, file: ConcernedFile, kinds: ReadonlySet<RepairKind>): RewrittenText {
  const { was, view } = file;
  if (!isCanvas(file)) return rewriteLinks(text, was, view, (link) => asChange(file.judge(link), kinds));
  if (!kinds.has('rename')) return { text, changedLines: [], breaking: 0, left: [] };
  // When the texts on its cards were written nobody knows: only the paths of its files say what they mean.
  return rewriteCanvas(text, was, view, () => ({ action: 'keep' }));
}

/** A rewrite changes nothing but targets, so the links before and after are the same, one by one. */
function mendedLinks(before: string, { text }: RewrittenText, file: ConcernedFile): MendedLink[] {
  if (text === before) return [];
  const [old, now] = isCanvas(file) ? [canvasPaths(before), canvasPaths(text)] : [linksIn(before), linksIn(text)];
  return old.flatMap(({ line, written }, index) => {
    const after = now[index]?.written ?? '';
    return written === after ? [] : [{ line, before: written, after }];
  });
}

interface Written {
  readonly line: number | null;
  readonly written: string;
}

function linksIn(text: string): Written[] {
  return parseNote(text).links.map(({ line, range }) => ({
    line,
    written: text.slice(range.from, range.to).trimEnd(),
  }));
}

/** Of the files on its cards and behind its groups. */
function canvasPaths(text: string): Written[] {
  return canvasParts(text).flatMap((part) =>
    part.key === 'text' ? [] : [{ line: null, written: `"${part.key}": ${JSON.stringify(part.path)}` }],
  );
}

function requireSame({ path, sha256 }: ConcernedFile, found: string): void {
  if (sha256 === null || sha256 === found) return;
  const message = `"${shown(path)}" has changed since it was indexed, so it cannot be told any more what its links meant.`;
  throw new AppError('locked', message);
}

function notUtf8({ path }: ConcernedFile): AppError {
  const message = `"${shown(path)}" is not valid UTF-8, so its links cannot be changed: convert it first.`;
  return new AppError('unreadable', message);
}

function isCanvas({ path }: ConcernedFile): boolean {
  return path.toLowerCase().endsWith('.canvas');
}
