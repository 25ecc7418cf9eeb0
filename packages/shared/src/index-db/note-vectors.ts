/**
 * The vectors of all notes, for who compares notes with one another: each is handed over while it is read, so that no more
 * than one note's are in memory here. Danger: it takes a while; nothing for the thread that answers requests. Opens the file
 * for each call, so that one put in its place is met, and none is kept open.
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
  readonly bytes: number;
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
}

export interface VectorVisitor {
  /** Whether a note's vectors are to be read; asked of those that are whole. */
  wants(note: NoteVectorState, space: string): boolean;
  /** Given the chunks of such a note, in order; good until it returns. */
  onNote(note: NoteVectorState, chunks: readonly ChunkVector[]): void;
}

interface StateColumns {
  readonly id: number;
  readonly path: string;
  readonly sha256: string;
  readonly digest: string;
  readonly chunks: number;
  readonly embedded: number;
  readonly bytes: number;
}

/** @throws AppError `not_ready` without a usable index */
export function readNoteVectors(indexPath: string, visitor: VectorVisitor): NoteVectors {
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
               sum(octet_length(c.text)) AS bytes
             FROM file f JOIN chunk c ON c.file_id = f.id LEFT JOIN embedding_vector v ON v.embedding_id = c.embedding_id
             WHERE f.kind = 'note' AND f.superseded_by IS NULL GROUP BY f.id ORDER BY f.path`,
          )
          .all();
        const notes = rows.map(toState);
        const ofNote = db.prepare<[number], { length: number; vector: Buffer }>(
          `SELECT length(c.text) AS length, v.vector FROM chunk c JOIN embedding_vector v ON v.embedding_id = c.embedding_id
           WHERE c.file_id = ? ORDER BY c.ordinal`,
        );
        for (const note of notes) {
          if (space === null || !note.whole || !visitor.wants(note, space)) continue;
          visitor.onNote(note, ofNote.all(note.id).map(toVector));
        }
        return { space, notes };
      })();
    } finally {
      db.close();
    }
  } catch (error) {
    throw explained(error);
  }
}

function toState({ id, path, sha256, digest, chunks, embedded, bytes }: StateColumns): NoteVectorState {
  return { id, path, version: `${id}:${sha256}:${digest}:${embedded}`, bytes, whole: embedded === chunks };
}

function toVector({ length, vector }: { length: number; vector: Buffer }): ChunkVector {
  const { buffer, byteOffset, byteLength } = vector;
  // Where a row's bytes begin is not always where a float may.
  const aligned = byteOffset % Float32Array.BYTES_PER_ELEMENT === 0;
  const bytes = aligned
    ? new Float32Array(buffer, byteOffset, byteLength / 4)
    : new Float32Array(Uint8Array.from(vector).buffer);
  return { length, vector: bytes };
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
