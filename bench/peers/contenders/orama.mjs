/** Orama as it comes: an index of words in memory. Danger: its default reads English, and drops whatever is not Latin. */
import { create, insert, search } from '@orama/orama';
import { notesOf } from '../note-files.mjs';

const DEPTH = 50;

export async function index(folder) {
  const made = create({ schema: { title: 'string', text: 'string' } });
  for (const note of notesOf(folder)) await insert(made, note);
  return {
    async ask(query) {
      const { hits } = await search(made, { term: query, limit: DEPTH });
      return hits.map(({ id }) => id);
    },
  };
}
