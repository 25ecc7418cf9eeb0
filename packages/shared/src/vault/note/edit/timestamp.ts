/**
 * Sets the timestamp key that every content write sets, or says why it did not. Never an error: a note whose block is
 * missing or cannot be changed keeps its text, and the write goes on.
 */
import { AppError } from '../../../errors.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import type { Frontmatter } from '../model.ts';
import { setFrontmatterKey } from './frontmatter.ts';

export interface TimestampReport {
  readonly bumped: boolean;
  /** Why not; absent when it was. */
  readonly reason?: string;
}

/**
 * @param text the note's whole text
 * @param key the configured key; empty = never touch
 * @param now written in UTC, to the second, with `Z`
 * @param frontmatter the text's own, where that is known
 */
export function bumpTimestamp(
  text: string,
  key: string,
  now: Date,
  frontmatter: Frontmatter = parseFrontmatter(text),
): { text: string; timestamp: TimestampReport } {
  const kept = (reason: string) => ({ text, timestamp: { bumped: false, reason } });
  if (key === '') return kept('no timestamp key is configured');
  if (!frontmatter.present) return kept('the note has no frontmatter block');
  if (frontmatter.error !== undefined) return kept(`the frontmatter block cannot be read: ${frontmatter.error}`);
  try {
    const outcome = setFrontmatterKey({ text, frontmatter }, key, utcSeconds(now));
    return { text: outcome.text, timestamp: { bumped: true } };
  } catch (thrown) {
    if (thrown instanceof AppError) return kept(thrown.message);
    throw thrown;
  }
}

/** `2026-07-28T09:30:00Z`. */
function utcSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
