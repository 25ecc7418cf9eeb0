/**
 * The one list of what no rebuild brings back, for backup and restore: where each record stands, and what its files may
 * be called in a backup. Danger: a record that is missing here is in no backup, so a new one belongs here the day it
 * comes. What is not here on purpose: the operator's key (a secret in clear; a new one is made), index and cache (made
 * again), locks, `server.json`, and the copies before an upgrade.
 */
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AUDIT_SCHEMA } from './audit.ts';
import { BackupError } from './backup-error.ts';
import { PROPOSAL_SCHEMA } from './proposals.ts';
import type { RecordSchema } from './versioned-database.ts';

/** Absolute paths, with links resolved. */
export interface RecordPlaces {
  readonly dataPath: string;
  readonly vaultPath: string;
  /** Where the agents' keys stand, or would. */
  readonly keysFile: string;
}

export type RecordName = 'audit' | 'memory' | 'journal' | 'discards' | 'agent-keys' | 'move-intents';

/** How a file is copied and judged: by SQLite, line by line, or as one JSON value. */
export type RecordForm =
  | { readonly kind: 'sqlite'; readonly applicationId: number }
  | { readonly kind: 'lines' }
  | { readonly kind: 'json' };

export interface RecordFile {
  /** In a backup, with `/` for the one folder there may be. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface RecordKind {
  readonly record: RecordName;
  readonly form: RecordForm;
  /** The newest version that this program knows. */
  readonly version: number;
  /** The names that its files may have in a backup; nothing else is one of its files. */
  readonly names: RegExp;
  /** The files that are there. @throws BackupError for what is no plain file; the file system's error */
  files(places: RecordPlaces): Promise<readonly RecordFile[]>;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The live file, those that were rotated away, and those that a restore or a sync program put beside them. */
const DISCARDS = /^\.(discarded[^/\\]*\.log|discarded\.log\.\d+)$/;

/**
 * In the order in which they are copied: a proposal that goes to the discards or a line that follows a proposal is
 * written there before it leaves where it was, so that in this order it may be in two copies, and never in none.
 */
export const RECORDS: readonly RecordKind[] = [
  databaseIn('audit', 'audit.db', AUDIT_SCHEMA),
  databaseIn('memory', 'memory.db', PROPOSAL_SCHEMA),
  inDataFolder('journal', 'journal.jsonl', 1, { kind: 'lines' }),
  {
    record: 'discards',
    form: { kind: 'lines' },
    version: 1,
    // Without the dot: whoever packs or copies a backup by `*` must not leave them behind.
    names: /^(discarded[^/\\]*\.log|discarded\.log\.\d+)$/,
    async files({ vaultPath }) {
      const names = (await readdir(vaultPath)).filter((name) => DISCARDS.test(name)).sort(byRotation);
      return Promise.all(names.map(async (name) => plainFile(name.slice(1), join(vaultPath, name), lstat)));
    },
  },
  {
    record: 'agent-keys',
    form: { kind: 'json' },
    version: 1,
    names: /^agent-keys\.json$/,
    files: ({ keysFile }) => fileIfThere('agent-keys.json', keysFile),
  },
  {
    record: 'move-intents',
    form: { kind: 'json' },
    version: 1,
    names: new RegExp(`^move-intents/${UUID}\\.json$`),
    async files({ dataPath }) {
      const folder = join(dataPath, 'move-intents');
      const names = await readdir(folder).catch(orWhenGone<string[]>([]));
      return names
        .map((name) => ({ name: `move-intents/${name}`, path: join(folder, name) }))
        .filter(({ name }) => this.names.test(name));
    },
  },
];

/** The kind that a file of a backup belongs to, by its record and name; undefined when no record has such a file. */
export function kindOf(record: string, name: string): RecordKind | undefined {
  return RECORDS.find((kind) => kind.record === record && kind.names.test(name));
}

function databaseIn(record: RecordName, name: string, { applicationId, upgrades }: RecordSchema): RecordKind {
  return inDataFolder(record, name, upgrades.length, { kind: 'sqlite', applicationId });
}

function inDataFolder(record: RecordName, name: string, version: number, form: RecordForm): RecordKind {
  const names = new RegExp(`^${name.replace('.', '\\.')}$`);
  return { record, form, version, names, files: ({ dataPath }) => fileIfThere(name, join(dataPath, name)) };
}

async function fileIfThere(name: string, path: string): Promise<RecordFile[]> {
  try {
    // Links are followed here: what stands in the data folder, and where the keys do, is the operator's to arrange.
    return [await plainFile(name, path, stat)];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function plainFile(name: string, path: string, look: typeof lstat): Promise<RecordFile> {
  if ((await look(path)).isFile()) return { name, path };
  throw new BackupError(`${path} is no plain file, so it is neither backed up nor replaced: move it away.`);
}

/** Oldest first: rotated files by their number, then the live one. */
function byRotation(a: string, b: string): number {
  const rank = (name: string) => Number(/\.log\.(\d+)$/.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);
  return rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(a) - rank(b);
}

function orWhenGone<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };
}
