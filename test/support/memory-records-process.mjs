/**
 * A process of its own at work on the records of memory, for tests of several at once and of one that is killed. Plain
 * JavaScript on the compiled package, since a child process runs no TypeScript on Node 20. Arguments: the vault, the data
 * folder, its name; then it does what messages ask for and answers each.
 */
import process from 'node:process';
import { silentLogger } from '@vault-mcp/shared/log';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openJournal } from '@vault-mcp/shared/records/journal';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';

const [, , root, dataPath, name] = process.argv;
const logger = silentLogger();
const locks = await openPathLocks(dataPath);
const discards = openDiscardLog(await openVault(root, { docSuffixes: [] }), locks, { logger, maxBytes: 4000 });
const journal = await openJournal(`${dataPath}/journal.jsonl`);
const proposals = openProposals(`${dataPath}/memory.db`, { owner: locks.owner, logger });

const candidate = (id) => ({ title: id, body: 'x'.repeat(200) });
const DOING = {
  /** `count` entries, one after the other. */
  async discard({ count }) {
    const numbers = [];
    for (let i = 0; i < count; i++) {
      const id = `${name}-${i}`;
      numbers.push(await discards.append({ id, kind: 'discarded', agent: name, candidate: candidate(id) }));
    }
    return numbers;
  },
  async enter({ count }) {
    for (let i = 0; i < count; i++) {
      const content = `${name}-${i} ${'x'.repeat(i * 20)}`;
      await journal.append({ t: '', slug: 'page', content, created: false, committed: false, agent: name });
    }
    return count;
  },
  /** Tries each token. @returns those it had */
  claim({ tokens }) {
    return tokens.filter((token) => proposals.claim(token, { agent: 'a', candidateHash: 'h' }).outcome === 'claimed');
  },
  /** A proposal under each key, planned and finished: how many were fresh. */
  propose({ keys }) {
    const fresh = keys.flatMap((idempotencyKey) => {
      const begun = proposals.begin({ ...PROPOSED, idempotencyKey });
      if (begun.fresh) {
        proposals.plan(begun.row.id, { v: 1, action: 'create' });
        proposals.finish(begun.row.id, { by: name });
      }
      return begun.fresh ? [idempotencyKey] : [];
    });
    return fresh;
  },
  /** Writes every record until it is killed, and says after each what is written. */
  async forever() {
    const wrote = (what, key, value) => process.send({ wrote: { what, key, value } });
    for (let i = 0; ; i++) {
      const id = `${name}-${i}`;
      const { row } = proposals.begin(PROPOSED);
      wrote('proposal', row.id, 'deciding');
      proposals.plan(row.id, { v: 1, action: 'discard' });
      wrote('proposal', row.id, 'writing');
      wrote('discard', id, await discards.append({ id, kind: 'discarded', agent: name, candidate: candidate(id) }));
      await journal.append({ t: '', slug: 'page', content: `${id} .`, created: false, committed: false, agent: name });
      wrote('fact', id, null);
      proposals.finish(row.id, { by: name });
      wrote('proposal', row.id, 'done');
    }
  },
  /** Takes a proposal in hand, says which, and goes on for ever. */
  begin({ idempotencyKey }) {
    return { id: proposals.begin({ ...PROPOSED, idempotencyKey }).row.id, owner: locks.owner };
  },
};
const PROPOSED = { kind: 'propose', agent: 'a', candidateHash: 'h', request: candidate('proposed') };

process.on('message', async (asked) => {
  if (asked.what === 'end') {
    await journal.close();
    proposals.close();
    locks.close();
    process.disconnect();
    return;
  }
  process.send({ did: await DOING[asked.what](asked) });
});
process.send('ready');
