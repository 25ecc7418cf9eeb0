/**
 * The rows of files: what the index keeps of one, replaced or removed as a whole. Part of the writer's connection.
 * Danger: every method that changes rows of more than one table has to run inside a transaction of the writer's.
 */
import { targetKey } from '../vault/note/resolve-link.ts';
import { pathKey } from '../vault/path.ts';
import type { EmbeddingStore } from './embedding-store.ts';
import { UNDER, under } from './filter.ts';
import type { NoteVectorStore } from './note-vector-store.ts';
import type { Sqlite } from './open.ts';
import { HISTORY_COLUMNS, type PassStore } from './pass-store.ts';
import type { Chunk, DatedTarget, FileFacts, FileHistoryRow, FileStat, FileState, LinkRow } from './rows.ts';

/** A chunk ready to be stored: its terms joined with spaces, and its content key. */
export interface IndexedChunk extends Chunk {
  /** Of a document: the page all of it stands on, 1-based. Null in a note. */
  readonly page: number | null;
  readonly terms: string;
  /** The content key: hex SHA-256 of the text it is embedded as. */
  readonly textHash: string;
}

/** Everything the index keeps of one file. */
export interface FileRecord extends FileFacts {
  /** Behaviour version of what made the chunks: chunker, analyzer, extractor. */
  readonly digest: string;
  readonly chunks: readonly IndexedChunk[];
  readonly links: readonly LinkRow[];
}

/** What reconcile compares with the disk. */
export interface StoredFile {
  readonly path: string;
  readonly sha256: string;
  readonly digest: string;
  readonly state: FileState;
  readonly reason: string | null;
  readonly stat: FileStat;
}

/** What the index page lists. */
export type StoredNote = Pick<FileFacts, 'path' | 'title' | 'description' | 'state'>;

export class FileStore {
  readonly #embeddings: EmbeddingStore;
  readonly #passes: PassStore;
  readonly #noteVectors: NoteVectorStore;
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Sqlite, parts: { embeddings: EmbeddingStore; passes: PassStore; noteVectors: NoteVectorStore }) {
    this.#embeddings = parts.embeddings;
    this.#passes = parts.passes;
    this.#noteVectors = parts.noteVectors;
    this.#sql = prepareStatements(db);
  }

  /** Replaces everything stored of the record's path. Inside a transaction. */
  replace(record: FileRecord): void {
    const before = this.#sql.fileHistory.get(record.path);
    const links = before === undefined ? [] : this.#sql.linkDates.all(before.id);
    const dates = new Map(links.map((link) => [targetKey(link), link.since]));
    if (before !== undefined) this.#removeRows(before.id);
    const { linksSince, ...times } = this.#passes.came(record, before);
    const fileId = Number(this.#sql.insertFile.run({ ...fileColumns(record), ...times }).lastInsertRowid);
    this.#insertChunks(fileId, record.chunks);
    // Of one that was renamed, or is again what it was, or says what others say, all may have vectors already.
    this.#noteVectors.refresh(fileId);
    record.links.forEach((link, ordinal) => {
      const since = linksSince.kept ? (dates.get(targetKey(link)) ?? linksSince.pass) : linksSince.pass;
      const { form, target, heading, block, alias, line } = link;
      this.#sql.insertLink.run(fileId, ordinal, form, link.embed ? 1 : 0, target, heading, block, alias, line, since);
    });
    for (const key of tagKeys(record.tags)) this.#sql.insertTag.run(key, fileId);
    this.#sql.nextGeneration.run();
  }

  /** Forgets a path; false when it was not there. Inside a transaction. */
  remove(path: string): boolean {
    const file = this.#sql.fileHistory.get(path);
    if (file === undefined) return false;
    this.#removeRows(file.id);
    this.#passes.went(file);
    this.#sql.nextGeneration.run();
    return true;
  }

  touch(path: string, stat: FileStat): void {
    this.#sql.touch.run({ path, ...stat });
  }

  explain(path: string, reason: string, digest: string): void {
    this.#sql.explain.run(reason, digest, path);
  }

  makeStale(reason: string, except = ''): number {
    return this.#sql.makeStale.run(except, reason, reason).changes;
  }

  stored(path: string): StoredFile | undefined {
    const row = this.#sql.storedFile.get(path);
    return row && toStoredFile(row);
  }

  documentsWithBytes(sha256: string): string[] {
    return this.#sql.documentsWithBytes.all(sha256).map(({ path }) => path);
  }

  below(folder: string): string[] {
    return this.#sql.below.all(...under(folder)).map(({ path }) => path);
  }

  notes(): StoredNote[] {
    return this.#sql.notes.all();
  }

  generation(): number {
    return Number(this.#sql.generation.get()?.value ?? 0);
  }

  *all(): Generator<StoredFile> {
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

  #insertChunks(fileId: number, chunks: readonly IndexedChunk[]): void {
    const embeddingIds = this.#embeddings.refer(chunks.map(({ textHash }) => textHash));
    const { insertChunk, insertTerms } = this.#sql;
    chunks.forEach(({ ordinal, breadcrumb, lineStart, lineEnd, text, page, terms }, i) => {
      const values = [fileId, ordinal, breadcrumb, lineStart, lineEnd, text, page, embeddingIds[i]] as const;
      insertTerms.run(insertChunk.run(...values).lastInsertRowid, terms);
    });
  }

  #removeRows(fileId: number): void {
    const chunks = this.#sql.chunkIds.all(fileId);
    for (const { id } of chunks) this.#sql.deleteTerms.run(id);
    this.#sql.deleteChunks.run(fileId);
    // After the chunks: an embedding may not go while one refers to it.
    for (const { embeddingId } of chunks) this.#embeddings.release(embeddingId);
    this.#sql.deleteFile.run(fileId);
  }
}

function fileColumns(record: FileRecord): Record<string, unknown> {
  const { chunks, links: _links, stat, tags, pages, ...columns } = record;
  const textBytes = chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const pageColumns = { pageCount: pages?.count ?? null, pagesHaveText: pages ? Number(pages.hasText) : null };
  const made = { pathKey: pathKey(record.path), tags: JSON.stringify(tags), textBytes };
  return { ...columns, ...stat, ...pageColumns, ...made };
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
  const { path, sha256, digest, state, reason, size, mtimeMs, ctimeMs, inode } = row;
  return { path, sha256, digest, state, reason, stat: { size, mtimeMs, ctimeMs, inode } };
}

const STORED_COLUMNS = 'id, path, sha256, digest, state, reason, size, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs, inode';

function prepareStatements(db: Sqlite) {
  return {
    insertFile: db.prepare(
      `INSERT INTO file (path, path_key, kind, sha256, size, mtime_ms, ctime_ms, inode, digest, title, description, type, tags, superseded_by, state, reason, page_count, pages_have_text, arrived, changed, arrived_sha256, known_sha256, text_bytes)
       VALUES (@path, @pathKey, @kind, @sha256, @size, @mtimeMs, @ctimeMs, @inode, @digest, @title, @description, @type, @tags, @supersededBy, @state, @reason, @pageCount, @pagesHaveText, @arrived, @changed, @arrivedSha256, @knownSha256, @textBytes)`,
    ),
    fileHistory: db.prepare<[string], FileHistoryRow & { id: number }>(
      `SELECT id, ${HISTORY_COLUMNS} FROM file WHERE path = ?`,
    ),
    linkDates: db.prepare<[number], DatedTarget>('SELECT form, target, since FROM link WHERE file_id = ?'),
    deleteFile: db.prepare('DELETE FROM file WHERE id = ?'),
    touch: db.prepare(
      'UPDATE file SET size = @size, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs, inode = @inode WHERE path = @path',
    ),
    explain: db.prepare('UPDATE file SET reason = ?, digest = ? WHERE path = ?'),
    storedFile: db.prepare<[string], StoredRow>(`SELECT ${STORED_COLUMNS} FROM file WHERE path = ?`),
    makeStale: db.prepare(
      "UPDATE file SET digest = '' WHERE digest NOT IN ('', ?) AND substr(reason, 1, length(?)) = ?",
    ),
    below: db.prepare<[string, string, string], { path: string }>(`SELECT path FROM file f WHERE ${UNDER}`),
    documentsWithBytes: db.prepare<[string], { path: string }>(
      "SELECT path FROM file WHERE kind = 'document' AND sha256 = ?",
    ),
    notes: db.prepare<[], StoredNote>("SELECT path, title, description, state FROM file WHERE kind = 'note'"),
    storedPage: db.prepare<[number], StoredRow>(
      `SELECT ${STORED_COLUMNS} FROM file WHERE id > ? ORDER BY id LIMIT 1000`,
    ),
    // By place, not by name, which takes as long again for rows as many as these.
    insertChunk: db.prepare(
      `INSERT INTO chunk (file_id, ordinal, breadcrumb, line_start, line_end, text, page, embedding_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    chunkIds: db.prepare<[number], { id: number; embeddingId: number }>(
      'SELECT id, embedding_id AS embeddingId FROM chunk WHERE file_id = ?',
    ),
    deleteChunks: db.prepare('DELETE FROM chunk WHERE file_id = ?'),
    insertTerms: db.prepare('INSERT INTO chunk_terms (rowid, terms) VALUES (?, ?)'),
    deleteTerms: db.prepare('DELETE FROM chunk_terms WHERE rowid = ?'),
    insertLink: db.prepare(
      `INSERT INTO link (file_id, ordinal, form, embed, target, heading, block, alias, line, since)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertTag: db.prepare('INSERT OR IGNORE INTO file_tag (tag_key, file_id) VALUES (?, ?)'),
    generation: db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'generation'"),
    nextGeneration: db.prepare("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'"),
  };
}
