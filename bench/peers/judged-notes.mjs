/** The judged collections as folders of notes, with their judgments by the note's path. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCollection } from '../relevance/collection.mjs';
import { fileNameOf, writeNotes } from '../relevance/notes.mjs';

/**
 * @param {string} shared folder that holds `collections`
 * @param {string} folder in which one is made for each
 * @returns {{name: string, folder: string, judged: {text: string, judgments: [string, number][]}[]}[]} none where there are none
 */
export function judgedNotes(shared, folder) {
  const collections = join(shared, 'collections');
  if (!existsSync(collections)) return [];
  return readdirSync(collections)
    .toSorted()
    .map((name) => {
      const { documents, queries } = readCollection(join(collections, name));
      const notes = join(folder, name);
      writeNotes(notes, documents);
      return { name, folder: notes, judged: queries.map(judgedByPath) };
    });
}

/** @param {import('../relevance/collection.mjs').JudgedQuery} query */
export function judgedByPath({ text, judgments }) {
  return { text, judgments: [...judgments].map(([id, grade]) => [fileNameOf(id), grade]) };
}
