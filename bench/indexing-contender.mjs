/**
 * One contender in a process of its own: `node bench/indexing-contender.mjs NAME VAULT` prints how many notes there were and
 * how many seconds, of the clock and of the processor, they took from the first look at the folder on. Libraries are loaded
 * before.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONTENDERS = {
  'vault-mcp': async (vault) => {
    const { startLoneIndexer } = await import('./lone-indexer.mjs');
    return { index: () => startLoneIndexer(vault), end: (indexer) => indexer.close() };
  },
  minisearch: async (vault) => {
    const { default: MiniSearch } = await import('minisearch');
    return {
      index() {
        const index = new MiniSearch({ fields: ['text'] });
        let id = 0;
        for (const path of notesOf(vault)) index.add({ id: id++, text: readFileSync(path, 'utf8') });
      },
    };
  },
  orama: async (vault) => {
    const { create, insert } = await import('@orama/orama');
    return {
      async index() {
        const index = create({ schema: { text: 'string' } });
        for (const path of notesOf(vault)) await insert(index, { text: readFileSync(path, 'utf8') });
      },
    };
  },
};

function notesOf(vault) {
  return readdirSync(vault, { recursive: true })
    .filter((name) => name.endsWith('.md') && !name.split('/').some((part) => part.startsWith('.')))
    .map((name) => join(vault, name));
}

const [, , name, vault] = process.argv;
const { index, end = () => {} } = await CONTENDERS[name](vault);
const [from, usedBefore] = [performance.now(), process.cpuUsage()];
const made = await index();
const seconds = (performance.now() - from) / 1000;
const { user, system } = process.cpuUsage(usedBefore);
await end(made);
const figures = { notes: notesOf(vault).length, seconds, processor: (user + system) / 1e6 };
process.stdout.write(`${JSON.stringify(figures)}\n`);
