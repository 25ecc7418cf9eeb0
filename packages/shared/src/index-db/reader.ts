/**
 * Everything the api asks of the index, read-only. Danger: no method leaves a statement running, because an open iterator
 * would keep the write-ahead log from ever shrinking.
 */
import { filterSql, UNDER, under } from './filter.ts';
import { ReaderConnection } from './reader-connection.ts';
import {
  narrowedDenseSql,
  readCounts,
  readLinkingFiles,
  readLinks,
  readNoteChanges,
  type SquaredHit,
  toFileRow,
} from './reads.ts';
import type {
  ChunkRow,
  DenseCandidate,
  DocumentStates,
  FileHistoryRows,
  FileKind,
  FileRow,
  FileVersion,
  IndexCounts,
  IndexerStatus,
  LexicalCandidate,
  LinkingFileRow,
  LinkRow,
  NoteChanges,
  NoteMark,
  SearchFilter,
} from './rows.ts';

export interface IndexReader {
  /** Grows with every change a search could see. */
  generation(): number;
  chunkCount(): number;
  counts(): IndexCounts;
  /** What the indexer last published, or null before it ever did. */
  indexerStatus(): IndexerStatus | null;
  /** Space of the stored vectors, or null. */
  space(): string | null;
  /** Chunks whose vector is still missing. */
  vectorsPending(): number;
  /** Best first. `match` is an FTS5 expression the caller built from analyzer terms. */
  lexicalCandidates(match: string, filter: SearchFilter, limit: number): LexicalCandidate[];
  /** Nearest first. `vector` is unit-length, of the stored space's dims. */
  denseCandidates(vector: Float32Array, filter: SearchFilter, limit: number): DenseCandidate[];
  /** In how many chunks of the whole vault each term stands; absent terms map to 0. */
  documentFrequencies(terms: readonly string[]): Map<string, number>;
  /** Rows in the order of `ids`; ids that are gone are left out. */
  chunks(ids: readonly number[]): ChunkRow[];
  /** A file's chunks in order, by its exact path. */
  chunksOf(path: string): ChunkRow[];
  prefixHasFiles(prefix: string): boolean;
  /** Folders that hold indexed files, sorted, at most `limit`. */
  indexedFolders(limit: number): string[];
  fileByPath(path: string): FileRow | undefined;
  /** Files that could not be taken in, of both kinds or of one, by path. */
  quarantined(limit: number, kind?: FileKind): { path: string; reason: string }[];
  failedChunks(limit: number): { path: string; lineStart: number; reason: string }[];
  /** Documents that hold no text, or not all of theirs could be read, with the extraction's status and detail. */
  documentsLacking(what: 'text' | 'parts', limit: number): { path: string; reason: string }[];
  /** Documents of which no text came and none is waited for, by path: the first of them, and how many there are. */
  textlessDocuments(limit: number): { first: { path: string; reason: string }[]; total: number };
  documentStates(): DocumentStates;
  /** Notes with what they link to, at most `limit`, by id from above `after`: for reading all of them page by page. */
  linkingFiles(after: number, limit: number): LinkingFileRow[];
  /**
   * What became of the notes' rows since somebody looked last; everything where nobody did.
   * @param knows whether a path had a row then; none that had not may be said to
   */
  noteChanges(since: NoteMark | null, knows: (path: string) => boolean): NoteChanges;
  /** When each file came and changed, as it stands at one moment. */
  fileHistory(): FileHistoryRows;
  /** A file's links in order; undefined when its row is no longer this one. */
  linksOf(version: FileVersion): LinkRow[] | undefined;
  close(): void;
}

/**
 * A reader for the index at `path`. Opening is lazy: every method throws AppError `not_ready` while there is no usable
 * file, and works as soon as there is one.
 * @param options.now clock in milliseconds; tests pass their own
 * @param options.onDamaged called by every read that finds the file damaged; how often to act on it is the caller's
 */
export function openIndexReader(
  path: string,
  options: { now?: () => number; onDamaged?: (error: unknown) => void } = {},
): IndexReader {
  return new SqliteIndexReader(new ReaderConnection(path, options.now ?? Date.now, options.onDamaged ?? (() => {})));
}

class SqliteIndexReader implements IndexReader {
  readonly #connection: ReaderConnection;

  constructor(connection: ReaderConnection) {
    this.#connection = connection;
  }

  generation(): number {
    return this.#connection.use((_db, sql) => Number(sql.meta.get('generation')?.value ?? 0));
  }

  chunkCount(): number {
    return this.#connection.use((_db, sql) => sql.chunkTotal.get()?.total ?? 0);
  }

  counts(): IndexCounts {
    return this.#connection.use((_db, sql) => readCounts(sql));
  }

  indexerStatus(): IndexerStatus | null {
    return this.#connection.use((_db, sql) => {
      const stored = sql.meta.get('status')?.value;
      return stored === undefined ? null : (JSON.parse(stored) as IndexerStatus);
    });
  }

  space(): string | null {
    return this.#connection.use((_db, sql) => sql.meta.get('space')?.value ?? null);
  }

  vectorsPending(): number {
    return this.#connection.use((_db, sql) => sql.tally.get('pending')?.value ?? 0);
  }

  lexicalCandidates(match: string, filter: SearchFilter, limit: number): LexicalCandidate[] {
    return this.#connection.use((db, sql) => {
      const { where, parameters } = filterSql(filter, sql.anySuperseded.get() !== undefined);
      // CROSS JOIN fixes the order: the full-text match first, then rows by key. Any other order is a trap (FACTS, FTS5).
      const source = where
        ? `chunk_terms CROSS JOIN chunk c ON c.id = chunk_terms.rowid CROSS JOIN file f ON f.id = c.file_id WHERE chunk_terms MATCH ? AND ${where}`
        : 'chunk_terms WHERE chunk_terms MATCH ?';
      const hits = `SELECT chunk_terms.rowid AS chunkId, bm25(chunk_terms) AS bm25 FROM ${source} ORDER BY bm25, chunkId LIMIT ?`;
      return db
        .prepare<unknown[], LexicalCandidate>(
          `SELECT h.chunkId, c.file_id AS fileId, h.bm25 FROM (${hits}) h JOIN chunk c ON c.id = h.chunkId ORDER BY h.bm25, h.chunkId`,
        )
        .all(match, ...parameters, limit);
    });
  }

  denseCandidates(vector: Float32Array, filter: SearchFilter, limit: number): DenseCandidate[] {
    return this.#connection.use((db, sql) => {
      const { where, parameters } = filterSql(filter, sql.anySuperseded.get() !== undefined);
      const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      const rows = where
        ? db.prepare<unknown[], SquaredHit>(narrowedDenseSql(where)).all(blob, ...parameters, limit)
        : sql.dense.all(blob, limit, limit);
      // Stored vectors and the query are unit-length, so cosine distance follows from the Euclidean one: d² / 2.
      return rows.map(({ chunkId, fileId, l2 }) => ({ chunkId, fileId, distance: (l2 * l2) / 2 }));
    });
  }

  documentFrequencies(terms: readonly string[]): Map<string, number> {
    return this.#connection.use(
      (_db, sql) => new Map(terms.map((term) => [term, sql.documentFrequency.get(term)?.doc ?? 0])),
    );
  }

  chunks(ids: readonly number[]): ChunkRow[] {
    return this.#connection.use((_db, sql) => ids.flatMap((id) => sql.chunk.all(id)));
  }

  chunksOf(path: string): ChunkRow[] {
    return this.#connection.use((_db, sql) => sql.chunksOf.all(path));
  }

  prefixHasFiles(prefix: string): boolean {
    return this.#connection.use((db) => {
      const found = db.prepare(`SELECT 1 FROM file f WHERE f.state = 'indexed' AND (${UNDER}) LIMIT 1`);
      return found.get(...under(prefix)) !== undefined;
    });
  }

  indexedFolders(limit: number): string[] {
    return this.#connection.use((_db, sql) => sql.folders.all(limit).map(({ folder }) => folder));
  }

  fileByPath(path: string): FileRow | undefined {
    return this.#connection.use((_db, sql) => {
      const row = sql.file.get(path);
      return row && toFileRow(row);
    });
  }

  quarantined(limit: number, kind?: FileKind): { path: string; reason: string }[] {
    return this.#connection.use((_db, sql) =>
      kind === undefined ? sql.quarantined.all(limit) : sql.quarantinedOf.all(kind, limit),
    );
  }

  failedChunks(limit: number): { path: string; lineStart: number; reason: string }[] {
    return this.#connection.use((_db, sql) => sql.failedChunks.all(limit));
  }

  documentsLacking(what: 'text' | 'parts', limit: number): { path: string; reason: string }[] {
    return this.#connection.use((_db, sql) => sql.documentsLacking[what].all(limit));
  }

  textlessDocuments(limit: number): { first: { path: string; reason: string }[]; total: number } {
    return this.#connection.use((_db, sql) => ({
      first: sql.textlessDocuments.all(limit),
      total: sql.textlessTotal.get()?.total ?? 0,
    }));
  }

  documentStates(): DocumentStates {
    return this.#connection.use((_db, sql) => sql.documentStates.get() as DocumentStates);
  }

  linkingFiles(after: number, limit: number): LinkingFileRow[] {
    return this.#connection.use((db, sql) => readLinkingFiles(db, sql, after, limit));
  }

  noteChanges(since: NoteMark | null, knows: (path: string) => boolean): NoteChanges {
    return this.#connection.use((db, sql) => readNoteChanges(db, sql, since, knows));
  }

  fileHistory(): FileHistoryRows {
    return this.#connection.use((db, sql) =>
      db.transaction(() => ({
        pass: Number(sql.meta.get('pass')?.value ?? 1),
        since: Number(sql.meta.get('history_since')?.value ?? 1),
        files: sql.fileHistory.all(),
        departed: sql.departed.all(),
      }))(),
    );
  }

  linksOf(version: FileVersion): LinkRow[] | undefined {
    return this.#connection.use((_db, sql) => readLinks(sql, version));
  }

  close(): void {
    this.#connection.close();
  }
}
