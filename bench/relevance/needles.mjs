/**
 * Made-up notes in which one rule of the chunker is at stake, each with questions whose answer is known by construction: lists of
 * facts, long tables, code, running text. Pure, and the same each time. Danger: they show what a rule does where it acts at all, and
 * nothing of how often that is; a figure from here is never one of how well search works.
 */
import { laidOut, own } from './joined-notes.mjs';
import { fileNameOf } from './notes.mjs';
import { seeded } from './seeded.mjs';

/**
 * @typedef {{name: string, notes: Map<string, string>, passages: Map<string, import('./passages.mjs').Passage[]>,
 *   queries: {text: string, judgments: Map<string, number>}[], byChunk: boolean}} NeedleSet `byChunk`: every chunk is one place,
 *   whatever it holds (chunksRead), since the passages are lines
 */

const THINGS = words('boiler van sauna kiln tractor bicycle freezer lathe dinghy piano caravan generator');
const PARTS = words(
  'valve gasket bearing hinge fuse pump belt sensor filter bracket spring handle seal hose switch lamp',
);
const CAUSES = words('rust frost leak noise smoke wear mice damp shock dust salt heat');
const PEOPLE = words('Mara Jonas Ilse Peter Greta Anton Vera Klaus Nora Emil');
const SHOPS = words('Brunner Halder Kessel Nordmann Petri Quandt Riegel Seidl');
const PLACES = words('cellar attic yard workshop porch orchard garage pantry');
const MEASURES = words('torque thickness voltage weight length price stock hardness colour supplier delivery warranty');
const TASKS = words('parse merge rotate export verify compress schedule resolve encrypt archive');
const OBJECTS = words('invoice calendar backup thumbnail ledger certificate journal playlist manifest receipt');
const LAST = words('rollback checksum timeout cleanup notification retry logging locking flushing sorting');

/** @returns {NeedleSet[]} */
export function needleSets() {
  return [facts(), tables(), code(), sentences()];
}

/** One note a thing, whose name stands in the note's title only; an item says part, cause, person and shop. */
function facts() {
  const chance = seeded('facts');
  const notes = THINGS.map((thing) => {
    const about = distinct(chance, PARTS, CAUSES, 24);
    const items = about.map(([part, cause], n) => {
      const day = `2024-${two(1 + chance.below(12))}-${two(1 + chance.below(28))}`;
      const [who, shop, place] = [chance.one(PEOPLE), chance.one(SHOPS), chance.one(PLACES)];
      const line = `- ${day}: ${who} replaced the ${part} because of ${cause}, bought at ${shop} and kept in the ${place}`;
      return { id: `${thing} ${n}`, lines: [line] };
    });
    const head = ['---', `title: The ${thing}`, `description: What was done to the ${thing}`, '---', ''];
    const asked = about.slice(0, 6).map(([part, cause], n) => ({
      text: `who replaced the ${part} of the ${thing} because of ${cause}`,
      id: `${thing} ${n}`,
    }));
    return { parts: [own(...head, '## Log', ''), ...chance.shuffled(items)], asked };
  });
  return needleSet('facts', notes, false);
}

/** The same articles in every table, each with two measures of its own that only the header names. */
function tables() {
  const chance = seeded('tables');
  const columns = distinct(chance, MEASURES, MEASURES, 20, (a, b) => a < b);
  const notes = columns.map(([left, right], n) => {
    const articles = chance.shuffled(PARTS.flatMap((part) => SHOPS.map((shop) => `${part} ${shop}`)));
    const rows = articles.map((article) => ({
      id: `${n} ${article}`,
      lines: [`| ${article} | ${100 + chance.below(900)} | ${100 + chance.below(900)} |`],
    }));
    const asked = Array.from({ length: 6 }, () => chance.one(articles)).map((article) => ({
      text: `${article} ${left} ${right}`,
      id: `${n} ${article}`,
    }));
    return { parts: [own('# Sheet', '', `| article | ${left} | ${right} |`, '| --- | --- | --- |'), ...rows], asked };
  });
  return needleSet('tables', notes, true);
}

/** Functions longer than a chunk; a question names what the first line says and what the last lines do. */
function code() {
  const chance = seeded('code');
  const functions = TASKS.flatMap((task) => OBJECTS.map((object) => ({ task, object, last: chance.one(LAST) })));
  const order = chance.shuffled(functions);
  const notes = Array.from({ length: 25 }, (_, n) => {
    const here = order.slice(4 * n, 4 * n + 4);
    const parts = here.map(({ task, object, last }) => ({
      id: `${task} ${object}`,
      lines: functionBlock(chance, task, object, last),
    }));
    const asked = here.map(({ task, object, last }) => ({
      text: `${task} ${object} with ${last}`,
      id: `${task} ${object}`,
    }));
    return { parts: [own('# Sources', ''), ...parts], asked };
  });
  return needleSet('code', notes, false);
}

function functionBlock(chance, task, object, last) {
  const steps = Array.from({ length: 28 + chance.below(20) }, (_, n) => {
    return `  const step${n} = combine(input.${chance.one(PARTS)}, state.${chance.one(PLACES)}, ${chance.below(1000)});`;
  });
  return [
    '```js',
    `// ${task} the ${object}`,
    'function run(input, state) {',
    ...steps,
    `  // ${last}`,
    '  return state;',
    '}',
    '```',
    '',
  ];
}

/** Sentences, a line each; a question needs two that follow each other, wherever the chunks part. */
function sentences() {
  const chance = seeded('sentences');
  const notes = Array.from({ length: 24 }, (_, n) => {
    const pairs = distinct(chance, PEOPLE, THINGS, 60).map(([who, thing], pair) => {
      const [place, shop, cause] = [chance.one(PLACES), chance.one(SHOPS), chance.one(CAUSES)];
      const [first, second] = [
        `${who} bought a ${thing} from ${shop}.`,
        `It was put into the ${place} and suffered from ${cause}.`,
      ];
      return { id: `${n} ${pair}`, lines: [first, second], text: `${who} ${thing} ${shop} ${place} ${cause}` };
    });
    const asked = pairs.filter((_, pair) => pair % 5 === n % 5).map(({ id, text }) => ({ id, text }));
    return { parts: [own('# Diary', ''), ...pairs], asked };
  });
  return needleSet('sentences', notes, true);
}

function needleSet(name, made, byChunk) {
  const notes = new Map();
  const passages = new Map();
  for (const [n, { parts }] of made.entries()) {
    const { text, places } = laidOut(parts);
    notes.set(fileNameOf(`${name} ${n}`), text);
    passages.set(fileNameOf(`${name} ${n}`), places);
  }
  const queries = made.flatMap(({ asked }) => asked).map(({ text, id }) => ({ text, judgments: new Map([[id, 1]]) }));
  return { name, notes, passages, queries, byChunk };
}

/** Different pairs of one of each list. */
function distinct(chance, left, right, count, wanted = () => true) {
  const all = left.flatMap((a) => right.map((b) => [a, b])).filter(([a, b]) => wanted(a, b));
  return chance.shuffled(all).slice(0, count);
}

function two(number) {
  return String(number).padStart(2, '0');
}

function words(text) {
  return text.split(' ');
}
