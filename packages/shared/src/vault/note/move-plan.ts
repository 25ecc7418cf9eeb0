/**
 * What a move does to the files that link: their new texts, how many links and files change, what is left and why.
 * Pure: whoever applies the plan reads each file again under its lock and asks `followMove` for that text, since the
 * one that was planned from may be out of date by then.
 */
import type { VaultPath } from '../path.ts';
import { baseReferences } from './base-references.ts';
import { rewriteCanvas } from './canvas-links.ts';
import type { Relocation } from './relocation.ts';
import { type LeftLink, type RewrittenText, rewriteLinks } from './rewrite-links.ts';

/** A file whose links may be concerned: a note, a canvas or a base. */
export interface LinkingFile {
  /** Before the move. */
  readonly path: VaultPath;
  readonly text: string;
  /** Why the file may not be edited, such as bytes that are not UTF-8; its links are then reported instead. */
  readonly readOnly?: string;
}

export interface FileChange {
  /** Before the move. */
  readonly path: VaultPath;
  readonly pathAfter: VaultPath;
  readonly text: string;
  readonly links: number;
}

export interface LeftInFile extends LeftLink {
  /** Where the file is after the move. */
  readonly path: VaultPath;
}

export interface MovePlan {
  readonly changes: readonly FileChange[];
  readonly linksUpdated: number;
  readonly notesUpdated: number;
  /** Links that would lead elsewhere, or nowhere, if none were rewritten. */
  readonly linksBreaking: number;
  readonly left: readonly LeftInFile[];
}

/** Plans over all files that link; files without a concerned link do no harm. */
export function planMove(files: Iterable<LinkingFile>, relocation: Relocation): MovePlan {
  const changes: FileChange[] = [];
  const left: LeftInFile[] = [];
  let linksBreaking = 0;
  for (const file of files) {
    const outcome = followMove(file, relocation);
    const pathAfter = relocation.movedTo(file.path);
    const links = outcome.changedLines.length;
    if (links > 0) changes.push({ path: file.path, pathAfter, text: outcome.text, links });
    linksBreaking += outcome.breaking;
    for (const one of outcome.left) left.push({ path: pathAfter, ...one });
  }
  const linksUpdated = changes.reduce((sum, { links }) => sum + links, 0);
  return { changes, linksUpdated, notesUpdated: changes.length, linksBreaking, left };
}

/** One file's text after the move; a file of a kind that holds no links comes back as it is. */
export function followMove(file: LinkingFile, relocation: Relocation): RewrittenText {
  const outcome = rewriteByKind(file, relocation);
  if (file.readOnly === undefined || outcome.changedLines.length === 0) return outcome;
  const kept = outcome.changedLines.map((line) => ({ line, reason: file.readOnly ?? '' }));
  return {
    text: file.text,
    changedLines: [],
    breaking: outcome.breaking,
    left: [...outcome.left, ...kept].sort((a, b) => a.line - b.line),
  };
}

function rewriteByKind({ path, text }: LinkingFile, relocation: Relocation): RewrittenText {
  const lower = path.toLowerCase();
  if (lower.endsWith('.md')) return rewriteLinks(text, path, relocation);
  if (lower.endsWith('.canvas')) return rewriteCanvas(text, path, relocation);
  const left = lower.endsWith('.base') ? baseReferences(text, path, relocation) : [];
  return { text, changedLines: [], breaking: 0, left };
}
