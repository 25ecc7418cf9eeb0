/**
 * What a move is about to do, written down before it begins, so that the next start can complete one that a crash cut
 * short: one small file per move in `<data>/move-intents`. Danger: this is a record; nothing rebuilds it. It holds paths
 * and hashes, never the text of a note.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import type { ReadRules } from '../vault/access.ts';
import type { PathLocks } from '../vault/lock.ts';
import type { VaultPath } from '../vault/path.ts';
import { syncFolder } from '../vault/sync-folder.ts';
import { isDeadTemp, tempName } from '../vault/temp-files.ts';
import { writing } from '../vault/write-errors.ts';
import { RecordOpenError } from './record-open-error.ts';

/** Grows with every change of what a file means. */
const VERSION = 1;
const INTENT_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/;

const vaultPath = z.string().transform((path) => path as VaultPath);
const intentSchema = z.object({
  version: z.literal(VERSION),
  owner: z.string(),
  source: vaultPath,
  destination: vaultPath,
  kind: z.enum(['note', 'document', 'attachment', 'folder']),
  files: z.array(z.object({ path: vaultPath, etagBefore: z.string(), etagAfter: z.string() })),
  // Absent where an older version of this program wrote it.
  readable: z
    .array(z.object({ prefix: z.string(), read: z.boolean() }))
    .nullable()
    .default(null),
});

/** A file whose links follow. */
export interface IntendedFile {
  /** Before the move. */
  readonly path: VaultPath;
  /** Hex SHA-256 of its bytes before its links follow, and after. */
  readonly etagBefore: string;
  readonly etagAfter: string;
}

export interface MoveIntent {
  /** The uuid that the mover's locks carry: as long as it lives, the move is its own business. */
  readonly owner: string;
  readonly source: VaultPath;
  readonly destination: VaultPath;
  readonly kind: 'note' | 'document' | 'attachment' | 'folder';
  readonly files: readonly IntendedFile[];
  /** What the mover may read, since its links follow by what it sees; null for the whole vault. */
  readonly readable: ReadRules | null;
}

export interface MoveIntents {
  /**
   * Writes an intent to the disk.
   *
   * @returns the id to end it with
   * @throws AppError `insufficient_storage`; the file system's error
   */
  begin(intent: MoveIntent): Promise<string>;
  /** Forgets an intent: the move is done, or never began. Idempotent. */
  end(id: string): Promise<void>;
  /** Takes away what processes that are dead by now did not come to the end of writing: nothing of it had begun. */
  sweep(locks: Pick<PathLocks, 'isAlive'>): Promise<void>;
  /** Every intent that stands; one that cannot be read is set aside and logged. @throws RecordOpenError */
  standing(): Promise<{ readonly id: string; readonly intent: MoveIntent }[]>;
  /** Whether an intent still stands: another process may have completed it. */
  stands(id: string): Promise<boolean>;
}

export function openMoveIntents(dataPath: string, logger: Logger): MoveIntents {
  const folder = join(dataPath, 'move-intents');
  const fileOf = (id: string) => join(folder, `${id}.json`);
  return {
    async begin(intent) {
      const id = randomUUID();
      await writing('the data folder', async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const temp = join(folder, tempName(intent.owner));
        await writeDurably(temp, fileOf(id), JSON.stringify({ version: VERSION, ...intent }));
        await syncFolder(folder);
      });
      return id;
    },
    async end(id) {
      await rm(fileOf(id), { force: true });
      await syncFolder(folder);
    },
    async sweep(locks) {
      const dead = (await namesIn(folder)).filter((name) => isDeadTemp(name, locks));
      await Promise.all(dead.map((name) => rm(join(folder, name), { force: true })));
    },
    async standing() {
      const ids = (await namesIn(folder)).flatMap((name) => INTENT_FILE.exec(name)?.[1] ?? []);
      const read = await Promise.all(ids.map(async (id) => ({ id, intent: await readIntent(fileOf(id), logger) })));
      return read.flatMap(({ id, intent }) => (intent === null ? [] : [{ id, intent }]));
    },
    stands: async (id) => (await namesIn(folder)).includes(`${id}.json`),
  };
}

async function writeDurably(temp: string, path: string, text: string): Promise<void> {
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, path);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(orWhenGone<string[]>([]));
}

/** @returns null when it has just been ended, or is damaged */
async function readIntent(path: string, logger: Logger): Promise<MoveIntent | null> {
  const text = await readFile(path, 'utf8').catch(orWhenGone(null));
  if (text === null) return null;
  const stored = parseJson(text);
  const version = (stored as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > VERSION) {
    throw new RecordOpenError(`${path} was written by a newer version: start that one, or restore a backup.`);
  }
  const parsed = intentSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  logger.error({ file: path, err: parsed.error }, 'a move intent cannot be read and was set aside');
  await rename(path, `${path}.damaged`);
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function orWhenGone<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };
}
