/**
 * An embedder that remembers what another one made, in a SQLite file that several runs share: the built-in model takes minutes for
 * a collection, and nothing of it changes between two runs. Danger: a vector under the wrong key ranks nonsense without any error,
 * so a key holds the space (model, dims, prefixes), the use and the whole text.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** Other runs write to the same file, each for a moment. */
const BUSY_MS = 60_000;

/**
 * @param {import('@vault-mcp/shared/embedding/embedder').Embedder} embedder
 * @param {string} file made when it is not there
 * @returns {import('@vault-mcp/shared/embedding/embedder').Embedder} closes the embedder with itself
 */
export function rememberVectors(embedder, file) {
  const stored = openStore(file, embedder.space);
  return {
    provider: embedder.provider,
    model: embedder.model,
    dims: embedder.dims,
    space: embedder.space,
    health: () => embedder.health(),
    async embedDocuments(texts, signal) {
      const outcomes = texts.map((text) => stored.get('document', text));
      const missing = texts.filter((_, index) => outcomes[index] === undefined);
      if (missing.length === 0) return outcomes;
      const made = await embedder.embedDocuments(missing, signal);
      stored.put('document', missing, made);
      const next = made.values();
      return outcomes.map((outcome) => outcome ?? next.next().value);
    },
    async embedQuery(text, signal) {
      const known = stored.get('query', text);
      if (known) return known.vector;
      const vector = await embedder.embedQuery(text, signal);
      stored.put('query', [text], [{ vector }]);
      return vector;
    },
    async close() {
      stored.close();
      await embedder.close();
    },
  };
}

function openStore(file, space) {
  mkdirSync(dirname(file), { recursive: true });
  const db = new Database(file, { timeout: BUSY_MS });
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID');
  const find = db.prepare('SELECT vector FROM vector WHERE key = ?').pluck();
  const insert = db.prepare('INSERT OR IGNORE INTO vector VALUES (?, ?)');
  const keyOf = (use, text) =>
    createHash('sha256')
      .update(JSON.stringify([space, use, text]))
      .digest();
  return {
    get(use, text) {
      const blob = find.get(keyOf(use, text));
      return blob && { vector: new Float32Array(new Uint8Array(blob).buffer) };
    },
    put: db.transaction((use, texts, outcomes) => {
      outcomes.forEach((outcome, index) => {
        if (outcome.vector) insert.run(keyOf(use, texts[index]), Buffer.from(new Float32Array(outcome.vector).buffer));
      });
    }),
    close: () => db.close(),
  };
}
