/**
 * A process of its own that proposes and consolidates without end, or a few times when told, for tests that kill it and for
 * several at once. Plain JavaScript on the compiled packages, since a child process runs no TypeScript on Node 20. Arguments:
 * vault, data folder. The index is there and stays as it is: nobody waits for it.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { openRecords } from '@vault-mcp/api/open-records';
import { consolidate } from '@vault-mcp/api/operations/consolidate';
import { propose } from '@vault-mcp/api/operations/propose';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { noHistory } from '@vault-mcp/shared/records/history';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';

const [, , root, dataPath] = process.argv;
const log = silentLogger();
const config = loadConfig({
  mode: 'embedded',
  cwd: dataPath,
  env: {
    VAULT_PATH: root,
    DATA_PATH: dataPath,
    EMBED_PROVIDER: 'lexical',
    GATE_DISTANCE_CEILING: '0.5',
    GATE_BM25_CEILING: '-4',
  },
});
const locks = await openPathLocks(dataPath);
const vault = await openVault(root, { docSuffixes: ['.pdf'] });
const writerFor = (view) => createVaultWriter(view, { locks, noteMaxBytes: 0 });
const records = await openRecords(config, vault, locks, log);
const deaf = async () => {
  throw new Error('nobody listens');
};
const context = {
  ...{ config, log, vault, locks, writerFor },
  ...{ writer: writerFor(vault), settingFiles: [], filesFolder: null, commits: null },
  ...records.parts,
  reader: openIndexReader(config.index.path),
  analyzer: createAnalyzer(config.search.language),
  embedder: await createEmbedder(config.embedding, { logger: log }),
  queue: { add: deaf, stats: deaf, close: async () => undefined },
  ...{ history: noHistory, chat: null, now: () => new Date() },
};
const REQUEST = { agent: `agent-${process.pid}` };
const DECISIONS = {
  supersede: (target) => ({ action: 'supersede', target }),
  update: (target, id) => ({ action: 'update', target, body: `New words ${id}` }),
  append: (target, id) => ({ action: 'update', target, append: `Added ${id}` }),
  discard: () => ({ action: 'discard' }),
  create: () => ({ action: 'create' }),
  file: () => ({ action: 'create' }),
};
/** Of `offer`, until `decide`. */
const offered = [];

async function proposeAndDecide(candidate, decisionFor) {
  const answer = await propose(context, candidate, REQUEST);
  if (answer.status !== 'decide') return answer;
  const [{ path }] = answer.similar;
  const decided = { ...candidate, token: answer.token, decision: decisionFor(path) };
  return propose(context, decided, REQUEST);
}

const say = (message) => new Promise((resolve) => process.send(message, resolve));

async function proposeForever(what, seeds) {
  for (;;) {
    const id = randomUUID();
    const seed = seeds[Math.floor(Math.random() * seeds.length)];
    // `file`: it is like nothing there is.
    const body = what === 'file' ? `Nothing like ${id}.` : `${seed} And ${id}.`;
    const candidate = { title: `About ${id}`, type: 'fact', namespace: 'New', body };
    await say({ calling: candidate });
    const answer = await proposeAndDecide(candidate, (target) => DECISIONS[what](target, id));
    await say({ answered: answer, body });
  }
}

const DOING = {
  /** @returns the path of each */
  async sameTitle({ count }) {
    const each = [...Array(count)].map(() => {
      const id = randomUUID();
      const candidate = { title: 'The very same', type: 'fact', namespace: 'Same/Folder', body: `Marker ${id}.` };
      return proposeAndDecide(candidate, () => ({ action: 'create' })).then(({ path }) => ({ path, id }));
    });
    return Promise.all(each);
  },
  /** @returns the targets that were shown */
  async offer({ count, text }) {
    const each = [...Array(count)].map(async () => {
      const id = randomUUID();
      const candidate = { title: `About ${id}`, type: 'fact', namespace: 'Same', body: `${text} Marker ${id}.` };
      const { token, similar } = await propose(context, candidate, REQUEST);
      offered.push({ candidate, token, id, target: similar[0].path });
      return similar[0].path;
    });
    return Promise.all(each);
  },
  /** All of what was offered is to supersede; what is shown anew then is filed beside. @returns the last answers */
  async decide() {
    const each = offered.map(async ({ candidate, token, target, id }) => {
      const first = await propose(context, { ...candidate, token, decision: DECISIONS.supersede(target) }, REQUEST);
      if (first.status === 'done') return { id, answer: first };
      const decided = { ...candidate, token: first.token, decision: DECISIONS.create() };
      return { id, answer: await propose(context, decided, REQUEST) };
    });
    return Promise.all(each);
  },
  /** One kind of thing until it is killed; `merges` come once. */
  async forever({ what, seeds, merges }) {
    if (what !== 'consolidate') return proposeForever(what, seeds);
    await say({ merging: merges });
    const answer = await consolidate(context, { ceiling: 0.1, write: true, merges }, { agent: 'operator' });
    await say({ merged: answer });
    return new Promise(() => undefined);
  },
};

process.on('message', async ({ call, ...about }) => {
  process.send({ result: await DOING[call](about) });
});
process.send('ready');
