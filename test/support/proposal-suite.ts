/** A store of proposals in a folder of its own for each test, with a clock that the test sets, opened as by several processes. */
import { join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import type { NewProposal, ProposalStore } from '@vault-mcp/shared/records/proposal-store';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import { afterEach, beforeEach } from 'vitest';
import { createTempFolder, type TempFolder } from './temp-folder.ts';

export const START = 1_000_000;
export const LATER = START + 60_000;
export const SEEN = [{ path: 'Facts/tea.md', etag: 'e1', distance: 0.1 }];

export interface ProposalSuite {
  /** Of the database. */
  readonly path: string;
  /** Milliseconds since 1970, for every store that is open. */
  now: number;
  /** Of the owner `us`; a test may open it anew. */
  store: ProposalStore;
  /** As another process has it: a connection and an owner of its own. */
  open(owner: string, options?: { readonly waitMs?: number }): ProposalStore;
  begun(overrides?: Partial<NewProposal>): string;
  offered(overrides?: Partial<NewProposal>): { id: string; token: string };
}

export const proposed = (overrides: Partial<NewProposal> = {}): NewProposal => ({
  ...{ kind: 'propose', agent: 'claude', candidateHash: 'h1', request: { title: 'Tea', body: 'The cat likes tea.' } },
  ...overrides,
});

/** The same object for all tests of a file; what it gives is of the test that runs. */
export function proposalSuite(): ProposalSuite {
  let folder: TempFolder;
  let opened: ProposalStore[] = [];
  const suite = {
    path: '',
    now: START,
    store: undefined as unknown as ProposalStore,
    open(owner: string, options: { readonly waitMs?: number } = {}): ProposalStore {
      const now = () => suite.now;
      const proposals = openProposals(suite.path, { owner, logger: silentLogger(), now, ...options });
      opened.push(proposals);
      return proposals;
    },
    begun: (overrides: Partial<NewProposal> = {}) => suite.store.begin(proposed(overrides)).row.id,
    offered(overrides: Partial<NewProposal> = {}) {
      const id = suite.begun(overrides);
      return { id, token: suite.store.offer(id, { seen: SEEN, expiresMs: LATER }) };
    },
  };
  beforeEach(async () => {
    folder = await createTempFolder('proposals');
    suite.path = join(folder.path, 'memory.db');
    suite.now = START;
    suite.store = suite.open('us');
  });
  afterEach(async () => {
    for (const one of opened) one.close();
    opened = [];
    await folder.remove();
  });
  return suite;
}
