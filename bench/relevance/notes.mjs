/**
 * Writes a collection's documents as the notes a person would keep: the title as the note's heading, the text below it. Danger: a
 * file's name takes part in search (a note called by the query comes first), so names say nothing; an id may hold anything, so it
 * never becomes a path.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder is made
 * @param {readonly import('./collection.mjs').JudgedDocument[]} documents
 * @returns {Map<string, string>} the document's id by the note's path
 */
export function writeNotes(folder, documents) {
  mkdirSync(folder, { recursive: true });
  return new Map(
    documents.map((document) => {
      const path = fileNameOf(document.id);
      writeFileSync(join(folder, path), noteOf(document));
      return [path, document.id];
    }),
  );
}

/** One word of letters that no query holds; of the id alone, so that the order of the documents makes no difference. */
export function fileNameOf(id) {
  const letters = [...createHash('sha256').update(id).digest().subarray(0, 16)].map((byte) =>
    String.fromCharCode(97 + (byte >> 4), 97 + (byte & 15)),
  );
  return `${letters.join('')}.md`;
}

/**
 * Markdown: what a person would type. A text that begins with `---` would be read as frontmatter, so an empty line comes first
 * where there is no title.
 */
export function noteOf({ title, text }) {
  const heading = title.replace(/\s+/g, ' ').trim();
  return `${heading === '' ? '' : `# ${heading}`}\n\n${text.trim()}\n`;
}
