/**
 * The vectors of all notes, for who compares notes with one another: reads only what is not known yet. Danger: a hundred
 * megabytes for a large vault, and some time; nothing for the thread that answers requests. Opens the file for each call,
 * so that one put in its place is met, and none is kept open.
 */
import { AppError } from '../errors.ts';
import { isDamaged, openReadable } from './open.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** One note as the index has it: another version where its text or its vectors are others. */
export interface NoteVectorState {
  readonly id: number;
  readonly path: string;
  readonly version: string;
  /** Of its text, as it was cut into chunks. */
  readonly characters: number;
  /** Whether all its chunks have vectors. */
  readonly whole: boolean;
}

export interface ChunkVector {
  /** Characters of the chunk's text. */
  readonly length: number;
  /** Unit length. */
  readonly vector: Float32Array;
}

export interface NoteVectors {
  /** Which vectors may be compared; null when there are none. */
  readonly space: string | null;
  /** Every note that was not superseded, by path. */
  readonly notes: readonly NoteVectorState[];
  /** Vectors of the notes that are whole and were asked for, by the note's id. */
  readonly vectors: ReadonlyMap<number, readonly ChunkVector[]>;
}

interface StateColumns {
  readonly id: number;
  readonly path: string;
  readonly sha256: string;
  readonly digest: string;
  readonly chunks: number;
  readonly embedded: number;
  readonly characters: number;
}

/**
 * @param wants whether a note's vectors are to be read
 * @throws AppError `not_ready` without a usable index
 */
export function readNoteVectors(
  indexPath: string,
  wants: (state: NoteVectorState, space: string) => boolean,
): NoteVectors {
  try {
    const db = openReadable(indexPath);
    try {
      if (db.pragma('user_version', { simple: true }) !== SCHEMA_VERSION) throw notReady();
      return db.transaction((): NoteVectors => {
        const stored = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'space'").get();
        const space = stored?.value ?? null;
        const rows = db
          .prepare<[], StateColumns>(
            `SELECT f.id, f.path, f.sha256, f.digest, count(c.id) AS chunks, count(v.embedding_id) AS embedded,
               sum(length(c.text)) AS characters
             FROM file f JOIN chunk c ON c.file_id = f.id LEFT JOIN embedding_vector v ON v.embedding_id = c.embedding_id
             WHERE f.kind = 'note' AND f.superseded_by IS NULL GROUP BY f.id ORDER BY f.path`,
          )
          .all();
        const notes = rows.map(toState);
        const ofNote = db.prepare<[number], { length: number; vector: Buffer }>(
          `SELECT length(c.text) AS length, v.vector FROM chunk c JOIN embedding_vector v ON v.embedding_id = c.embedding_id
           WHERE c.file_id = ? ORDER BY c.ordinal`,
        );
        const wanted = space === null ? [] : notes.filter((note) => note.whole && wants(note, space));
        const vectors = new Map(wanted.map(({ id }) => [id, ofNote.all(id).map(toVector)]));
        return { space, notes, vectors };
      })();
    } finally {
      db.close();
    }
  } catch (error) {
    throw explained(error);
  }
}

function toState({ id, path, sha256, digest, chunks, embedded, characters }: StateColumns): NoteVectorState {
  return { id, path, version: `${id}:${sha256}:${digest}:${embedded}`, characters, whole: embedded === chunks };
}

function toVector({ length, vector }: { length: number; vector: Buffer }): ChunkVector {
  // A copy: where a row's bytes begin is not where a float may.
  return { length, vector: new Float32Array(Uint8Array.from(vector).buffer) };
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
