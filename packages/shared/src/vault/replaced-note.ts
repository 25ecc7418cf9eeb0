/**
 * What stands where a note is to be replaced whole. Danger: it may be larger than a note may be, and no text at all; then it
 * has a version all the same, and nothing else.
 */
import { AppError } from '../errors.ts';
import { fileVersion } from './file-version.ts';
import { decodeNote } from './note/text.ts';
import type { VaultPath } from './path.ts';
import { readLocatedBytes } from './read.ts';
import type { Located, Vault, VaultStat } from './vault.ts';

/** What stands where a note is to be replaced whole. */
export interface ReplacedNote {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  /** Hex; the etag. */
  readonly sha256: string;
  readonly stat: VaultStat;
  /** Null when it is larger than a note may be. */
  readonly bytes: Buffer | null;
  /** Null when it is no valid UTF-8, too. */
  readonly text: string | null;
}

/** What would be replaced; its bytes only as far as a note may have them. */
export async function readReplaced(vault: Vault, existing: Located, maxBytes: number): Promise<ReplacedNote> {
  try {
    return withText(await readLocatedBytes(vault, existing, { maxBytes }));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'note_too_large') throw error;
    return { path: existing.path, ...(await fileVersion(vault, existing)), bytes: null, text: null };
  }
}

/** Decoded when it is asked for: checking needs the version alone, and the index page is as long as the vault has notes. */
function withText<N extends { readonly bytes: Buffer }>(note: N): N & Pick<ReplacedNote, 'text'> {
  let text: string | null | undefined;
  return {
    ...note,
    get text() {
      if (text === undefined) {
        const decoded = decodeNote(note.bytes);
        text = decoded.validUtf8 ? decoded.text : null;
      }
      return text;
    },
  };
}
