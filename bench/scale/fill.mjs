/**
 * An index of so many chunks, by the product's own analyzer and writer and nothing else of it: no vault stands behind it.
 * Danger: it takes minutes and 4 KB of disk a chunk, so a finished one is kept and used again, under a name that has to change
 * with whatever makes it.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { SCHEMA_VERSION } from '@vault-mcp/shared/index-db/schema';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { randomFrom } from './random.mjs';
import { textSource } from './texts.mjs';
import { vectorSource } from './vectors.mjs';

/** Another one whenever the vectors or texts become others. */
const GENERATOR = 2;
export const SPACE = 'bench-scale';
const CHUNKS_OF_A_NOTE = 5;
/** One chunk in so many says what others say. */
const REPEATED = 50;
const REPEATED_TEXTS = 200;
const VECTORS_AT_ONCE = 500;
const QUERIES = 200;

/**
 * @param {string} folder for all of them
 * @param {number} count chunks
 * @returns where the index is, and queries that go with it
 */
export function scaleIndex(folder, count, say) {
  const path = join(folder, `${count}-chunks-v${GENERATOR}-schema${SCHEMA_VERSION}.db`);
  const sources = { vectors: vectorSource(count), texts: textSource() };
  const asked = queries(sources, count);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const began = performance.now();
    const unfinished = `${path}.unfinished`;
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true });
    fill(unfinished, count, sources, say);
    renameSync(unfinished, path);
    say(`filled ${path} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  return { path, queries: asked, nextNote: noteSource(sources, 'Edited: ') };
}

/** Drawn before the chunks, so that they are the same whether or not the index was there. */
function queries({ vectors, texts }) {
  return Array.from({ length: QUERIES }, () => {
    const { cluster, vector } = vectors.next();
    return { text: texts.query(cluster), vector };
  });
}

function fill(path, count, sources, say) {
  const writer = openIndexWriter(path);
  try {
    writer.embeddings.useSpace(SPACE);
    const nextNote = noteSource(sources, '');
    let waiting = new Map();
    const store = () => {
      writer.flush();
      writer.embeddings.storeVectors(waiting);
      waiting = new Map();
    };
    for (let chunks = 0, note = 0; chunks < count; note++) {
      const { record, vectors } = nextNote(note, Math.min(CHUNKS_OF_A_NOTE, count - chunks));
      writer.putFile(record, { grouped: true });
      for (const [key, vector] of vectors) waiting.set(key, vector);
      if (waiting.size >= VECTORS_AT_ONCE) store();
      chunks += record.chunks.length;
      if (note % 4000 === 0) say(`${chunks} of ${count} chunks`);
    }
    store();
    writer.publishStatus(status());
    writer.checkpoint();
  } finally {
    writer.close();
  }
}

/**
 * @param {string} opening of each text, which makes it another
 * @returns a function that makes the n-th note; half of all stand in `Half`, one in a hundred in `Percent`
 */
function noteSource({ vectors, texts }, opening) {
  const analyzer = createAnalyzer('en');
  const random = randomFrom(13);
  const repeated = new Set();
  const chunkOf = (ordinal, known) => {
    const { cluster, vector } = vectors.next();
    const repeats = random() * REPEATED < 1;
    const said = repeats ? `What is repeated: ${Math.floor(random() * REPEATED_TEXTS)}.` : texts.chunk(cluster);
    const text = `${opening}${said}`;
    const textHash = hash(text);
    if (!repeated.has(textHash)) known.set(textHash, vector);
    if (repeats) repeated.add(textHash);
    const terms = analyzer.indexTerms(text).join(' ');
    return { ordinal, breadcrumb: '', lineStart: ordinal + 1, lineEnd: ordinal + 1, text, page: null, terms, textHash };
  };
  return (n, length) => {
    const made = new Map();
    const chunks = Array.from({ length }, (_, ordinal) => chunkOf(ordinal, made));
    const folder = n % 100 === 1 ? 'Percent' : n % 2 === 0 ? 'Half' : 'Rest';
    return { record: noteRecord(`${folder}/Note ${n}.md`, chunks), vectors: made };
  };
}

function noteRecord(path, chunks) {
  return {
    ...{ path, kind: 'note', sha256: hash(path), stat: { size: 1, mtimeMs: 1, ctimeMs: 1, inode: 1 }, digest: 'bench' },
    ...{ title: path, description: '', type: null, tags: [], supersededBy: null, state: 'indexed', reason: null },
    ...{ chunks, links: [] },
  };
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** The least that a search asks of it. */
function status() {
  return { heartbeatMs: Date.now(), state: 'ready', error: null };
}
