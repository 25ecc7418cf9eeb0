/**
 * A judged collection of abstracts as longer notes, so that it matters how they are split: each note joins a dozen documents that have
 * nothing to do with each other, as sections, sections with parts, deep headings, running paragraphs, a list or a table. What is
 * judged is each document's lines. Pure, and the same each time: the order and the forms come of a seed, which is the collection's
 * name. Danger: whatever is added here beyond the documents' own words could answer a query; so headings that are made up say nothing.
 */
import { fileNameOf } from './notes.mjs';
import { seeded } from './seeded.mjs';

const DOCUMENTS_PER_NOTE = 12;
/** Of a document without a title: a heading is what it begins with. */
const WORDS_OF_A_HEADING = 8;

/** How many documents a part of a note takes, and its lines. */
const FORMS = [
  { takes: 3, lines: (documents) => documents.map(section) },
  { takes: 2, lines: (documents) => documents.map(sectionInParts) },
  { takes: 3, lines: (documents) => [own('## Further'), ...documents.map(deepSection)] },
  { takes: 4, lines: (documents) => [own('## Notes'), ...documents.map(paragraph)] },
  { takes: 8, lines: (documents) => [own('## Collected'), ...documents.map(item), own('')] },
  {
    takes: 6,
    lines: (documents) => [
      own('## Overview', '', '| Subject | Summary |', '| --- | --- |'),
      ...documents.map(row),
      own(''),
    ],
  },
];

/**
 * @param {string} seed
 * @param {readonly import('./collection.mjs').JudgedDocument[]} documents
 * @returns {{notes: Map<string, string>, passages: Map<string, import('./passages.mjs').Passage[]>}} texts, and what is judged, by path
 */
export function joinedNotes(seed, documents) {
  const chance = seeded(seed);
  const left = chance.shuffled(documents).map(tidy);
  const notes = new Map();
  const passages = new Map();
  while (left.length > 0) {
    const path = fileNameOf(`${seed} ${notes.size}`);
    const parts = [own('# Reader', '')];
    let taken = 0;
    while (taken < DOCUMENTS_PER_NOTE && left.length > 0) {
      const form = chance.one(FORMS);
      const documentsOfPart = left.splice(0, form.takes);
      parts.push(...form.lines(documentsOfPart));
      taken += documentsOfPart.length;
    }
    const { text, places } = laidOut(parts);
    notes.set(path, text);
    passages.set(path, places);
  }
  return { notes, passages };
}

/**
 * @param {readonly {id: string | null, lines: readonly string[]}[]} parts `id` of what is judged
 * @returns {{text: string, places: import('./passages.mjs').Passage[]}}
 */
export function laidOut(parts) {
  const lines = [];
  const places = [];
  for (const part of parts) {
    const from = lines.length + 1;
    lines.push(...part.lines);
    if (part.id !== null)
      places.push({ id: part.id, from, to: from + part.lines.findLastIndex((line) => line !== '') });
  }
  return { text: `${lines.join('\n')}\n`, places };
}

/** Lines that belong to the note and to no document. */
export function own(...lines) {
  return { id: null, lines };
}

/** One line each of what has several, without marks that would make it something else than text. */
function tidy({ id, title, text }) {
  const line = (value) =>
    value
      .replace(/\s+/g, ' ')
      .replaceAll('|', '/')
      .replace(/^[-#>*+\s]+/, '')
      .trim();
  const body = line(text);
  const heading = line(title) || body.split(' ').slice(0, WORDS_OF_A_HEADING).join(' ');
  return { id, heading: heading || 'Untitled', body };
}

function section({ id, heading, body }) {
  return { id, lines: [`## ${heading}`, '', body, ''] };
}

function deepSection({ id, heading, body }) {
  return { id, lines: [`#### ${heading}`, '', body, ''] };
}

function sectionInParts({ id, heading, body }) {
  const half = body.indexOf(' . ', body.length / 2);
  const cut = half === -1 ? body.length : half + 2;
  const [first, second] = [body.slice(0, cut), body.slice(cut).trim()];
  return { id, lines: [`## ${heading}`, '', '### Outset', '', first, '', '### Outcome', '', second, ''] };
}

function paragraph({ id, heading, body }) {
  return { id, lines: [`**${heading}** ${body}`, ''] };
}

function item({ id, heading, body }) {
  return { id, lines: [`- **${heading}** ${body}`] };
}

function row({ id, heading, body }) {
  return { id, lines: [`| ${heading} | ${body} |`] };
}
