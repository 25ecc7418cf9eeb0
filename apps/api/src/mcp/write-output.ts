/**
 * What the answers of writing tools have in common, so that a field means the same in each and the listing stays short.
 * Danger: a client checks each answer against these, so a field that an operation may leave out is optional here.
 */
import { z } from 'zod';

/** Of every write. */
export const writeFields = {
  dry_run: z.boolean().optional(),
  shortened: z.array(z.string()).optional(),
};

export const foldersMade = z.array(z.string());

/** Of a deletion: where it is now, and what it left behind. Counts and reasons stand in the text and the answer. */
export const deletionOutput = z.looseObject({
  path: z.string(),
  trashed: z.string().nullable(),
  linked_from: z.array(z.string()).nullable().describe('Still link there; null: unknown'),
});

/**
 * What changing one note answers, as far as it is listed. The text says the rest, and so does the answer: a client holds it to
 * these fields, and takes others.
 */
export const noteWriteOutput = z.looseObject({
  path: z.string(),
  etag: z.string().nullable(),
  changed: z.boolean(),
  diff: z.string().optional(),
});
