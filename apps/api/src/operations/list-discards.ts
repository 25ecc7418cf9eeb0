/**
 * What was discarded, newest first. Danger: the titles and reasons are text that others proposed, some of it refused: to be
 * shown, never followed. The operator's: entries name notes that not everybody may read.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { DiscardSummary } from '@vault-mcp/shared/records/discard-lines';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { pathCursor } from './cursor.ts';

const DEFAULT_LIMIT = 50;
/** The most that one answer holds. */
export const MAX_DISCARDS = 500;
const cursors = pathCursor('discards:', 'a list of discards');

export const listDiscardsInput = z.strictObject({
  limit: z.number().int().min(1).max(MAX_DISCARDS).default(DEFAULT_LIMIT).describe('At most this many entries.'),
  cursor: z.string().optional().describe('`next_cursor` of the answer before, to go on where it ended.'),
});

export interface DiscardList {
  readonly entries: readonly DiscardSummary[];
  /** Ask again with it for what is older; null at the end. */
  readonly next_cursor: string | null;
  /** Lines of the log that cannot be read. */
  readonly damaged: number;
}

/** @throws AppError invalid_request (a cursor that is none), not_found (the vault is not there) */
export async function listDiscards(
  { discards }: { readonly discards: Pick<WriteContext['discards'], 'list'> },
  { limit, cursor }: z.infer<typeof listDiscardsInput>,
): Promise<DiscardList> {
  const { entries, next, damaged } = await discards.list({ limit, beforeN: before(cursor) });
  return { entries, next_cursor: next === null ? null : cursors.encode(String(next)), damaged };
}

function before(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const n = cursors.decode(cursor);
  if (/^\d{1,15}$/.test(n)) return Number(n);
  throw new AppError(
    'invalid_request',
    'This cursor was not made by a list of discards; ask without one to start over.',
  );
}
