/**
 * Who wrote a note, as its frontmatter says it: `vault_agent` and `vault_source`, on what the gate, consolidation and one-fact
 * writes author. Pure. Danger: a note that goes on naming the writer of a text that is gone misleads, so what this write has
 * none of is taken out.
 */
import type { SingleEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import type { Proposer } from './types.ts';

export const AGENT_KEY = 'vault_agent';
export const SOURCE_KEY = 'vault_source';

/** The name of whoever runs the server: what it writes itself names no author. No agent can have it. */
const OPERATOR = 'operator';

export function isOperator(agent: string): boolean {
  return agent === OPERATOR;
}

/** Characters of a source that are kept: a caller may send a header of any length. */
const MAX_SOURCE = 500;

/**
 * @param operator whether the operator itself writes, which is nobody's agent
 * @returns edits that set what is known and take out what is not, in the order the block is to have
 */
export function provenanceEdits(
  { agent, source }: Pick<Proposer, 'agent' | 'source'>,
  operator: boolean,
): SingleEdit[] {
  return [keyEdit(AGENT_KEY, operator ? undefined : agent), keyEdit(SOURCE_KEY, sourceLine(source))];
}

function keyEdit(key: string, value: string | undefined): SingleEdit {
  if (value === undefined) return { kind: 'delete-key', key };
  return { kind: 'set-key', key, value, options: { createIfMissing: true } };
}

/** On one line, since it comes from whoever calls. */
function sourceLine(source: string | undefined): string | undefined {
  const line = source
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line ? [...line].slice(0, MAX_SOURCE).join('') : undefined;
}
