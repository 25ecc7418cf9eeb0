/**
 * What the image's HEALTHCHECK runs: ends with 0 when the api of this container answers `/healthz` on the port named as
 * its argument. Danger: it runs every few seconds for as long as the container lives, so it loads nothing of the product;
 * and it asks nothing more, since a container is not ill because its embedder or indexer is (`/readyz` says that).
 */
import { get } from 'node:http';

const DEFAULT_PORT = '8080';
/** Less than what the image allows the check. */
const TIMEOUT_MS = 4_000;

function end(problem: string): void {
  // Shown by `docker inspect`.
  console.error(problem);
  process.exit(1);
}

const port = process.argv[2] || DEFAULT_PORT;
get(`http://127.0.0.1:${port}/healthz`, { timeout: TIMEOUT_MS }, (answer) => {
  if (answer.statusCode !== 200) end(`/healthz answered ${answer.statusCode}`);
  answer.resume();
})
  .on('timeout', () => end(`/healthz did not answer within ${TIMEOUT_MS} ms`))
  .on('error', (error) => end(error.message));
