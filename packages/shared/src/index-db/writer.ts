/**
 * The one writer of the index database: each method is one transaction, so that a crash leaves whole files indexed or
 * not at all. Danger: only the indexer may hold one (two writers would overwrite each other's view of the vault);
 * it is synchronous and belongs on a thread that answers no requests.
 */

import { pathKey } from '../vault/path.ts';
import { EmbeddingStore } from './embedding-store.ts';
import { fileIdentity, isDamaged, openWritable, recreateTables, removeDatabase, type Sqlite } from './open.ts';
import type { Chunk, FileKind, FileStat, FileState, IndexerStatus, LinkRow } from './rows.ts';

/** A chunk ready to be stored: its terms joined with spaces, and the hash of the text it is embedded as. */
export interface IndexedChunk extends Chunk {
  readonly terms: string;
  readonly textHash: string;
}

/** Everything the index keeps of one file. */
export interface FileRecord {
  readonly path: string;
  readonly kind: FileKind;
  readonly sha256: string;
  readonly stat: FileStat;
  /** Behaviour version of what made the chunks: chunker, analyzer, extractor. */
  readonly digest: string;
  readonly title: string;
  readonly description: string;
  readonly type: string | null;
  readonly tags: readonly string[];
  readonly supersededBy: string | null;
  readonly state: FileState;
  readonly reason: string | null;
  readonly chunks: readonly IndexedChunk[];
  readonly links: readonly LinkRow[];
}

/** What reconcile compares with the disk. */
export interface StoredFile {
  readonly path: string;
  readonly sha256: string;
  readonly digest: string;
  readonly state: FileState;
  readonly stat: FileStat;
}

export interface BuildRecord {
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
   * @param options.grouped true lets the commit wait for more of the same, at most GROUP_FILES or GROUP_MS: for scans,
   * where a commit per file costs more than the rows themselves. Without it the file is visible on return.
   */
  putFile(record: FileRecord, options?: { grouped?: boolean }): void;
  /** Commits what is grouped. @throws what the commit throws; the grouped files are then as they were before */
  flush(): void;
  /** Forgets this path; false when it was not there. */
  removeFile(path: string): boolean;
  /** The same bytes under a new stat: nothing a search can see changes. */
  touchFile(path: string, stat: FileStat): void;
  /** Makes the next scan look again at every file without text whose reason begins with `reason`. */
  makeStale(reason: string): void;
  storedFile(path: string): StoredFile | undefined;
  /** Paths of the documents that had these bytes when they were last looked at. */
  documentsWithBytes(sha256: string): string[];
  /** Every stored file, read in pages so that the vault is never held whole. */
  storedFiles(): Generator<StoredFile>;
  /** Writes what the indexer says of itself; readers see it at once. */
  publishStatus(status: IndexerStatus): void;
  /** Whether the file at the path is still the one being written: somebody may have deleted or replaced it. */
  isInPlace(): boolean;
  /** When the text side was last complete, as `rememberBuild` kept it; null when it never was. */
  lastBuild(): BuildRecord | null;
  rememberBuild(build: BuildRecord): void;
  /** Empties every table in one transaction, in place; a file too damaged for that is replaced by a new one. */
  wipe(): void;
  /** Folds the write-ahead log into the file and truncates it. */
  checkpoint(): void;
  close(): void;
}

/** Files in one grouped commit. Measured on 6 279 notes: from 1 to 64 saves most of the time, more saves little. */
export const GROUP_FILES = 64;
/** How long a grouped file may wait for its commit, in milliseconds: short for a person, long enough for a full group. */
export const GROUP_MS = 250;

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
  #sql: ReturnType<typeof prepareStatements>;
  readonly #onGroupLost: (error: unknown) => void;
  #identity: string | null;
  #grouped = 0;
  #groupTimer: NodeJS.Timeout | null = null;

  constructor(path: string, onGroupLost: (error: unknown) => void) {
    const { db, fresh, sql } = openPrepared(path);
    this.#path = path;
    this.#onGroupLost = onGroupLost;
    this.#db = db;
    this.fresh = fresh;
    this.#sql = sql;
    this.#identity = fileIdentity(path);
    this.embeddings = new EmbeddingStore(db);
  }

  putFile(record: FileRecord, { grouped = false } = {}): void {
    if (!grouped) {
      this.flush();
      this.#db.transaction(() => this.#replaceRows(record))();
      return;
    }
    this.#openGroup();
    try {
      // No savepoint a file: each one makes FTS5 write out what it has gathered, and the group would save nothing.
      this.#replaceRows(record);
    } catch (error) {
      this.#loseGroup(error);
      throw error;
    }
    if (++this.#grouped >= GROUP_FILES) this.#flushGroup();
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

  removeFile(path: string): boolean {
    this.flush();
    return this.#db.transaction(() => {
      const removed = this.#removeRows(path);
      if (removed) this.#sql.nextGeneration.run();
      return removed;
    })();
  }

  touchFile(path: string, stat: FileStat): void {
    this.#sql.touch.run({ path, ...stat });
  }

  makeStale(reason: string): void {
    this.#sql.makeStale.run(reason, reason);
  }

  storedFile(path: string): StoredFile | undefined {
    const row = this.#sql.storedFile.get(path);
    return row && toStoredFile(row);
  }

  documentsWithBytes(sha256: string): string[] {
    return this.#sql.documentsWithBytes.all(sha256).map(({ path }) => path);
  }

  *storedFiles(): Generator<StoredFile> {
    // Pages by id instead of one open iterator: an iterator left open pins the write-ahead log (measured: 120 MB).
    let after = 0;
    for (;;) {
      const page = this.#sql.storedPage.all(after);
      for (const row of page) yield toStoredFile(row);
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
    }
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
      removeDatabase(this.#path);
      this.#db = openWritable(this.#path).db;
      this.#identity = fileIdentity(this.#path);
    }
    this.#sql = prepareStatements(this.#db);
    this.embeddings = new EmbeddingStore(this.#db);
  }

  checkpoint(): void {
    this.flush();
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#db.close();
    }
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

  #replaceRows(record: FileRecord): void {
    this.#removeRows(record.path);
    const fileId = Number(this.#sql.insertFile.run(fileColumns(record)).lastInsertRowid);
    for (const chunk of record.chunks) this.#insertChunk(fileId, chunk);
    record.links.forEach((link, ordinal) => {
      this.#sql.insertLink.run({ ...link, fileId, ordinal, embed: link.embed ? 1 : 0 });
    });
    for (const key of tagKeys(record.tags)) this.#sql.insertTag.run(key, fileId);
    this.#sql.nextGeneration.run();
  }

  #insertChunk(fileId: number, chunk: IndexedChunk): void {
    const embeddingId = this.embeddings.refer(chunk.textHash);
    const { lastInsertRowid } = this.#sql.insertChunk.run({
      fileId,
      embeddingId,
      ordinal: chunk.ordinal,
      breadcrumb: chunk.breadcrumb,
      lineStart: chunk.lineStart,
      lineEnd: chunk.lineEnd,
      text: chunk.text,
    });
    this.#sql.insertTerms.run(lastInsertRowid, chunk.terms);
  }

  #removeRows(path: string): boolean {
    const file = this.#sql.fileId.get(path);
    if (!file) return false;
    const chunks = this.#sql.chunkIds.all(file.id);
    for (const { id } of chunks) this.#sql.deleteTerms.run(id);
    this.#sql.deleteChunks.run(file.id);
    // After the chunks: an embedding may not go while one refers to it.
    for (const { embeddingId } of chunks) this.embeddings.release(embeddingId);
    this.#sql.deleteFile.run(file.id);
    return true;
  }
}

/** The file written so far is no longer at its path. */
class NotInPlaceError extends Error {}

/** Damage inside a table shows when its statements are prepared: such a file is replaced like one that does not open. */
function openPrepared(path: string) {
  const { db, fresh } = openWritable(path);
  try {
    return { db, fresh, sql: prepareStatements(db) };
  } catch {
    db.close();
    removeDatabase(path);
    const { db: empty } = openWritable(path);
    return { db: empty, fresh: 'the index file was damaged', sql: prepareStatements(empty) };
  }
}

function fileColumns(record: FileRecord): Record<string, unknown> {
  const { chunks: _chunks, links: _links, stat, tags, ...columns } = record;
  return { ...columns, ...stat, pathKey: pathKey(record.path), tags: JSON.stringify(tags) };
}

/** `project/house` is found by `project` too, as Obsidian's tag search does it. */
function tagKeys(tags: readonly string[]): Set<string> {
  const keys = new Set<string>();
  for (const tag of tags) {
    const segments = pathKey(tag).split('/');
    for (let length = 1; length <= segments.length; length++) keys.add(segments.slice(0, length).join('/'));
  }
  return keys;
}

type StoredRow = Omit<StoredFile, 'stat'> & FileStat & { id: number };

function toStoredFile(row: StoredRow): StoredFile {
  const { path, sha256, digest, state, size, mtimeMs, ctimeMs, inode } = row;
  return { path, sha256, digest, state, stat: { size, mtimeMs, ctimeMs, inode } };
}

const STORED_COLUMNS = 'id, path, sha256, digest, state, size, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs, inode';

function prepareStatements(db: Sqlite) {
  return {
    insertFile: db.prepare(
      `INSERT INTO file (path, path_key, kind, sha256, size, mtime_ms, ctime_ms, inode, digest, title, description, type, tags, superseded_by, state, reason)
       VALUES (@path, @pathKey, @kind, @sha256, @size, @mtimeMs, @ctimeMs, @inode, @digest, @title, @description, @type, @tags, @supersededBy, @state, @reason)`,
    ),
    fileId: db.prepare<[string], { id: number }>('SELECT id FROM file WHERE path = ?'),
    deleteFile: db.prepare('DELETE FROM file WHERE id = ?'),
    touch: db.prepare(
      'UPDATE file SET size = @size, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs, inode = @inode WHERE path = @path',
    ),
    storedFile: db.prepare<[string], StoredRow>(`SELECT ${STORED_COLUMNS} FROM file WHERE path = ?`),
    makeStale: db.prepare("UPDATE file SET digest = '' WHERE state = 'no_text' AND substr(reason, 1, length(?)) = ?"),
    documentsWithBytes: db.prepare<[string], { path: string }>(
      "SELECT path FROM file WHERE kind = 'document' AND sha256 = ?",
    ),
    storedPage: db.prepare<[number], StoredRow>(
      `SELECT ${STORED_COLUMNS} FROM file WHERE id > ? ORDER BY id LIMIT 1000`,
    ),
    insertChunk: db.prepare(
      `INSERT INTO chunk (file_id, ordinal, breadcrumb, line_start, line_end, text, embedding_id)
       VALUES (@fileId, @ordinal, @breadcrumb, @lineStart, @lineEnd, @text, @embeddingId)`,
    ),
    chunkIds: db.prepare<[number], { id: number; embeddingId: number }>(
      'SELECT id, embedding_id AS embeddingId FROM chunk WHERE file_id = ?',
    ),
    deleteChunks: db.prepare('DELETE FROM chunk WHERE file_id = ?'),
    insertTerms: db.prepare('INSERT INTO chunk_terms (rowid, terms) VALUES (?, ?)'),
    deleteTerms: db.prepare('DELETE FROM chunk_terms WHERE rowid = ?'),
    insertLink: db.prepare(
      `INSERT INTO link (file_id, ordinal, form, embed, target, heading, block, alias, line)
       VALUES (@fileId, @ordinal, @form, @embed, @target, @heading, @block, @alias, @line)`,
    ),
    insertTag: db.prepare('INSERT OR IGNORE INTO file_tag (tag_key, file_id) VALUES (?, ?)'),
    getMeta: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
    nextGeneration: db.prepare("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'"),
  };
}
