/**
 * Ours as a person has it: the whole program, asked over HTTP. Index time is from before the process exists until words find
 * every note; `settled` then waits for all vectors. Memory is the program's, not the asking process's.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServed } from '../../served.mjs';

/** The index page would be written into a vault that others read too. */
const UNTOUCHED = { CATALOG_ENABLED: 'false' };
const BY_WORDS = { EMBED_PROVIDER: 'lexical', SEARCH_DENSE_WEIGHT: '0' };

/** @param {{words: boolean}} options whether words alone are searched, instead of the built-in model too */
export async function prepare({ words }) {
  const env = words ? { ...UNTOUCHED, ...BY_WORDS } : UNTOUCHED;
  return (folder) => index(folder, env, !words);
}

async function index(folder, env, embeds) {
  const data = mkdtempSync(join(tmpdir(), 'vault-mcp-peers-served-'));
  const served = await startServed({ vault: folder, data, env });
  await served.until(({ index: { state } }) => state === 'ready');
  return {
    async ask(query) {
      const answer = await served.get(`/search?q=${encodeURIComponent(query)}`);
      const body = await answer.json();
      if (!answer.ok) throw new Error(`search failed: ${JSON.stringify(body)}`);
      return [...new Set(body.results.map(({ path }) => path))];
    },
    ...(embeds && { settled: () => served.until(allEmbedded) }),
    memory: () => served.memory(),
    async close() {
      await served.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function allEmbedded({ index: { pending }, queue: { depth } }) {
  return pending === 0 && depth === 0;
}
