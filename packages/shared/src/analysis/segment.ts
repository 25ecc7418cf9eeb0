/**
 * Word boundaries for scripts that write none (Thai, Lao, Khmer, Burmese), by the dictionaries of `Intl.Segmenter`.
 * Danger: the dictionary splits by context, so a word found inside a sentence may split further when asked for by
 * itself. Every word is therefore segmented again alone until it is stable, and that is what counts on both sides.
 */

// The locale does not matter: the break engine follows the script of the text.
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });

const CACHED_WORDS = 20_000;
const stable = new Map<string, readonly string[]>();

/** Words of a run of such a script, in order. */
export function segmentRun(run: string): string[] {
  const words: string[] = [];
  for (const { segment } of segmenter.segment(run)) {
    if (segment === run) words.push(segment);
    else for (const word of stableWords(segment)) words.push(word);
  }
  return words;
}

function stableWords(word: string): readonly string[] {
  let words = stable.get(word);
  if (words === undefined) {
    words = segmentRun(word);
    if (stable.size >= CACHED_WORDS) stable.clear();
    stable.set(word, words);
  }
  return words;
}
