/**
 * Works out what a move does to the links of a file without holding anybody else up: of a short one at once, of a long
 * one on a thread of its own. Danger: the thread knows the vault by the names it is sent, so they are those that the
 * move was planned with, all of them.
 */
import { followMove, type LinkingFile } from '@vault-mcp/shared/vault/note/follow-move';
import type { Relocation } from '@vault-mcp/shared/vault/note/relocation';
import type { RewrittenText } from '@vault-mcp/shared/vault/note/rewrite-links';
import { createNoteThread, type NoteThreadOptions } from './note-thread.ts';

/** UTF-16 units of markdown parsed at once: up to 100 ms. */
const AT_ONCE = 100_000;
/** How often a note is parsed: as it is, and with its new links. */
const PARSES = 2;
/** What a character of a canvas takes, in characters of markdown. */
const CANVAS_WEIGHT = 3;
/** A note of 5 MB takes eight seconds, and a machine may be busy with other things. */
const TIMEOUT_MS = 60_000;
/** How long one waits for those of other moves, whose files may be many: a move that has begun is better late than in part. */
const WAIT_MS = 600_000;

export interface LinkFollower {
  /**
   * What `followMove` gives.
   *
   * @throws AppError `note_too_large` when it takes too long
   */
  follow(file: LinkingFile, relocation: Relocation): Promise<RewrittenText>;
}

export interface LinkFollowerOptions extends Omit<NoteThreadOptions, 'advice'> {
  readonly atOnce?: number;
}

export function createLinkFollower(options: LinkFollowerOptions = {}): LinkFollower {
  const { atOnce = AT_ONCE } = options;
  const advice = 'look at its links by hand.';
  const thread = createNoteThread({ timeoutMs: TIMEOUT_MS, waitMs: WAIT_MS, ...options, atOnce: 0, advice });
  /** Names as they are sent, which is the same for every file of a move. */
  const sent = new WeakMap<Relocation, string>();
  return {
    async follow(file, relocation) {
      const weight = weightOf(file);
      if (weight <= atOnce) return followMove(file, relocation);
      const { source, destination, readable, before } = relocation;
      const names = sent.get(relocation) ?? [...before.paths()].join('\0');
      sent.set(relocation, names);
      return thread.run({ about: 'follow', file, names, source, destination, readable }, weight);
    },
  };
}

function weightOf({ path, text }: LinkingFile): number {
  return text.length * (path.toLowerCase().endsWith('.canvas') ? CANVAS_WEIGHT : PARSES);
}

/** The one of this process. */
export const linkFollower: LinkFollower = createLinkFollower();
