/**
 * Writes the new links of one file that a move concerns, after the move. Danger: the text was computed from a version
 * of the file that somebody may have replaced since; then it is computed anew from what is there, never written over it.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { Relocation } from '@vault-mcp/shared/vault/note/relocation';
import type { LeftLink } from '@vault-mcp/shared/vault/note/rewrite-links';
import { shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { NoteFile } from '@vault-mcp/shared/vault/read';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import { type LinkFollower, linkFollower } from './link-follower.ts';

/** What was known of the file when the move was planned. */
export interface PlannedFile {
  /** Before the move. */
  readonly path: VaultPath;
  readonly etagBefore: string;
  readonly etagAfter: string;
  /** The text that `etagAfter` is of, where it was kept, and the lines of its new links. */
  readonly textAfter?: string | undefined;
  readonly lines?: readonly number[] | undefined;
}

export interface FollowedFile {
  /** Links that have a new target. */
  readonly links: number;
  /** Links that are left, when the file is another version than the one planned from; else the plan has them. */
  readonly left: readonly LeftLink[];
  readonly etag: string;
}

/**
 * @param writer one that holds the file's path
 * @param computeAnew whether a file that is neither version of the plan may be rewritten: only by who knows that its
 * links have not followed yet, since following twice leads astray
 * @param follower works out the new text where it was not kept
 * @throws AppError what an edit throws; `locked` for such a file otherwise
 */
export async function followLinks(
  writer: VaultWriter,
  file: PlannedFile,
  relocation: Relocation,
  computeAnew: boolean,
  follower: LinkFollower = linkFollower,
): Promise<FollowedFile> {
  const path = relocation.movedTo(file.path);
  let outcome = { links: 0, left: [] as readonly LeftLink[] };
  const change = async (current: NoteFile | null): Promise<string> => {
    if (current === null) throw new AppError('not_found', `"${shown(path)}" is not there any more.`);
    outcome = { links: 0, left: [] };
    if (current.sha256 === file.etagAfter) return current.text;
    const isPlanned = current.sha256 === file.etagBefore;
    if (!isPlanned && !computeAnew) throw changedMeanwhile(path);
    if (isPlanned && file.textAfter !== undefined) {
      outcome = { links: file.lines?.length ?? 0, left: [] };
      return file.textAfter;
    }
    const followed = await follower.follow({ path: file.path, text: current.text }, relocation);
    outcome = { links: followed.changedLines.length, left: isPlanned ? [] : followed.left };
    return followed.text;
  };
  const target = path.toLowerCase().endsWith('.canvas') ? 'canvas' : 'note';
  const { etag } = await writer.edit(path, change, { mustExist: true, target });
  return { ...outcome, etag };
}

function changedMeanwhile(path: VaultPath): AppError {
  const message = `"${shown(path)}" was changed after the move began, so it cannot be told whether its links follow.`;
  return new AppError('locked', message);
}
