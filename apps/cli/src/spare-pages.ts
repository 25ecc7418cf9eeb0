/**
 * Generated index pages of other spellings, looked for on the disk: without a server nobody has reported them. Danger: a page
 * that is kept no more still reads as a list of the notes, so whoever asks what is wrong has to hear of it.
 */
import type { Config } from '@vault-mcp/shared/config/schema';
import { AppError } from '@vault-mcp/shared/errors';
import { findIndexPage, pageSpellings } from '@vault-mcp/shared/vault/index-page-place';
import { openVault } from '@vault-mcp/shared/vault/vault';

/** @returns their paths; none where the server keeps no page, or a link or something unreadable stands in its place */
export async function sparePages({ catalog, vault: { path, doc_suffixes } }: Config): Promise<readonly string[]> {
  if (!catalog.enabled) return [];
  const vault = await openVault(path, { docSuffixes: doc_suffixes });
  try {
    return (await findIndexPage(vault, await pageSpellings(vault))).spare;
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
