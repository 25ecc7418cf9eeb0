/**
 * The text of the agents' keys file: a mapping of each agent to the SHA-256 of its key, in hex. Pure. Danger: whoever stands
 * in it is let in, so anything doubtful refuses the whole file; and no message quotes what stands in it but names.
 */
import { isMap, isScalar, parseDocument } from 'yaml';
import { agentNameProblem, sameButForCase } from './agent-names.ts';

/** Some ten thousand agents. */
export const MAX_KEYS_BYTES = 1_048_576;

const DIGEST = /^[0-9a-f]{64}$/i;

/** The file cannot be used; the message says why, without its path. */
export class AgentKeysTextError extends Error {
  override readonly name = 'AgentKeysTextError';
}

/**
 * JSON, read as the YAML that it is: so that a name that stands there twice is seen.
 * @returns agent → digest, 64 small hex digits
 * @throws AgentKeysTextError
 */
export function parseAgentKeys(text: string): Map<string, string> {
  const document = parseDocument(text, { version: '1.2', schema: 'failsafe', uniqueKeys: true, prettyErrors: false });
  const problem = [...document.errors, ...document.warnings][0];
  if (problem !== undefined) throw new AgentKeysTextError(`it cannot be parsed (${problem.code})`);
  const { contents } = document;
  if (contents === null) return new Map();
  if (!isMap(contents)) throw new AgentKeysTextError('it holds no mapping of agents to keys');
  const keys = new Map<string, string>();
  for (const { key, value } of contents.items) {
    const name = textOf(key);
    const digest = textOf(value);
    if (name === null) throw new AgentKeysTextError('it holds a name that is no text');
    const wrong = agentNameProblem(name);
    if (wrong !== null) throw new AgentKeysTextError(`${JSON.stringify(name.slice(0, 80))} ${wrong}`);
    if (digest === null || !DIGEST.test(digest)) {
      throw new AgentKeysTextError(`what stands for "${name}" is no SHA-256 in 64 hex digits`);
    }
    keys.set(name, digest.toLowerCase());
  }
  requireTellable(keys);
  return keys;
}

export function renderAgentKeys(keys: ReadonlyMap<string, string>): string {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** @throws AgentKeysTextError where one key would be two agents' */
function requireTellable(keys: ReadonlyMap<string, string>): void {
  const alike = sameButForCase(keys.keys());
  if (alike !== null) throw new AgentKeysTextError(`"${alike[0]}" and "${alike[1]}" differ by case alone`);
  const owners = new Map<string, string>();
  for (const [name, digest] of keys) {
    const other = owners.get(digest);
    if (other !== undefined) throw new AgentKeysTextError(`"${other}" and "${name}" have the same key`);
    owners.set(digest, name);
  }
}

function textOf(node: unknown): string | null {
  return isScalar(node) && typeof node.value === 'string' ? node.value : null;
}
