/**
 * SHA-256 of a document's bytes, read as a stream: a scan of hundreds of megabytes must not be held in memory to be
 * told from another.
 */
import { createHash } from 'node:crypto';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { openFileStream } from '@vault-mcp/shared/vault/read';
import type { Vault } from '@vault-mcp/shared/vault/vault';

/** @returns hex digest; throws what opening the file throws */
export async function documentSha256(vault: Vault, path: VaultPath): Promise<string> {
  const hash = createHash('sha256');
  const { stream } = await openFileStream(vault, path);
  for await (const part of stream) hash.update(part as Buffer);
  return hash.digest('hex');
}
