/**
 * What the image's HEALTHCHECK runs: ends with 0 when the api of this container answers `/healthz`. Danger: it must ask
 * nothing more, since a container is not ill because its embedder or its indexer is (that is what `/readyz` says).
 */
import { chosenValue } from '@vault-mcp/shared/config/load';

/** `server.port`; asked for alone, since this serves the embedded image too, which has no Redis to be configured. */
const DEFAULT_PORT = 8080;
/** Less than what the image allows the check. */
const TIMEOUT_MS = 4_000;

try {
  const port = chosenValue('server.port', { mode: 'containers' }) ?? DEFAULT_PORT;
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`/healthz answered ${answer.status}`);
} catch (error) {
  // Shown by `docker inspect`.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
