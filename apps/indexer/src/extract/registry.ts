/**
 * Which suffix is read by which extractor: the one place to add a format. Danger: extractors load big libraries that
 * parse hostile bytes, so they are imported on use, inside the extraction process only; nothing else calls `load`.
 */
import type { EXTRACTABLE_SUFFIXES } from '@vault-mcp/shared/config/sections/vault';
import { AppError } from '@vault-mcp/shared/errors';
import type { Extractor } from './extraction.ts';

type ExtractableSuffix = (typeof EXTRACTABLE_SUFFIXES)[number];

/** Complete by type: every suffix the configuration accepts. */
export const EXTRACTORS: Readonly<Record<ExtractableSuffix, () => Promise<Extractor>>> = {
  '.pdf': async () => (await import('./pdf.ts')).extractPdf,
};

function isExtractable(suffix: string): suffix is ExtractableSuffix {
  return Object.hasOwn(EXTRACTORS, suffix);
}

/**
 * The loader for a suffix, in any case.
 * @throws AppError unsupported_suffix
 */
export function extractorFor(suffix: string): () => Promise<Extractor> {
  const key = suffix.toLowerCase();
  if (isExtractable(key)) return EXTRACTORS[key];
  throw new AppError(
    'unsupported_suffix',
    `There is no text extractor for "${suffix}". Leave it out of vault.doc_suffixes; these can be read: ${Object.keys(EXTRACTORS).join(', ')}.`,
  );
}
