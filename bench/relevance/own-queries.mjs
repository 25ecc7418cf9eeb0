/**
 * Our own questions to examples/vault, judged by hand: queries/examples.jsonl, one a line. Danger: a path that no longer exists is a
 * query nobody can answer any more, so it is an error.
 *
 *   relevant   grade by path: 2 answers it, 1 belongs to it; none at all means that the vault does not know. Who asks for a number is
 *              answered by its line in Reference/Identifiers.md where that says what it is, and not where it only lists it
 *   tags       what kind of query it is; figures are told by tag, too
 *   arm        which arm it takes: lexical, dense, or any where one of them is enough
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CollectionError } from './collection.mjs';

const FILE = join(dirname(fileURLToPath(import.meta.url)), 'queries/examples.jsonl');
const ARMS = ['lexical', 'dense', 'hybrid', 'any'];

/**
 * @param {string} vault folder
 * @returns {{id: string, text: string, judgments: Map<string, number>, tags: string[], arm: string}[]}
 * @throws CollectionError that names the line
 */
export function readOwnQueries(vault, file = FILE) {
  const ids = new Set();
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const { id, text, relevant, tags, arm } = JSON.parse(line);
      const at = `${file}:${index + 1}`;
      const missing = Object.keys(relevant).filter((path) => !existsSync(join(vault, path)));
      if (missing.length > 0) throw new CollectionError(`${at}: the vault has no ${missing.join(', ')}.`);
      if (ids.has(id) || !ARMS.includes(arm))
        throw new CollectionError(`${at}: an id of its own and an arm are needed.`);
      ids.add(id);
      return { id, text, judgments: new Map(Object.entries(relevant)), tags, arm };
    });
}
