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

/** Of every write that the index follows. */
export const indexedField = z.enum(['indexed', 'queued', 'deferred', 'excluded']).optional();

export const foldersMade = z.array(z.string());

/** Of a deletion. */
export const deletionFields = {
  permanent: z.boolean(),
  trashed: z.string().nullable(),
  linked_from: z.array(z.string()).nullable().describe('Still link there; null: unknown'),
  // As `links` has them, where their shapes are listed.
  degraded: z.unknown().optional(),
  left_out: z.unknown().optional(),
  indexed: indexedField,
  ...writeFields,
};

/** What changing one note answers. */
export const noteWriteOutput = z.object({
  path: z.string(),
  etag: z.string().nullable(),
  created: z.boolean(),
  changed: z.boolean(),
  folders_made: foldersMade,
  timestamp: z.object({ bumped: z.boolean(), reason: z.string().optional() }),
  indexed: indexedField,
  diff: z.string().optional(),
  ...writeFields,
});
