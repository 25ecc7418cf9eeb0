/**
 * Every set with its vault indexed, one after the other: our own queries over examples/vault, and each judged collection, its
 * documents as notes; or the collections again with a dozen documents joined in each note. Danger: an index is gone as soon as the
 * work on it ends, so nothing that reads it may be kept.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readCollection } from './collection.mjs';
import { indexVault } from './index-vault.mjs';
import { joinedNotes } from './joined-notes.mjs';
import { writeNotes } from './notes.mjs';
import { readOwnQueries } from './own-queries.mjs';
import { chunksRead, isTouched } from './passages.mjs';

const VAULT = resolve('examples/vault');
const COLLECTIONS = join(process.env.TEST_SHARED_FOLDER ?? resolve('../shared'), 'collections');

/**
 * @typedef {{name: string, queries: {text: string, judgments: Map<string, number>}[], read: (page: readonly import('./passages.mjs').Place[],
 *   judgments: Map<string, number>) => string[], dependencies: import('@vault-mcp/api/search/search').SearchDependencies, indexPath: string}} IndexedSet
 *   every query has an answer; `read` gives what a page holds of what is judged, best first
 * @template T
 * @param {{embedding: {env: Record<string, string>}, vectors: string, say: (line: string) => void}} options
 * @param {(set: IndexedSet) => Promise<T>} work
 * @returns {Promise<T[]>} what the work gave, a set each; without the collections of our own queries alone, which is said
 */
export async function withEachSet(options, work) {
  const given = [await ownSet(options, work)];
  if (!existsSync(COLLECTIONS)) {
    options.say('The judged collections are not at hand (TEST_SHARED_FOLDER): only examples/vault is measured.');
    return given;
  }
  for (const name of readdirSync(COLLECTIONS).toSorted()) {
    given.push(await collectionSet(join(COLLECTIONS, name), options, work));
  }
  return given;
}

/** The same for joined notes, where answers may stand in one note: what is judged is a document's lines, a chunk being one place. */
export async function withEachJoinedSet(options, work) {
  if (!existsSync(COLLECTIONS))
    throw new Error('Joined notes are made of the judged collections: set TEST_SHARED_FOLDER.');
  const given = [];
  for (const name of readdirSync(COLLECTIONS).toSorted()) given.push(await joinedSet(name, options, work));
  return given;
}

function joinedSet(name, options, work) {
  const { documents, queries } = readCollection(join(COLLECTIONS, name));
  const { notes, passages } = joinedNotes(name, documents);
  return indexed(`${name}-joined`, options, work, (vault) => {
    mkdirSync(vault, { recursive: true });
    for (const [path, text] of notes) writeFileSync(join(vault, path), text);
    const read = (page, judgments) => chunksRead(page, passages, judgments, page.length, isTouched);
    return { queries, read };
  });
}

function ownSet(options, work) {
  const queries = readOwnQueries(VAULT).filter(({ judgments }) => judgments.size > 0);
  return indexed('examples', options, work, (vault) => {
    cpSync(VAULT, vault, { recursive: true });
    return { queries, read: (page) => [...new Set(page.map(({ path }) => path))] };
  });
}

function collectionSet(folder, options, work) {
  const { name, documents, queries } = readCollection(folder);
  return indexed(name, options, work, (vault) => {
    const ids = writeNotes(vault, documents);
    return { queries, read: (page) => [...new Set(page.map(({ path }) => ids.get(path)))] };
  });
}

async function indexed(name, { embedding, vectors, say }, work, fill) {
  const base = mkdtempSync(join(tmpdir(), 'vault-mcp-sets-'));
  const places = { vault: join(base, 'vault'), data: join(base, 'data') };
  try {
    const set = fill(places.vault);
    const { dependencies, close } = await indexVault({
      ...places,
      embedding: embedding.env,
      vectors,
      say: (line) => say(`${name}: ${line}`),
    });
    try {
      return await work({ name, ...set, dependencies, indexPath: join(places.data, 'index.db') });
    } finally {
      await close();
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
