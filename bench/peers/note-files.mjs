/**
 * The notes of a folder as a library takes them: title and text. Danger: what is read here costs every library the same, and
 * is part of its index time, as looking through the folder is part of ours.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const HEADING = /^(?:---\r?\n[\s\S]*?\r?\n---\r?\n)?\s*# ([^\r\n]{1,512})/;

/** @returns {string[]} paths within the folder of all that is markdown and not hidden */
export function notePaths(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.md') && !path.split('/').some((part) => part.startsWith('.')))
    .sort();
}

/** @returns {Generator<{id: string, title: string, text: string}>} one after the other, by path */
export function* notesOf(folder) {
  for (const path of notePaths(folder))
    yield { id: path, ...titleAndText(path, readFileSync(join(folder, path), 'utf8')) };
}

/** A note that begins with a heading has it as its title, and not in its text again; any other is called as its file. */
export function titleAndText(path, content) {
  const heading = HEADING.exec(content);
  if (heading === null) return { title: basename(path, '.md'), text: content };
  const end = heading[0].length;
  return { title: heading[1].trim(), text: content.slice(0, end - heading[1].length - 2) + content.slice(end) };
}
