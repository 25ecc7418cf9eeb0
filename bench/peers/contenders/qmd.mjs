/**
 * The words of qmd (`qmd search`: FTS5 over whole notes, all words wanted), by its library, so that no start of a program is in
 * the time. Neither vectors nor a model are asked for, so none is fetched. Danger: it runs on a newer Node than the product,
 * with nothing of ours but what needs no package.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEPTH = 50;
const COLLECTION = 'notes';

/** @param {string} folder @param {{module: string}} options where it is installed (../install-qmd.mjs) */
export async function prepare({ module }) {
  const { createStore } = await import(module);
  return (folder) => index(createStore, folder);
}

async function index(createStore, folder) {
  const data = mkdtempSync(join(tmpdir(), 'vault-mcp-peers-qmd-'));
  const collections = { [COLLECTION]: { path: folder, pattern: '**/*.md' } };
  const store = await createStore({ dbPath: join(data, 'index.sqlite'), config: { collections } });
  await store.update();
  return {
    async ask(query) {
      const found = await store.searchLex(query, { limit: DEPTH });
      return found.map(({ displayPath }) => displayPath.slice(COLLECTION.length + 1));
    },
    async close() {
      await store.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
