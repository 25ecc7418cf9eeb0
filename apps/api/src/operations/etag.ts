/**
 * The etag of a file that is not read anyway: the hash of its bytes, taken from the index while its stat still fits,
 * else computed from the file and remembered. Danger: a wrong etag lets a write overwrite what its author never saw,
 * so every part of the stat must agree before a remembered hash is believed.
 */
import { createHash } from 'node:crypto';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { FileStat } from '@vault-mcp/shared/index-db/rows';
import { openFileStream } from '@vault-mcp/shared/vault/read';
import type { Located, Vault } from '@vault-mcp/shared/vault/vault';
import { indexedFile } from './indexed-file.ts';

/** Hashes remembered per vault; an image gallery asks for the same few again and again. */
const REMEMBERED = 2000;

interface RememberedHash {
  readonly stat: string;
  readonly sha256: string;
}

const rememberedByVault = new WeakMap<Vault, Map<string, RememberedHash>>();

/** Hex SHA-256 of the file's bytes. */
export async function etagOf(context: { vault: Vault; reader: IndexReader }, file: Located): Promise<string> {
  const stat = statKey(file.stat);
  const row = indexedFile(context.reader, file.path);
  if (row && row.sha256 !== '' && statKey(row.stat) === stat) return row.sha256;
  const remembered = rememberedHashes(context.vault);
  const known = remembered.get(file.path);
  if (known?.stat === stat) return known.sha256;
  const hash = createHash('sha256');
  const { stream } = await openFileStream(context.vault, file.path);
  for await (const bytes of stream) hash.update(bytes as Buffer);
  const sha256 = hash.digest('hex');
  remember(remembered, file.path, { stat, sha256 });
  return sha256;
}

/** Equal for the same file unchanged, as far as its stat can tell. */
export function statKey(stat: FileStat): string {
  return `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.inode}`;
}

function rememberedHashes(vault: Vault): Map<string, RememberedHash> {
  const existing = rememberedByVault.get(vault);
  if (existing) return existing;
  const created = new Map<string, RememberedHash>();
  rememberedByVault.set(vault, created);
  return created;
}

function remember(remembered: Map<string, RememberedHash>, path: string, entry: RememberedHash): void {
  remembered.delete(path);
  remembered.set(path, entry);
  const oldest = remembered.keys().next();
  if (remembered.size > REMEMBERED && !oldest.done) remembered.delete(oldest.value);
}
