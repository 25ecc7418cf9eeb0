/**
 * What the cache holds of a file, believed only once it has been parsed. Danger: the cache may save time and must never
 * decide anything, so a payload that is damaged or of another shape is no payload, and nothing of it reaches a message.
 */
import type { IndexedChunk } from '@vault-mcp/shared/index-db/file-store';
import type { LinkRow } from '@vault-mcp/shared/index-db/rows';
import { JOBS } from '@vault-mcp/shared/queue/jobs';
import { z } from 'zod';
import type { ContentCache } from '../cache/cache.ts';
import type { FileDescription } from './describe-file.ts';
import type { ExtractionResult } from './extraction-result.ts';

const line = z.number().int().positive();

const indexedChunk: z.ZodType<IndexedChunk> = z.object({
  ordinal: z.number().int().nonnegative(),
  breadcrumb: z.string(),
  lineStart: line,
  lineEnd: line,
  text: z.string(),
  page: line.nullable(),
  terms: z.string(),
  textHash: z.string(),
});

const linkRow: z.ZodType<LinkRow> = z.object({
  form: z.string(),
  embed: z.boolean(),
  target: z.string(),
  heading: z.string().nullable(),
  block: z.string().nullable(),
  alias: z.string().nullable(),
  line,
});

const fileDescription: z.ZodType<FileDescription> = z.object({
  kind: z.enum(['note', 'document']),
  title: z.string(),
  description: z.string(),
  type: z.string().nullable(),
  tags: z.array(z.string()),
  supersededBy: z.string().nullable(),
  state: z.enum(['indexed', 'quarantined', 'no_text']),
  reason: z.string().nullable(),
  chunks: z.array(indexedChunk),
  links: z.array(linkRow),
});

/** @returns undefined when exactly these bytes at this path were not described by this behaviour, or not legibly */
export function cachedDescription(
  cache: ContentCache,
  path: string,
  sha256: string,
  digest: string,
): FileDescription | undefined {
  return parsed(fileDescription, cache.chunks(path, sha256, digest));
}

/** @returns undefined when these bytes were not extracted by any of these behaviours, or not legibly */
export function cachedExtraction(
  cache: ContentCache,
  sha256: string,
  digests: readonly string[],
): ExtractionResult | undefined {
  for (const digest of digests) {
    const found = parsed(JOBS['store-extraction'].payload, cache.extraction(sha256, digest));
    if (found) return found;
  }
  return undefined;
}

function parsed<T>(schema: z.ZodType<T>, payload: string | undefined): T | undefined {
  if (payload === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
