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
  return (folder) => index(folder, words ? { ...UNTOUCHED, ...BY_WORDS } : UNTOUCHED);
}

async function index(folder, env) {
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
    settled: () => served.until(({ index: { pending }, queue: { depth } }) => pending === 0 && depth === 0),
    memory: () => served.memory(),
    async close() {
      await served.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
