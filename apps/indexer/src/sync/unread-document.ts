/**
 * What the row of a document says while it is still to be read, or to be read to its end: that it waits, what holds it up, or
 * what a worker without OCR found in it. Pure. Danger: such a document is handed back again and again, so a row is only made
 * anew where it says something new: each one is parsed again, and tells whoever searches that the index has changed.
 */
import type { StoredFile } from '@vault-mcp/shared/index-db/file-store';
import { type ExtractionResult, keptText, LACKS_OCR, RETRIED_AT_START } from './extraction-result.ts';

/**
 * The digest of a row that was written for a document that came back: never one in force, so that each reconcile asks for it
 * again, and not empty, so that the row stays as it is meanwhile.
 */
export const HANDED_BACK = 'handed-back';

const PENDING = 'pending';
const HELD_UP = `${PENDING}: `;

/** How reasons begin that say something of workers, and of this machine, as they were before this program started. */
export const OF_BEFORE_START: readonly string[] = [...RETRIED_AT_START, HELD_UP];

export type UnreadRow =
  | { readonly change: 'none' }
  /** What a search can see of it stays as it is. */
  | { readonly change: 'reason'; readonly reason: string }
  /** `result`: what could be read of it so far, if anything. */
  | { readonly change: 'row'; readonly result: ExtractionResult | null; readonly heldUp?: string };

/**
 * @param stored the row that is there, if any
 * @param sha256 of the document as it is now
 * @param handedBack what a worker says that has just handed it back; undefined when nobody has
 */
export function unreadRow(
  stored: KnownRow | undefined,
  sha256: string,
  handedBack: ExtractionResult | undefined,
): UnreadRow {
  const own = stored?.sha256 === sha256 ? stored : undefined;
  const reason = own?.reason ?? '';
  const waits = own !== undefined && (own.digest === HANDED_BACK || (own.digest === '' && reason === PENDING));
  const came = handedBack?.sha256 === sha256 ? handedBack : undefined;
  const said = came === undefined ? null : whatCameSays(came, own, waits);
  if (said !== null) return said;
  // What is known of a document stays known and found while it is read anew, whatever keeps others from reading it.
  return waits || isFound(own) ? { change: 'none' } : { change: 'row', result: null };
}

/** @returns null where it says nothing that is not known, or nothing of what is */
function whatCameSays(came: ExtractionResult, own: KnownRow | undefined, waits: boolean): UnreadRow | null {
  const reason = own?.reason ?? '';
  if (needsOcr(came)) {
    const kept = own === undefined ? null : keptText(own, came);
    if (kept !== null) return reason === kept ? { change: 'none' } : { change: 'reason', reason: kept };
    if (came.pages !== undefined) return ifOther(reason, waits, `${came.status}: ${came.detail}`, came);
    return isReadInPart(own) ? lackingNow(reason, came.detail ?? '') : null;
  }
  if (came.retry === undefined || isReadInPart(own) || isFound(own)) return null;
  return heldUpBy(waits, reason, came.retry);
}

type KnownRow = Pick<StoredFile, 'sha256' | 'digest' | 'reason' | 'state'>;

/** Whether its row holds what could be read of it without OCR: then only who has OCR need open it. */
export function isReadInPart(stored: Pick<StoredFile, 'digest' | 'reason'> | undefined): boolean {
  return stored?.digest === HANDED_BACK && !(stored.reason ?? '').startsWith(HELD_UP);
}

/** Whether words find what was read of it, before other settings or another version made that stale. */
function isFound(stored: Pick<StoredFile, 'state'> | undefined): boolean {
  return stored?.state === 'indexed';
}

/** Of all that is handed back only this was opened, or need not be. */
function needsOcr({ status, interrupted }: ExtractionResult): boolean {
  return status !== 'failed' && interrupted !== true;
}

function ifOther(known: string, waits: boolean, reason: string, result: ExtractionResult): UnreadRow {
  return waits && known === reason ? { change: 'none' } : { change: 'row', result };
}

/** A worker did not open it, for it lacks what the row says, or something else by now. */
function lackingNow(known: string, lack: string): UnreadRow {
  const begin = LACKS_OCR.find((each) => known.startsWith(each));
  if (begin === undefined || lack === '' || known.startsWith(begin + lack)) return { change: 'none' };
  return { change: 'reason', reason: begin + lack };
}

function heldUpBy(waits: boolean, known: string, retry: string): UnreadRow {
  const reason = HELD_UP + retry;
  if (!waits) return { change: 'row', result: null, heldUp: retry };
  return known === reason ? { change: 'none' } : { change: 'reason', reason };
}
