/** The operator's policy as rights, and what in it will surprise them. Pure. */
import { type Access, type AccessRule, createAccess } from '@vault-mcp/shared/vault/access';
import { INDEX_PAGE, isIndexPagePath } from '@vault-mcp/shared/vault/index-page-path';

/** `agents.policy`, as its reader let it through; null: nobody set one. */
export type AgentsPolicy = Readonly<Record<string, readonly AccessRule[]>> | null;

/** @returns agent → what it may do, of those named in the policy alone; null: every agent may do everything */
export function compilePolicy(policy: AgentsPolicy): ReadonlyMap<string, Access> | null {
  if (policy === null) return null;
  return new Map(Object.entries(policy).map(([name, rules]) => [name, createAccess(rules)]));
}

/**
 * @param keyNames agents that have a key
 * @returns a line for each thing that is allowed and hardly meant
 */
export function policyRemarks(policy: AgentsPolicy, keyNames: Iterable<string>): string[] {
  const names = [...keyNames].sort();
  if (policy === null) {
    if (names.length === 0) return [];
    return [
      `There is no agents.policy: every agent with a key (${names.join(', ')}) reads and writes the whole vault.`,
    ];
  }
  const unknown = names.filter((name) => !Object.hasOwn(policy, name));
  const idle = Object.entries(policy).flatMap(([name, rules]) => (saysOfPageInVain(rules) ? [name] : []));
  return [
    ...unknown.map((name) => `The policy lacks the agent "${name}", which has a key: all that it asks for is refused.`),
    ...idle.map(
      (name) =>
        `The rule for ${INDEX_PAGE} of the agent "${name}" has no effect: that page lists every note, so it is for those who may read the whole vault.`,
    ),
  ];
}

function saysOfPageInVain(rules: readonly AccessRule[]): boolean {
  const names = rules.some(
    ({ prefix, read, write }) => isIndexPagePath(prefix) && (read === true || write !== undefined),
  );
  return names && createAccess(rules).readRules !== null;
}
