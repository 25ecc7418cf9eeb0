/**
 * A vault with a real indexer, real records and real locks, in which a write gate has ceilings that find what shares most of its
 * words: what the gate's tests propose to. Nothing of the gate is replaced but the chat model, where a test brings one.
 */

import type { ChatModel } from '@vault-mcp/api/memory/ports';
import type { DecideAnswer, DoneAnswer, DryRunAnswer } from '@vault-mcp/api/memory/types';
import { propose, type proposeInput } from '@vault-mcp/api/operations/propose';
import type { WriteRequest } from '@vault-mcp/api/operations/write-context';
import type { Discard } from '@vault-mcp/shared/records/discard-lines';
import type { z } from 'zod';
import type { VaultFiles } from './vault-files.ts';
import { type IndexedWritingContext, indexedWritingContext, NOW } from './writing-context.ts';

export type Proposal = z.infer<typeof proposeInput>;

export const SCRIBE: WriteRequest = { agent: 'scribe', source: 'chat 12' };

/** Its words stand in ADA's body too, and hardly in anything else. */
export const CANDIDATE: Proposal = {
  title: 'Ada Lovelace wrote the first program',
  type: 'fact',
  namespace: 'Facts',
  body: 'Ada Lovelace wrote the first program for the analytical engine of Charles Babbage in 1843.',
};

export const ADA =
  '---\ntype: fact\ntitle: Ada Lovelace\n---\nAda Lovelace wrote the first program for the analytical engine of Charles Babbage.\n';

/** Notes about other things, so that words have a rarity. */
export const OTHERS: VaultFiles = Object.fromEntries(
  ['gardens', 'rivers', 'bread', 'trains', 'winter', 'paint'].map((word, i) => [
    `Other/${word}.md`,
    `# All about ${word}\n\nNobody knows more of ${word} than those who live by ${word}, number ${i}.\n`,
  ]),
);

export interface GateVault extends IndexedWritingContext {
  propose(input?: Partial<Proposal>, request?: WriteRequest): Promise<DecideAnswer | DoneAnswer | DryRunAnswer>;
  /** The first call, which has to find something similar. */
  shown(input?: Partial<Proposal>, request?: WriteRequest): Promise<DecideAnswer>;
  done(input?: Partial<Proposal>, request?: WriteRequest): Promise<DoneAnswer>;
  /** Lets time go by, for tokens and stamps. */
  pass(ms: number): void;
  /** Everything in the discard log, oldest first. */
  discards(): Promise<Discard[]>;
  /** The vault's notes by path. */
  notes(): Promise<Record<string, string>>;
}

export async function gateVault(
  files: VaultFiles = { 'Facts/ada.md': ADA, ...OTHERS },
  env: Readonly<Record<string, string>> = {},
): Promise<GateVault> {
  let passed = 0;
  const made = await indexedWritingContext(
    files,
    {
      GATE_DISTANCE_CEILING: '0.5',
      GATE_BM25_CEILING: '-4',
      ...env,
    },
    () => new Date(NOW.getTime() + passed),
  );
  const vault: GateVault = {
    ...made,
    propose: (input = {}, request = SCRIBE) => propose(vault.context, { ...CANDIDATE, ...input }, request),
    async shown(input, request) {
      const answer = await vault.propose(input, request);
      if (answer.status !== 'decide') throw new Error(`nothing was shown: ${JSON.stringify(answer)}`);
      return answer;
    },
    async done(input, request) {
      const answer = await vault.propose(input, request);
      if (answer.status !== 'done') throw new Error(`it is not done: ${JSON.stringify(answer)}`);
      return answer;
    },
    pass(ms) {
      passed += ms;
    },
    async discards() {
      const { entries } = await vault.context.discards.list({ limit: 1000 });
      const found = await Promise.all(entries.map(({ n }) => vault.context.discards.show(n)));
      return found.flatMap((one) => one?.discard ?? []).reverse();
    },
    async notes() {
      const all = Object.entries(await vault.everything());
      return Object.fromEntries(all.filter(([path]) => path.endsWith('.md')));
    },
  };
  return vault;
}

/** A chat model that says these things, one after the other, and then the last of them again. */
export function saying(...decisions: readonly unknown[]): ChatModel & { asked: number } {
  const chat = {
    shown: 'a model',
    asked: 0,
    ask: async () => {
      const said = decisions[Math.min(chat.asked++, decisions.length - 1)];
      if (said instanceof Error) throw said;
      return typeof said === 'string' ? said : JSON.stringify(said);
    },
  };
  return chat;
}
