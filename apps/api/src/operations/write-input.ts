/** The input fields that writing operations share, so that one name has one meaning and one description everywhere. */
import { z } from 'zod';

/** Longest wait for the index that a caller may ask for, in seconds. */
export const MAX_WAIT_SECONDS = 60;

export const notePath = z.string().describe('The note; it ends in ".md".');

/** Each operation says what it makes. */
export const createIfMissing = z.boolean().optional();

export const expectedEtag = z
  .string()
  .min(1)
  // In JSON an etag is bare; whoever copies it from a header or a sentence brings its quotes along.
  .overwrite((etag) => /^\s*"([^"]+)"\s*$/.exec(etag)?.[1] ?? etag)
  .optional()
  .describe('Your last etag of it: refused when it changed since.');

export const dryRun = z.boolean().optional().describe('Only show what would change.');

/** Of every write that the index follows. */
export const outcomeFields = {
  dry_run: dryRun,
  wait: z.enum(['indexed']).optional().describe('Answer once search knows.'),
  timeout: z.number().min(0).max(MAX_WAIT_SECONDS).optional().describe('Seconds to wait. Default 5.'),
};

/** Of every deletion. */
export const permanent = z.boolean().optional().describe('Delete for good, not into the trash.');
