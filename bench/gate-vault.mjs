/**
 * A vault of made-up notes for `npm run bench:gate`: words drawn as often as words are (Zipf), a part of them from the subject of
 * the note's folder, and two notes in a hundred nearly the same as another one. The same notes each time, since chance begins at
 * one seed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMESPACES = 20;
const WORDS = 12_000;
const SUBJECT_WORDS = 300;
const NEAR_COPIES = 0.02;
const PAGES = 1_000;

/** @returns {() => number} from 0 up to 1 (mulberry32) */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = chance(7);
const words = Array.from({ length: WORDS }, () => made(''));
const upTo = words.map(
  (
    (sum) => (_, rank) =>
      (sum += 1 / (rank + 1))
  )(0),
);
const subjects = Array.from({ length: NAMESPACES }, () => Array.from({ length: SUBJECT_WORDS }, () => of(words)));

function of(list) {
  return list[Math.floor(random() * list.length)];
}

function made(prefix) {
  const syllables = Array.from({ length: 2 + Math.floor(random() * 3) }, () => `${of('bdfgklmnprstvz')}${of('aeiou')}`);
  return prefix + syllables.join('');
}

/** By its rank: the first is drawn half as often again as the second. */
function common() {
  const at = random() * upTo[WORDS - 1];
  let [low, high] = [0, WORDS - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (upTo[middle] < at) low = middle + 1;
    else high = middle;
  }
  return words[low];
}

function text(length, word) {
  const drawn = Array.from({ length }, word);
  return drawn.map((one, n) => (n % 12 === 11 ? `${one}.` : one)).join(' ');
}

/** Nearly the same: one word in twenty is another. */
export function nearCopy(body) {
  return body
    .split(' ')
    .map((word) => (random() < 0.05 ? common() : word))
    .join(' ');
}

/** What no note of the vault says anything like. */
export function unheardOf() {
  return text(80, () => made('xh'));
}

/**
 * @param {string} folder
 * @param {number} count
 * @returns {{title: string, namespace: string, body: string}[]} the notes, without the copies
 */
export function writeNotes(folder, count) {
  const originals = [];
  for (let n = 0; n < count; n++) {
    const isCopy = originals.length > 0 && random() < NEAR_COPIES;
    const note = isCopy ? copyOf(of(originals), n) : original(n);
    if (!isCopy) originals.push(note);
    mkdirSync(join(folder, note.namespace), { recursive: true });
    writeFileSync(
      join(folder, note.namespace, `note-${n}.md`),
      `---\ntype: fact\ntitle: ${note.title}\n---\n${note.body}\n`,
    );
  }
  return originals;
}

function original(n) {
  const at = Math.floor(random() * NAMESPACES);
  const body = text(60 + Math.floor(random() * 120), () => (random() < 0.4 ? of(subjects[at]) : common()));
  return { title: `${common()} ${of(subjects[at])} ${n}`, namespace: `Namespace ${at}`, body };
}

function copyOf({ title, namespace, body }, n) {
  return { title: `${title} ${n}`, namespace, body: nearCopy(body) };
}

/** Wiki pages of a few facts each. @returns {string[]} their slugs */
export function writePages(folder) {
  mkdirSync(join(folder, 'Wiki'), { recursive: true });
  return Array.from({ length: PAGES }, (_, n) => {
    const slug = `${made('')}-${made('')}-${n}`;
    const facts = Array.from({ length: 5 }, () => `- ${text(10, common)} (added 2026-01-31)`);
    writeFileSync(
      join(folder, 'Wiki', `${slug}.md`),
      `---\ntitle: ${slug}\n---\n# ${slug}\n\n## Updates\n\n${facts.join('\n')}\n`,
    );
    return slug;
  });
}

/** A fact for a page. */
export function fact() {
  return text(12, common);
}
