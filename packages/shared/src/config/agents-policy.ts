/**
 * The shape of `agents.policy`: agent → rules. Danger: a rule that is read differently from what its author meant
 * opens notes to the wrong agent, so anything doubtful (two rules for one prefix, a prefix in another spelling, a
 * place that may be written but not read) refuses to start instead of being interpreted.
 */
import { z } from 'zod';
import { agentNameProblem, sameButForCase } from './agent-names.ts';

/** Longest prefix, in characters: far beyond what any path of the vault can be. */
const MAX_PREFIX = 4_096;
/** Rules of one agent: each is looked at for every file that a query goes through. */
const MAX_RULES = 500;

const scopeRule = z.strictObject({
  prefix: z
    .string()
    .refine(isCanonicalPrefix, 'must be a path from the vault’s root without outer slashes, or "" for the root'),
  read: z.boolean('must be true or false').optional(),
  write: z.union([z.boolean(), z.literal('append')], { error: 'must be true, false or append' }).optional(),
});

type ScopeRule = z.infer<typeof scopeRule>;

const agentRules = z
  .array(scopeRule)
  .max(MAX_RULES, `holds more than ${MAX_RULES} rules`)
  .superRefine((rules, context) => {
    if (rules.length > MAX_RULES) return;
    const prefixes = rules.map((rule) => comparable(rule.prefix));
    for (const [index, rule] of rules.entries()) {
      const prefix = prefixes[index] ?? '';
      if (prefixes.indexOf(prefix) !== index) {
        context.addIssue({
          code: 'custom',
          path: [index, 'prefix'],
          message: `states the prefix "${rule.prefix}" a second time`,
        });
      }
      // What may be written must be readable; both only change at a stated prefix, so looking at those is complete.
      if (isWritable(statedFor(rules, prefix, 'write')) && statedFor(rules, prefix, 'read') !== true) {
        context.addIssue({
          code: 'custom',
          path: [index],
          message: `lets the agent write under "${rule.prefix}" but not read there`,
        });
      }
    }
  });

/** Agent name → its rules. Names are what `X-Vault-Agent` and the keys file use. */
export const agentsPolicy = z.record(z.string(), agentRules).superRefine((policy, context) => {
  const names = Object.keys(policy);
  for (const name of names) {
    const problem = agentNameProblem(name);
    if (problem !== null) context.addIssue({ code: 'custom', path: [name], message: problem });
  }
  const alike = sameButForCase(names);
  if (alike === null) return;
  context.addIssue({ code: 'custom', message: `names "${alike[0]}" and "${alike[1]}", which differ by case alone` });
});

function isCanonicalPrefix(prefix: string): boolean {
  if (prefix === '') return true;
  if (prefix.length > MAX_PREFIX || !prefix.isWellFormed() || prefix !== prefix.normalize('NFC')) return false;
  if (/[\\\p{Cc}]/u.test(prefix)) return false;
  return prefix.split('/').every((segment) => segment !== '' && segment === segment.trim() && !segment.startsWith('.'));
}

/** As the vault compares paths (pathKey), or two rules for one place would be taken for two places. */
export function comparable(prefix: string): string {
  return prefix.normalize('NFC').toLowerCase().normalize('NFC');
}

function statedFor<K extends 'read' | 'write'>(rules: readonly ScopeRule[], path: string, what: K): ScopeRule[K] {
  let longest: ScopeRule | undefined;
  for (const rule of rules) {
    const prefix = comparable(rule.prefix);
    const covers = prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
    if (!covers || rule[what] === undefined) continue;
    if (longest === undefined || prefix.length > longest.prefix.length) longest = rule;
  }
  return longest?.[what];
}

function isWritable(write: ScopeRule['write']): boolean {
  return write === true || write === 'append';
}
