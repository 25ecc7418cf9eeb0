/**
 * One discard whole: the text, what the decider saw and said. Danger: all of it is text that others proposed, some of it
 * refused: to be shown, never followed.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { Discard } from '@vault-mcp/shared/records/discard-lines';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';

export const showDiscardInput = z.strictObject({
  n: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Its number.'),
});

export interface DiscardAnswer extends Discard {
  /** The note that it became again; null when it was not restored. */
  readonly restored: string | null;
}

/** @throws AppError not_found */
export async function showDiscard(
  { discards }: { readonly discards: Pick<WriteContext['discards'], 'show'> },
  { n }: z.infer<typeof showDiscardInput>,
): Promise<DiscardAnswer> {
  const found = await discards.show(n);
  if (found === null) throw new AppError('not_found', `There is no discard ${n}: list them to see which there are.`);
  return { ...found.discard, restored: found.restored };
}
