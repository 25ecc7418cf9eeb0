/**
 * The one writer of the index database: each method is one transaction, so that a crash leaves whole files indexed or
 * not at all. Danger: only the indexer may hold one (two writers would overwrite each other's view of the vault);
 * it is synchronous and belongs on a thread that answers no requests.
 */
import { EmbeddingStore } from './embedding-store.ts';
import { type FileRecord, FileStore, type StoredFile, type StoredNote } from './file-store.ts';
import { NoteVectorStore } from './note-vector-store.ts';
import { fileIdentity, isDamaged, openWritable, recreateTables, type Sqlite, setAside } from './open.ts';
import { PassStore } from './pass-store.ts';
import type { FileStat, IndexerStatus } from './rows.ts';
import { TABLES } from './schema.ts';

export interface BuildRecord {
  /** Behaviour digest of the rows: with another one in force, the text side is not complete. */
  readonly digest: string;
  /** ISO time. */
  readonly builtAt: string;
  readonly buildSeconds: number;
}

export interface IndexWriter {
  /** Why the tables were made anew at opening, or null when they were kept. */
  readonly fresh: string | null;
  /** Embedding states and vectors. */
  readonly embeddings: EmbeddingStore;
  /**
   * Replaces all that is stored of this path.
   * @param options.grouped true lets the commit wait for more of the same, at most GROUP_FILES or GROUP_MS: for reconciles,
   * where a commit per file costs more than the rows themselves. Without it the file is visible on return.
   */
  putFile(record: FileRecord, options?: { grouped?: boolean }): void;
  /** Commits what is grouped. @throws what the commit throws; the grouped files are then as they were before */
  flush(): void;
  /** Forgets this path; false when it was not there. `grouped` as for putFile. */
  removeFile(path: string, options?: { grouped?: boolean }): boolean;
  /** The same bytes under a new stat: nothing a search can see changes. */
  touchFile(path: string, stat: FileStat): void;
  /** Another reason of the same row: nothing a search can see changes. */
  explainFile(path: string, words: { readonly reason: string; readonly digest: string }): void;
  /** Makes the next reconcile look again at every file whose reason begins with `reason`; how many it would not have. */
  makeStale(reason: string, except?: string): number;
  storedFile(path: string): StoredFile | undefined;
  /** Paths of the documents that had these bytes when they were last looked at. */
  documentsWithBytes(sha256: string): string[];
  /** Stored paths below a folder. */
  storedBelow(folder: string): string[];
  /** Every stored file, read in pages so that the vault is never held whole. */
  storedFiles(): Generator<StoredFile>;
  /** Every note, in no order; what is grouped counts. */
  storedNotes(): StoredNote[];
  /** Grows with every change of a row. */
  generation(): number;
  /** When files came and went, in passes (see pass-store.ts); what is grouped is committed first. */
  readonly passes: Pick<PassStore, 'close' | 'current' | 'follow' | 'expectOwn'>;
  /** Writes what the indexer says of itself; readers see it at once. */
  publishStatus(status: IndexerStatus): void;
  /** Whether the file at the path is still the one being written: somebody may have deleted or replaced it. */
  isInPlace(): boolean;
  /** When the text side was last complete, as `rememberBuild` kept it; null when it never was. */
  lastBuild(): BuildRecord | null;
  rememberBuild(build: BuildRecord): void;
  /** Empties every table in one transaction, in place; a file too damaged for that is replaced by a new one. */
  wipe(): void;
  /** Folds the write-ahead log into the file and truncates it, and gives back what was kept in memory for the burst. */
  checkpoint(): void;
  close(): void;
}

/** Files in one grouped commit: with 256 storing 6 279 notes takes 0.83 of the time it takes with 64; 1 000 save little more. */
const GROUP_FILES = 256;
/** How long a grouped file may wait for its commit, in milliseconds: short for a person, long enough for most of a group. */
const GROUP_MS = 500;

/**
 * Opens the index for writing (see `openWritable` for when it starts afresh).
 * @param options.onGroupLost called when a grouped commit fails on its own (disk full, damage): its files have to be
 * looked at again
 */
export function openIndexWriter(path: string, options: { onGroupLost?: (error: unknown) => void } = {}): IndexWriter {
  return new SqliteIndexWriter(path, options.onGroupLost ?? (() => {}));
}

class SqliteIndexWriter implements IndexWriter {
  readonly fresh: string | null;
  embeddings: EmbeddingStore;
  readonly #path: string;
  #db: Sqlite;
  #files: FileStore;
  #passes: PassStore;
  #sql: ReturnType<typeof prepareStatements>;
  readonly #onGroupLost: (error: unknown) => void;
  #identity: string | null;
  #grouped = 0;
  #groupTimer: NodeJS.Timeout | null = null;

  constructor(path: string, onGroupLost: (error: unknown) => void) {
    const { db, fresh, prepared } = openPrepared(path);
    this.#path = path;
    this.#onGroupLost = onGroupLost;
    this.#db = db;
    this.fresh = fresh;
    this.#identity = fileIdentity(path);
    this.embeddings = prepared.embeddings;
    this.#files = prepared.files;
    this.#passes = prepared.passes;
    this.#sql = prepared.sql;
  }

  putFile(record: FileRecord, { grouped = false } = {}): void {
    this.#change(grouped, () => this.#files.replace(record));
  }

  flush(): void {
    if (this.#groupTimer) clearTimeout(this.#groupTimer);
    this.#groupTimer = null;
    this.#grouped = 0;
    if (!this.#db.inTransaction) return;
    try {
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#loseGroup(error);
      throw error;
    }
  }

  removeFile(path: string, { grouped = false } = {}): boolean {
    return this.#change(grouped, () => this.#files.remove(path));
  }

  touchFile(path: string, stat: FileStat): void {
    this.#files.touch(path, stat);
  }

  explainFile(path: string, { reason, digest }: { readonly reason: string; readonly digest: string }): void {
    this.#files.explain(path, reason, digest);
  }

  makeStale(reason: string, except?: string): number {
    return this.#files.makeStale(reason, except);
  }

  storedFile(path: string): StoredFile | undefined {
    return this.#files.stored(path);
  }

  documentsWithBytes(sha256: string): string[] {
    return this.#files.documentsWithBytes(sha256);
  }

  storedBelow(folder: string): string[] {
    return this.#files.below(folder);
  }

  storedFiles(): Generator<StoredFile> {
    return this.#files.all();
  }

  storedNotes(): StoredNote[] {
    return this.#files.notes();
  }

  generation(): number {
    return this.#files.generation();
  }

  get passes(): IndexWriter['passes'] {
    this.flush();
    return this.#passes;
  }

  publishStatus(status: IndexerStatus): void {
    this.#sql.setMeta.run('status', JSON.stringify(status));
  }

  isInPlace(): boolean {
    return fileIdentity(this.#path) === this.#identity;
  }

  lastBuild(): BuildRecord | null {
    const stored = this.#sql.getMeta.get('build')?.value;
    return stored === undefined ? null : (JSON.parse(stored) as BuildRecord);
  }

  rememberBuild(build: BuildRecord): void {
    this.flush();
    this.#sql.setMeta.run('build', JSON.stringify(build));
  }

  wipe(): void {
    try {
      if (!this.isInPlace()) throw new NotInPlaceError();
      this.flush();
      recreateTables(this.#db);
    } catch (error) {
      if (!isDamaged(error) && !(error instanceof NotInPlaceError)) throw error;
      this.#db.close();
      setAside(this.#path);
      this.#db = openWritable(this.#path).db;
      this.#identity = fileIdentity(this.#path);
    }
    const prepared = prepareAll(this.#db);
    this.embeddings = prepared.embeddings;
    this.#files = prepared.files;
    this.#passes = prepared.passes;
    this.#sql = prepared.sql;
  }

  checkpoint(): void {
    this.flush();
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    // The page cache is full of what the burst touched, and a quiet vault would keep it for days.
    this.#db.pragma('shrink_memory');
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#db.close();
    }
  }

  #change<T>(grouped: boolean, change: () => T): T {
    if (!grouped) {
      this.flush();
      return this.#db.transaction(change)();
    }
    this.#openGroup();
    let result: T;
    try {
      // No savepoint a file: each one makes FTS5 write out what it has gathered, and the group would save nothing.
      result = change();
    } catch (error) {
      this.#loseGroup(error);
      throw error;
    }
    if (++this.#grouped >= GROUP_FILES) this.#flushGroup();
    return result;
  }

  #loseGroup(error: unknown): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    this.#grouped = 0;
    this.#onGroupLost(error);
  }

  #openGroup(): void {
    if (this.#db.inTransaction) return;
    this.#db.exec('BEGIN');
    this.#groupTimer = setTimeout(() => this.#flushGroup(), GROUP_MS);
  }

  /** For callers whose own file is not to blame: the loss has been reported. */
  #flushGroup(): void {
    try {
      this.flush();
    } catch {
      // onGroupLost was told; the files are looked at again.
    }
  }
}

/** The file written so far is no longer at its path. */
class NotInPlaceError extends Error {}

/** Damage inside a table shows when it is first read: such a file is replaced like one that does not open. */
function openPrepared(path: string) {
  const { db, fresh } = openWritable(path);
  try {
    const prepared = prepareAll(db);
    for (const table of TABLES) db.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
    return { db, fresh, prepared };
  } catch (error) {
    db.close();
    if (!isDamaged(error) && !isSchemaBroken(error)) throw error;
    setAside(path);
    const { db: empty } = openWritable(path);
    return { db: empty, fresh: 'the index file was damaged', prepared: prepareAll(empty) };
  }
}

/** A virtual table over damaged pages fails as a plain SQL error. */
function isSchemaBroken(error: unknown): boolean {
  return /vtable constructor failed|no such (table|column)/.test((error as Error).message);
}

function prepareAll(db: Sqlite) {
  const noteVectors = new NoteVectorStore(db);
  const parts = { noteVectors, embeddings: new EmbeddingStore(db, noteVectors), passes: new PassStore(db) };
  return { ...parts, files: new FileStore(db, parts), sql: prepareStatements(db) };
}

function prepareStatements(db: Sqlite) {
  return {
    getMeta: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
  };
}
