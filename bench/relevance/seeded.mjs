/**
 * Chance that is the same each time, for made-up notes. Danger: figures of two runs are only comparable while the same seed gives the
 * same notes, on every machine; so nothing here asks the runtime for anything.
 */
import { randomFrom } from '../scale/random.mjs';

/** @param {string} seed any text; hashed by FNV-1a */
export function seeded(seed) {
  let hash = 0x811c9dc5;
  for (const char of seed) hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193);
  const next = randomFrom(hash >>> 12); // 20 bits, which it multiplies without loss
  const below = (end) => Math.floor(next() * end);
  return {
    /** A whole number from 0 to below `end`. */
    below,
    /** One of them. */
    one: (values) => values[below(values.length)],
    /** A new array in another order (Fisher and Yates). */
    shuffled(values) {
      const mixed = [...values];
      for (let at = mixed.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
      }
      return mixed;
    },
  };
}
