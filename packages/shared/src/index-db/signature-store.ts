/**
 * The signatures of stored vectors, in a narrow table of their own: a reader keeps all of them in memory, and finds by
 * `generation` which are new to it. Part of the writer's connection. Danger: a vector without its signature is never found in a
 * large vault, so both are written in one transaction. That a row goes with its content is the schema's doing.
 */
import type { Sqlite } from './open.ts';
import { toSignature } from './signature.ts';

export class SignatureStore {
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Sqlite) {
    this.#sql = prepareStatements(db);
  }

  /** @param generation the one that this transaction leads to. Inside a transaction. */
  put(embeddingId: number, vector: Float32Array, generation: number): void {
    this.#sql.put.run(embeddingId, generation, toSignature(vector));
  }

  /** Numbers of the stored vectors; null without any. */
  dims(): number | null {
    return this.#sql.dims.get()?.dims ?? null;
  }

  /** No content has a vector any more. Inside a transaction. */
  clear(): void {
    this.#sql.clear.run();
  }
}

function prepareStatements(db: Sqlite) {
  return {
    put: db.prepare('INSERT OR REPLACE INTO embedding_signature VALUES (?, ?, ?)'),
    dims: db.prepare<[], { dims: number }>('SELECT length(vector) / 4 AS dims FROM embedding_vector LIMIT 1'),
    clear: db.prepare('DELETE FROM embedding_signature'),
  };
}
