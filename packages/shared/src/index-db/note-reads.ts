/**
 * What the reader is asked about notes as wholes. Danger: narrowing comes before the cut, and a folder's own notes are
 * compared by key, since the folder may be spelt otherwise than in the path of each.
 */
import type { Statement } from 'better-sqlite3';
import { pathKey } from '../vault/path.ts';
import { UNDER, under } from './filter.ts';
import type { EmbeddedChunk, NamedNote, NearestNote, SupersededNote } from './note-rows.ts';
import type { Sqlite } from './open.ts';
import { fromBlob, toBlob } from './vector-blob.ts';

export interface NoteReadStatements {
  readonly noteVector: Statement<[string], { vector: Buffer }>;
  readonly embeddedChunks: Statement<[string], Omit<EmbeddedChunk, 'vector'> & { vector: Buffer }>;
  readonly notesUnder: Statement<[string, string, string, number], NamedNote & { path: string }>;
  readonly notesAtRoot: Statement<[], NamedNote & { path: string }>;
  readonly superseded: Statement<[], SupersededNote>;
}

const NAMED_COLUMNS = 'f.path, f.sha256, f.size, f.mtime_ms AS mtimeMs, f.ctime_ms AS ctimeMs, f.inode';

export function prepareNoteReads(db: Sqlite): NoteReadStatements {
  return {
    noteVector: db.prepare('SELECT n.vector FROM file f CROSS JOIN note_vector n ON n.file_id = f.id WHERE f.path = ?'),
    embeddedChunks: db.prepare(
      `SELECT c.text, octet_length(c.text) AS bytes, v.vector FROM file f CROSS JOIN chunk c ON c.file_id = f.id
       CROSS JOIN embedding_vector v ON v.embedding_id = c.embedding_id WHERE f.path = ? ORDER BY c.ordinal`,
    ),
    notesUnder: db.prepare(
      `SELECT ${NAMED_COLUMNS} FROM file f WHERE (${UNDER}) AND instr(substr(f.path_key, ?), '/') = 0 AND f.kind = 'note'`,
    ),
    notesAtRoot: db.prepare(`SELECT ${NAMED_COLUMNS} FROM file f WHERE instr(f.path_key, '/') = 0 AND f.kind = 'note'`),
    superseded: db.prepare(
      `SELECT path, superseded_by AS supersededBy FROM file INDEXED BY file_superseded
       WHERE superseded_by IS NOT NULL AND kind = 'note' ORDER BY path`,
    ),
  };
}

/** An exact scan of the vectors of those notes that pass. */
export function readNearestNotes(
  db: Sqlite,
  vector: Float32Array,
  { where, parameters }: { readonly where: string; readonly parameters: readonly string[] },
  limit: number,
): NearestNote[] {
  const statement = db.prepare<unknown[], Omit<NearestNote, 'distance'> & { l2: number }>(
    `SELECT f.id AS fileId, f.path, f.sha256, vec_distance_l2(n.vector, ?) AS l2
     FROM file f CROSS JOIN note_vector n ON n.file_id = f.id ${where && `WHERE ${where}`} ORDER BY l2, f.path LIMIT ?`,
  );
  const rows = statement.all(toBlob(vector), ...parameters, limit);
  // Of unit vectors the cosine distance is half the square of the Euclidean one.
  return rows.map(({ l2, ...note }) => ({ ...note, distance: (l2 * l2) / 2 }));
}

export function readNoteVector(sql: NoteReadStatements, path: string): Float32Array | null {
  const row = sql.noteVector.get(path);
  return row === undefined ? null : fromBlob(row.vector);
}

export function readEmbeddedChunks(sql: NoteReadStatements, path: string): EmbeddedChunk[] {
  return sql.embeddedChunks.all(path).map(({ vector, ...chunk }) => ({ ...chunk, vector: fromBlob(vector) }));
}

/** @returns by name in the spelling on disk */
export function readNoteNames(sql: NoteReadStatements, folder: string): Map<string, NamedNote> {
  // One more for the slash, and SQLite counts from one.
  const rows =
    folder === '' ? sql.notesAtRoot.all() : sql.notesUnder.all(...under(folder), [...pathKey(folder)].length + 2);
  return new Map(rows.map(({ path, ...note }) => [path.slice(path.lastIndexOf('/') + 1), note]));
}
