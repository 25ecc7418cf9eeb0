/**
 * What a move does to a file that links: its new text, the lines that change, what is left and why. Pure: whoever writes
 * it reads the file again under its lock and asks again if it is another one by then.
 */
import type { VaultPath } from '../path.ts';
import { baseReferences } from './base-references.ts';
import { rewriteCanvas } from './canvas-links.ts';
import type { Relocation } from './relocation.ts';
import { type RewrittenText, rewriteLinks } from './rewrite-links.ts';

/** A file whose links may be concerned: a note, a canvas or a base. */
export interface LinkingFile {
  /** Before the move. */
  readonly path: VaultPath;
  readonly text: string;
  /** Why the file may not be edited, such as bytes that are not UTF-8; its links are then reported instead. */
  readonly readOnly?: string;
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
