/**
 * What is measured without `--collection`: our own queries over examples/vault, and every judged collection that is at hand. The
 * collections are no part of the project; where they are missing, the run says so and does without.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCollection } from './collection.mjs';
import { measureCollection, measureVault } from './measure.mjs';
import { readOwnQueries } from './own-queries.mjs';

const VAULT = resolve('examples/vault');

/** @returns {{name: string, about: string, measure: (options: object) => Promise<import('./measure.mjs').MeasuredSet>}[]} */
export function allSets(say) {
  const queries = readOwnQueries(VAULT);
  const own = {
    name: 'examples',
    about: `${queries.length} queries`,
    measure: (options) => measureVault({ name: 'examples', folder: VAULT, queries }, options),
  };
  return [own, ...sharedFolders(say).map(collectionSet)];
}

export function collectionSet(folder) {
  const collection = readCollection(folder);
  const { name, documents, queries, leftOut } = collection;
  const about = [`${documents.length} documents, ${queries.length} queries`, ...leftOut].join('; ');
  return { name, about, measure: (options) => measureCollection(collection, options) };
}

function sharedFolders(say) {
  const shared = join(process.env.TEST_SHARED_FOLDER ?? resolve('../shared'), 'collections');
  if (!existsSync(shared)) {
    say('The judged collections are not at hand (TEST_SHARED_FOLDER): only examples/vault is measured.');
    return [];
  }
  return readdirSync(shared)
    .toSorted()
    .map((name) => join(shared, name));
}
