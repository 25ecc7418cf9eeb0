/**
 * The etag of a file that is not read anyway: the hash of its bytes, taken from the index while its stat still fits,
 * else computed from the file and remembered. Danger: a wrong etag lets a write overwrite what its author never saw,
 * so every part of the stat must agree before a remembered hash is believed.
 */
import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
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

/** A file that is being hashed, for everybody who asked meanwhile. */
interface RunningHash {
  readonly sha256: Promise<string>;
  readonly ending: AbortController;
  waiting: number;
}

interface VaultHashes {
  readonly remembered: Map<string, RememberedHash>;
  readonly running: Map<string, RunningHash>;
}

const hashesByVault = new WeakMap<Vault, VaultHashes>();

/**
 * Hex SHA-256 of the file's bytes. A file may be large: it is read once for all who ask at the same time, and only for
 * as long as one of them wants to know.
 *
 * @param signal whoever gives it up is thrown its reason
 */
export async function etagOf(
  context: { vault: Vault; reader: IndexReader },
  file: Located,
  signal?: AbortSignal,
): Promise<string> {
  const { vault, reader } = context;
  const stat = statKey(file.stat);
  const row = indexedFile(reader, file.path);
  if (row && row.sha256 !== '' && statKey(row.stat) === stat) return row.sha256;
  const hashes = hashesOf(vault.whole);
  const known = hashes.remembered.get(file.path);
  if (known?.stat === stat) return known.sha256;
  signal?.throwIfAborted();
  const key = `${stat} ${file.path}`;
  const running = hashes.running.get(key) ?? start(hashes, vault, file, key);
  running.waiting++;
  try {
    return await (signal === undefined ? running.sha256 : unlessAborted(running.sha256, signal));
  } finally {
    running.waiting--;
    if (running.waiting === 0) {
      running.ending.abort();
      // Whoever asks from now on starts anew.
      if (hashes.running.get(key) === running) hashes.running.delete(key);
    }
  }
}

function start({ running, remembered }: VaultHashes, vault: Vault, file: Located, key: string): RunningHash {
  const ending = new AbortController();
  const sha256 = hashOf(vault, file, ending.signal).then((hash) => {
    if (hash.stat === statKey(file.stat)) remember(remembered, file.path, hash);
    return hash.sha256;
  });
  // With nobody left to hear of it, its end is no failure.
  sha256.catch(() => undefined);
  const started = { sha256, ending, waiting: 0 };
  running.set(key, started);
  return started;
}

async function hashOf(vault: Vault, file: Located, signal: AbortSignal): Promise<RememberedHash> {
  const { stream, stat } = await openFileStream(vault, file.path);
  const hash = createHash('sha256');
  addAbortSignal(signal, stream);
  for await (const bytes of stream) hash.update(bytes as Buffer);
  return { stat: statKey(stat), sha256: hash.digest('hex') };
}

/** The promise, or the signal's reason if that comes first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Equal for the same file unchanged, as far as its stat can tell. */
export function statKey(stat: FileStat): string {
  return `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.inode}`;
}

function hashesOf(vault: Vault): VaultHashes {
  const existing = hashesByVault.get(vault);
  if (existing) return existing;
  const created: VaultHashes = { remembered: new Map(), running: new Map() };
  hashesByVault.set(vault, created);
  return created;
}

function remember(remembered: Map<string, RememberedHash>, path: string, entry: RememberedHash): void {
  remembered.delete(path);
  remembered.set(path, entry);
  const oldest = remembered.keys().next();
  if (remembered.size > REMEMBERED && !oldest.done) remembered.delete(oldest.value);
}
