/**
 * Everything the api asks of the index, read-only. Danger: no method leaves a statement running, because an open iterator
 * would keep the write-ahead log from ever shrinking.
 */
import type { ReadRules } from '../vault/access.ts';
import { type DenseLimits, DenseSearch } from './dense-search.ts';
import { filterSql } from './filter.ts';
import { readEmbeddedChunks, readNearestNotes, readNoteNames, readNoteVector } from './note-reads.ts';
import type { EmbeddedChunk, NamedNote, NearestNote, SupersededNote } from './note-rows.ts';
import {
  countPostponedChunks,
  countReadableChunks,
  countTermHolders,
  hasFilesUnder,
  readFolders,
} from './readable-reads.ts';
import { ReaderConnection } from './reader-connection.ts';
import { readCounts, readFileHistory, readLinkingFiles, readLinks, readNoteChanges, toFileRow } from './reads.ts';
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
import { readTermStatistics, type TermStatistics } from './term-statistics.ts';

export interface IndexReader {
  /** Grows with every change a search could see. */
  generation(): number;
  chunkCount(): number;
  /** Chunks of what may be read. */
  readableChunks(readable: ReadRules): number;
  counts(): IndexCounts;
  /** What the indexer last published, or null before it ever did. */
  indexerStatus(): IndexerStatus | null;
  /** Space of the stored vectors, or null. */
  space(): string | null;
  /** Chunks whose vector is still missing, of what may be read. */
  vectorsPending(readable: ReadRules | null): number;
  /** Of those the chunks that could not be embedded, and are not tried again until after that time (since 1970, in ms). */
  vectorsPostponed(readable: ReadRules | null, untilMs: number): number;
  /** Best first. `match` is an FTS5 expression the caller built from analyzer terms. */
  lexicalCandidates(match: string, filter: SearchFilter, limit: number): LexicalCandidate[];
  /**
   * Nearest first. `vector` is unit-length, of the stored space's dims. In a large vault a few of many may be missed.
   * @throws AppError `invalid_request` for a vector of other dims, of zeros, or with NaN in it
   */
  denseCandidates(vector: Float32Array, filter: SearchFilter, limit: number): DenseCandidate[];
  /** Begins to read in the background what denseCandidates keeps in memory of a large vault; does nothing in a small one. */
  prepareDense(): void;
  /** Whole notes, nearest first: those of whose chunks all have vectors. `vector` as for denseCandidates. */
  nearestNotes(vector: Float32Array, filter: SearchFilter, limit: number): NearestNote[];
  /** What a note says as a whole, by its exact path; null while it has no vector. */
  noteVectorOf(path: string): Float32Array | null;
  /** A file's chunks that have their vectors, in order, by its exact path. */
  embeddedChunksOf(path: string): EmbeddedChunk[];
  /** The notes that stand in a folder itself, by name in the spelling on disk. */
  noteNamesIn(folder: string): Map<string, NamedNote>;
  /** Every note that says it was superseded, by path: of the whole vault, since chains lead through all of it. */
  supersededRows(): SupersededNote[];
  /** In how many chunks of the whole vault each term stands; absent terms map to 0. */
  documentFrequencies(terms: readonly string[]): Map<string, number>;
  termStatistics(): TermStatistics;
  /** How many chunks of what may be read an FTS5 expression finds, up to `atMost`. */
  termHolders(match: string, readable: ReadRules, atMost: number): number;
  /** Rows in the order of `ids`; ids that are gone are left out. */
  chunks(ids: readonly number[]): ChunkRow[];
  /** A file's chunks in order, by its exact path. */
  chunksOf(path: string): ChunkRow[];
  prefixHasFiles(prefix: string, readable: ReadRules | null): boolean;
  /** Folders that hold indexed files that may be read, sorted, at most `limit`. */
  indexedFolders(limit: number, readable: ReadRules | null): string[];
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
 * @param options.dense other limits than the measured ones; tests pass their own
 */
export function openIndexReader(
  path: string,
  options: { now?: () => number; onDamaged?: (error: unknown) => void; dense?: Partial<DenseLimits> } = {},
): IndexReader {
  const connection = new ReaderConnection(path, options.now ?? Date.now, options.onDamaged ?? (() => {}));
  return new SqliteIndexReader(connection, options.dense);
}

class SqliteIndexReader implements IndexReader {
  readonly #connection: ReaderConnection;
  readonly #dense: DenseSearch;

  constructor(connection: ReaderConnection, limits: Partial<DenseLimits> | undefined) {
    this.#connection = connection;
    this.#dense = new DenseSearch(connection, limits);
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

  readableChunks(readable: ReadRules): number {
    return this.#connection.use((db) => countReadableChunks(db, readable, 'all'));
  }

  vectorsPending(readable: ReadRules | null): number {
    return this.#connection.use((db, sql) =>
      readable === null ? (sql.tally.get('pending')?.value ?? 0) : countReadableChunks(db, readable, 'pending'),
    );
  }

  vectorsPostponed(readable: ReadRules | null, untilMs: number): number {
    return this.#connection.use((db, sql) =>
      readable === null ? (sql.postponed.get(untilMs)?.total ?? 0) : countPostponedChunks(db, readable, untilMs),
    );
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
    return this.#dense.candidates(vector, filter, limit);
  }

  prepareDense(): void {
    this.#dense.prepare();
  }

  nearestNotes(vector: Float32Array, filter: SearchFilter, limit: number): NearestNote[] {
    return this.#connection.use((db, sql) => {
      const narrowed = filterSql(filter, sql.anySuperseded.get() !== undefined);
      return readNearestNotes(db, vector, narrowed, limit);
    });
  }

  noteVectorOf(path: string): Float32Array | null {
    return this.#connection.use((_db, sql) => readNoteVector(sql, path));
  }

  embeddedChunksOf(path: string): EmbeddedChunk[] {
    return this.#connection.use((_db, sql) => readEmbeddedChunks(sql, path));
  }

  noteNamesIn(folder: string): Map<string, NamedNote> {
    return this.#connection.use((_db, sql) => readNoteNames(sql, folder));
  }

  supersededRows(): SupersededNote[] {
    return this.#connection.use((_db, sql) => sql.superseded.all());
  }

  documentFrequencies(terms: readonly string[]): Map<string, number> {
    return this.#connection.use(
      (_db, sql) => new Map(terms.map((term) => [term, sql.documentFrequency.get(term)?.doc ?? 0])),
    );
  }

  termStatistics(): TermStatistics {
    return this.#connection.use(readTermStatistics);
  }

  termHolders(match: string, readable: ReadRules, atMost: number): number {
    return this.#connection.use((db) => countTermHolders(db, match, readable, atMost));
  }

  chunks(ids: readonly number[]): ChunkRow[] {
    return this.#connection.use((_db, sql) => ids.flatMap((id) => sql.chunk.all(id)));
  }

  chunksOf(path: string): ChunkRow[] {
    return this.#connection.use((_db, sql) => sql.chunksOf.all(path));
  }

  prefixHasFiles(prefix: string, readable: ReadRules | null): boolean {
    return this.#connection.use((db) => hasFilesUnder(db, prefix, readable));
  }

  indexedFolders(limit: number, readable: ReadRules | null): string[] {
    return this.#connection.use((db) => readFolders(db, limit, readable));
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
    return this.#connection.use((db, sql) => readFileHistory(db, sql));
  }

  linksOf(version: FileVersion): LinkRow[] | undefined {
    return this.#connection.use((_db, sql) => readLinks(sql, version));
  }

  close(): void {
    this.#dense.close();
    this.#connection.close();
  }
}
