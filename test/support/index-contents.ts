/** What an index holds, as tests of whole flows ask for it: what words find, and every row search can see. */
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { matchExpression } from '@vault-mcp/shared/analysis/match-expression';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import Database from 'better-sqlite3';
import type { IndexedVault } from './indexed-vault.ts';

/** Paths of the chunks that hold every one of the words, best first. */
export function pathsWith(words: string, { reader }: IndexedVault): string[] {
  const match = matchExpression(createAnalyzer('en').queryTerms(words), 'all') ?? '';
  const hits = reader.lexicalCandidates(match, { excludeDirs: [], includeSuperseded: true, readable: null }, 50);
  return reader.chunks(hits.map(({ chunkId }) => chunkId)).map((chunk) => chunk.path);
}

/** @returns another number each time that the file's row is made anew; undefined where there is none */
export function rowIdOf(index: string, path: string): number | undefined {
  const reader = openIndexReader(index);
  try {
    return reader.fileByPath(path)?.id;
  } finally {
    reader.close();
  }
}

/** Every row that search can see, without ids: what must be equal however an index came about. */
export function searchableRows({ config }: IndexedVault): unknown {
  const db = new Database(config.index.path, { readonly: true });
  try {
    return db
      .prepare(
        `SELECT f.path, f.title, f.description, f.tags, f.state, f.reason, c.ordinal, c.breadcrumb, c.line_start, c.line_end, c.text, e.text_hash, hex(v.vector) AS vector
         FROM file f LEFT JOIN chunk c ON c.file_id = f.id LEFT JOIN embedding e ON e.id = c.embedding_id
         LEFT JOIN embedding_vector v ON v.embedding_id = e.id ORDER BY f.path, c.ordinal`,
      )
      .all();
  } finally {
    db.close();
  }
}
