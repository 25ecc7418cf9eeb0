/** Replaces ranges of a text at once, all offsets being into the text as it was. */
import type { TextRange } from './model.ts';

export interface TextEdit {
  readonly range: TextRange;
  readonly replacement: string;
}

/** Applies edits whose ranges do not overlap, given in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { range, replacement } of [...edits].sort((a, b) => a.range.from - b.range.from)) {
    parts.push(text.slice(copied, range.from), replacement);
    copied = range.to;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}
