/** What an agent may be called: in the policy, in the keys file, in X-Vault-Agent. Pure. */

/** The audit log's words for who calls without being an agent. */
const RESERVED: ReadonlySet<string> = new Set(['operator', 'nobody']);

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** @returns what is wrong with a name, for whoever gave it; null when it is a good one */
export function agentNameProblem(name: string): string | null {
  if (!NAME.test(name)) {
    return 'is no name for an agent: use letters, digits, dots, dashes and underscores, at most 64, a letter or digit first';
  }
  return RESERVED.has(name.toLowerCase()) ? 'is reserved: choose another name for the agent' : null;
}

/** Two names that differ by case alone would be taken for one another by whoever reads them. */
export function sameButForCase(names: Iterable<string>): [string, string] | null {
  const seen = new Map<string, string>();
  for (const name of names) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) return [other, name];
    seen.set(name.toLowerCase(), name);
  }
  return null;
}
