/**
 * One vector for each note, kept beside those of its chunks, so that notes can be compared with one another, and a text with
 * all of them, without a look at every chunk. Part of the writer's connection. Danger: a note has its row exactly as long as
 * every chunk of it has a vector, so whatever stores or drops vectors or chunks has to refresh the notes concerned, in the
 * same transaction. That a row goes with its file is the schema's doing.
 */
import { noteVector } from './note-vector.ts';
import type { Sqlite } from './open.ts';
import { fromBlob, toBlob } from './vector-blob.ts';

export class NoteVectorStore {
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Sqlite) {
    this.#sql = prepareStatements(db);
  }

  /** Makes the vector of a file, if it is a note, of what is stored of it. Inside a transaction. */
  refresh(fileId: number): void {
    // Nearly always it ends here: the chunks of a new text have none yet.
    if (this.#sql.isWholeNote.get(fileId) === undefined) {
      this.#sql.remove.run(fileId);
      return;
    }
    const chunks = this.#sql.chunks.all(fileId).map(({ bytes, vector }) => ({ bytes, vector: fromBlob(vector) }));
    const vector = noteVector(chunks);
    if (vector === null) this.#sql.remove.run(fileId);
    else this.#sql.put.run(fileId, toBlob(vector));
  }

  /** Makes the vectors of the notes that these contents stand in. Inside a transaction. */
  refreshWith(embeddingIds: Iterable<number>): void {
    const files = new Set<number>();
    for (const id of embeddingIds) for (const { fileId } of this.#sql.filesWith.all(id)) files.add(fileId);
    for (const fileId of files) this.refresh(fileId);
  }

  /** No chunk has a vector any more. Inside a transaction. */
  clear(): void {
    this.#sql.clear.run();
  }
}

function prepareStatements(db: Sqlite) {
  return {
    isWholeNote: db.prepare<[number], unknown>(
      `SELECT 1 FROM file f WHERE f.id = ? AND f.kind = 'note' AND NOT EXISTS (
         SELECT 1 FROM chunk c WHERE c.file_id = f.id
         AND NOT EXISTS (SELECT 1 FROM embedding_vector v WHERE v.embedding_id = c.embedding_id))`,
    ),
    chunks: db.prepare<[number], { bytes: number; vector: Buffer }>(
      `SELECT octet_length(c.text) AS bytes, v.vector
       FROM chunk c CROSS JOIN embedding_vector v ON v.embedding_id = c.embedding_id WHERE c.file_id = ? ORDER BY c.ordinal`,
    ),
    filesWith: db.prepare<[number], { fileId: number }>('SELECT file_id AS fileId FROM chunk WHERE embedding_id = ?'),
    put: db.prepare('INSERT OR REPLACE INTO note_vector VALUES (?, ?)'),
    remove: db.prepare('DELETE FROM note_vector WHERE file_id = ?'),
    clear: db.prepare('DELETE FROM note_vector'),
  };
}
