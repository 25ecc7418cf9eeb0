/**
 * What the chunker's rules are measured on: folders of notes with questions, and how a ranked list of chunks is read as what is judged.
 * Danger: what is judged must not depend on the chunks, or every variant is measured by its own measure; it is a note or lines of one.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCollection } from './collection.mjs';
import { joinedNotes } from './joined-notes.mjs';
import { needleSets } from './needles.mjs';
import { readOwnQueries } from './own-queries.mjs';
import { chunksRead, isTouched, passagesRead } from './passages.mjs';

const VAULT = resolve('examples/vault');
/** As deep as recall@50 looks. */
const MOST = 50;

/**
 * @typedef {{name: string, about: string, dense: boolean, write: (folder: string) => void,
 *   queries: {text: string, judgments: Map<string, number>}[],
 *   read: (ranked: readonly import('./passages.mjs').Place[], judgments: Map<string, number>) => string[]}} ChunkSet
 */

/**
 * @param {{allDense: boolean, byChunk: boolean, say: (line: string) => void}} options `byChunk`: in joined notes every chunk is one
 *   place, however many documents it holds
 * @returns {ChunkSet[]}
 */
export function chunkSets({ allDense, byChunk, say }) {
  return [ownSet(), ...joinedSets({ allDense, byChunk, say }), ...needleSets().map(generatedSet)];
}

function ownSet() {
  const queries = readOwnQueries(VAULT).filter(({ judgments }) => judgments.size > 0);
  return {
    name: 'examples',
    about: `examples/vault as it is, ${queries.length} questions by hand, a note is judged`,
    dense: true,
    write: (folder) => cpSync(VAULT, folder, { recursive: true }),
    queries,
    read: (ranked) => [...new Set(ranked.map(({ path }) => path))].slice(0, MOST),
  };
}

function joinedSets({ allDense, byChunk, say }) {
  const shared = join(process.env.TEST_SHARED_FOLDER ?? resolve('../shared'), 'collections');
  if (!existsSync(shared)) {
    say('The judged collections are not at hand (TEST_SHARED_FOLDER): there are no joined notes of them.');
    return [];
  }
  return readdirSync(shared)
    .toSorted()
    .map((folder) => {
      const { name, documents, queries } = readCollection(join(shared, folder));
      const { notes, passages } = joinedNotes(name, documents);
      return {
        name: `${name}-joined`,
        about: `${documents.length} documents in ${notes.size} notes, ${queries.length} questions, a document's lines are judged`,
        dense: allDense,
        write: (vault) => writeAll(vault, notes),
        queries,
        read: (ranked, judgments) =>
          byChunk ? chunksRead(ranked, passages, judgments, MOST, isTouched) : passagesRead(ranked, passages, MOST),
      };
    });
}

function generatedSet({ name, notes, passages, queries, byChunk }) {
  const judged = byChunk ? 'the chunk that holds all lines of the answer' : 'the lines of the answer';
  return {
    name: `made-up-${name}`,
    about: `${notes.size} notes, ${queries.length} questions, ${judged}`,
    dense: true,
    write: (vault) => writeAll(vault, notes),
    queries,
    read: (ranked, judgments) =>
      byChunk ? chunksRead(ranked, passages, judgments, MOST) : passagesRead(ranked, passages, MOST),
  };
}

function writeAll(folder, notes) {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of notes) writeFileSync(join(folder, path), text);
}
