/** MiniSearch as it comes: an index of words in memory, BM25 over title and text, any of the words. */
import MiniSearch from 'minisearch';
import { notesOf } from '../note-files.mjs';

const DEPTH = 50;

/** @param {string} folder @param {object} [options] of MiniSearch */
export function index(folder, options = {}) {
  const made = new MiniSearch({ fields: ['title', 'text'], ...options });
  for (const note of notesOf(folder)) made.add(note);
  return {
    ask: (query) =>
      made
        .search(query)
        .slice(0, DEPTH)
        .map(({ id }) => id),
  };
}
