/**
 * What the image's HEALTHCHECK runs: ends with 0 while the file named as its argument, the program's pulse, is fresh.
 * Danger: it runs every few seconds for as long as the container lives, so it loads nothing of the product.
 */
import { statSync } from 'node:fs';

/** As old may a heartbeat be, in milliseconds, before the api too calls the indexer dead (SPEC §16). */
const FRESH_MS = 15_000;

const pulse = statSync(process.argv[2] ?? '', { throwIfNoEntry: false });
const age = pulse && Date.now() - pulse.mtimeMs;
if (age === undefined || age > FRESH_MS) {
  // Shown by `docker inspect`.
  console.error(age === undefined ? 'not well so far' : `last known to be well ${Math.round(age / 1000)} s ago`);
  process.exitCode = 1;
}
