/**
 * The short way to most files: a note of exactly this name, read without a wait. Danger: it explains nothing, so whatever is
 * not as plain as that (gone, a link, another spelling, too large, the index page) has to go the way that does.
 */
import { isIndexPagePath } from '@vault-mcp/shared/vault/index-page';
import { parseVaultPath, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { NoteFile } from '@vault-mcp/shared/vault/read';
import type { ReadAtOnce } from '@vault-mcp/shared/vault/read-at-once';
import type { PathRules } from './path-rules.ts';

export type NoteText = Pick<NoteFile, 'path' | 'text' | 'sha256' | 'stat'>;

export interface NoteAtOnceDeps {
  readonly readAtOnce: ReadAtOnce;
  readonly rules: PathRules;
  readonly noteMaxBytes: number;
}

/** @returns null for all that takes a closer look */
export function noteAtOnce({ readAtOnce, rules, noteMaxBytes }: NoteAtOnceDeps, raw: string): NoteText | null {
  if (rules.kindOf(raw) !== 'note' || isIndexPagePath(raw) || !rules.indexes(raw, 'note')) return null;
  return isCanonical(raw) ? readAtOnce(raw, { maxBytes: noteMaxBytes }) : null;
}

function isCanonical(raw: string): raw is VaultPath {
  try {
    return parseVaultPath(raw) === raw;
  } catch {
    return false;
  }
}
