/**
 * The vectors of all notes, for who compares notes with one another: each is handed over while it is read, so that no more
 * is in memory than whoever asks keeps. Danger: it takes a while; nothing for the thread that answers requests. Opens the file
 * for each call, so that one put in its place is met, and none is kept open.
 */
import { AppError } from '../errors.ts';
import { isDamaged, openReadable, type Sqlite } from './open.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { fromBlob } from './vector-blob.ts';

/** One note as the index has it: another version where its text is another. */
export interface NoteVectorState {
  readonly path: string;
  readonly title: string;
  /** Of the bytes it was read from: the etag. */
  readonly sha256: string;
  readonly version: string;
  /** Of its text, as it was cut into chunks. */
  readonly bytes: number;
  /** Whether it has a vector: all its chunks have theirs. */
  readonly whole: boolean;
}

export interface NoteVectors {
  /** Which vectors may be compared; null when there are none. */
  readonly space: string | null;
  /** Every note that says something and was not superseded, by path. */
  readonly notes: readonly NoteVectorState[];
}

export interface VectorVisitor {
  /** Whether a note's vector is to be read; asked of those that are whole. */
  wants(note: NoteVectorState, space: string): boolean;
  /** Given the vector of such a note, of unit length. */
  onNote(note: NoteVectorState, vector: Float32Array): void;
}

interface StateColumns extends Pick<NoteVectorState, 'path' | 'title' | 'sha256' | 'bytes'> {
  readonly id: number;
  readonly digest: string;
  readonly whole: number;
}

/** @throws AppError `not_ready` without a usable index */
export function readNoteVectors(indexPath: string, visitor: VectorVisitor): NoteVectors {
  try {
    const db = openReadable(indexPath);
    try {
      if (db.pragma('user_version', { simple: true }) !== SCHEMA_VERSION) throw notReady();
      return db.transaction(() => readAll(db, visitor))();
    } finally {
      db.close();
    }
  } catch (error) {
    throw explained(error);
  }
}

function readAll(db: Sqlite, visitor: VectorVisitor): NoteVectors {
  const stored = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'space'").get();
  const space = stored?.value ?? null;
  const rows = db.prepare<[], StateColumns>(
    `SELECT f.id, f.path, f.title, f.sha256, f.digest, f.text_bytes AS bytes, n.file_id IS NOT NULL AS whole
     FROM file f LEFT JOIN note_vector n ON n.file_id = f.id
     WHERE f.kind = 'note' AND f.superseded_by IS NULL AND f.text_bytes > 0 ORDER BY f.path`,
  );
  const vector = db.prepare<[number], { vector: Buffer }>('SELECT vector FROM note_vector WHERE file_id = ?');
  const notes = rows.all().map(({ id, digest, whole, ...row }) => {
    const note: NoteVectorState = { ...row, version: `${id}:${row.sha256}:${digest}`, whole: whole === 1 };
    if (note.whole && space !== null && visitor.wants(note, space)) {
      const read = vector.get(id);
      if (read !== undefined) visitor.onNote(note, fromBlob(read.vector));
    }
    return note;
  });
  return { space, notes };
}

function explained(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'SQLITE_CANTOPEN' || isDamaged(error) ? notReady(error) : error;
}

function notReady(cause?: unknown): AppError {
  return new AppError(
    'not_ready',
    'There is no index yet. Ask again in a few seconds; GET /readyz shows the progress.',
    {
      cause,
    },
  );
}
