/**
 * Texts whose words are as unevenly common as those of a language: a few stand in nearly every chunk, most in hardly any, and
 * each cluster of chunks has some words of its own. Danger: words drawn evenly make every posting list equally short, and the
 * lexical arm looks faster than it is.
 */
import { randomFrom, zipfFrom } from './random.mjs';

const WORDS = 60_000;
/** The exponent of English prose, about. */
const EXPONENT = 1.05;
const WORDS_OF_A_CLUSTER = 40;
const [SHORTEST, LONGEST] = [60, 160];
/** One word in so many is of its cluster. */
const OF_CLUSTER = 6;
/** Ranks that a person would ask for: no stop words, nothing that stands in one chunk only. */
const ASKED_FROM = 30;
const ASKED_TO = 6_000;

export function textSource() {
  const random = randomFrom(11);
  const rank = zipfFrom(random, WORDS, EXPONENT);
  const words = Array.from({ length: WORDS }, (_, n) => rankedWord(n));
  const ofCluster = (cluster) => words[clusterWord(cluster, random)];
  return {
    chunk(cluster) {
      const length = SHORTEST + Math.floor(random() * (LONGEST - SHORTEST));
      const text = Array.from({ length }, () => (random() * OF_CLUSTER < 1 ? ofCluster(cluster) : words[rank()]));
      return `${text.join(' ')}.`;
    },
    /** Four words: two of what the cluster is about, one that is anywhere, one common. */
    query(cluster) {
      const anywhere = words[ASKED_FROM + Math.floor(random() * (ASKED_TO - ASKED_FROM))];
      const common = words[10 + Math.floor(random() * 20)];
      return [ofCluster(cluster), anywhere, ofCluster(cluster), common].join(' ');
    },
  };
}

function clusterWord(cluster, random) {
  const at = Math.floor(random() * WORDS_OF_A_CLUSTER);
  return ASKED_FROM + ((Math.imul(cluster + 1, 40_503) + at * 1_009) % (WORDS - ASKED_FROM));
}

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'hu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'wu', 'za'];

/** The word of a rank, the commonest being 0. No two ranks have the same, and none is in a list of stop words. */
export function rankedWord(rank) {
  let word = '';
  for (let left = rank + 16; left > 0; left >>= 4) word = SYLLABLES[left & 15] + word;
  return word;
}
