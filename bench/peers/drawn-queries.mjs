/**
 * Queries that a vault can answer, drawn from what it says itself: titles, one word, two that stand side by side, four of one
 * note. The same ones in every run. Danger: words drawn at random are as often common as rare, which a person's are not, so
 * they tell of speed and nothing else.
 */
import { randomFrom } from '../scale/random.mjs';

const SEED = 17;
/** Longer runs are sentences of a script that leaves no spaces; of these, a piece is asked for. */
const WORD = /[\p{L}\p{M}\p{N}]{2,12}/gu;
const KINDS = [
  ({ title }) => title,
  ({ words, draw }) => words[draw(words.length)],
  ({ words, draw }) => {
    const at = draw(Math.max(1, words.length - 1));
    return words.slice(at, at + 2).join(' ');
  },
  ({ words, draw }) => Array.from({ length: 4 }, () => words[draw(words.length)]).join(' '),
];

/**
 * @param {readonly {title: string, text: string}[]} notes at least one of them with a word in it
 * @param {number} count of queries, of each kind as many
 * @returns {string[]}
 */
export function drawQueries(notes, count) {
  const random = randomFrom(SEED);
  const draw = (below) => Math.floor(random() * below);
  const speaking = notes
    .map(({ title, text }) => ({ title, text, words: text.match(WORD) ?? [] }))
    .filter(({ words }) => words.length > 0);
  if (speaking.length === 0) throw new Error('There is no word in these notes to ask for.');
  return Array.from({ length: count }, (_, n) => KINDS[n % KINDS.length]({ ...speaking[draw(speaking.length)], draw }));
}
