/**
 * Who calls, and what their calls work on. Danger: this is the door. A caller is found out once, here, and whatever serves
 * them is handed the context that goes with their rights; a route or tool that got at another one would answer with what
 * they may not see.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { agentNameProblem } from '@vault-mcp/shared/config/agent-names';
import { AppError } from '@vault-mcp/shared/errors';
import { type Access, EVERYTHING } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { NOBODY, OPERATOR } from './audited-call.ts';
import type { ServedContext } from './context.ts';

/** Whose key a call came with. `scraper` is whoever has the key for metrics alone. */
export type KeyHolder =
  | { readonly kind: 'operator'; readonly name: typeof OPERATOR }
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'scraper'; readonly name: typeof NOBODY };

/** Whose call it is. */
export type Caller =
  | { readonly kind: 'operator'; readonly name: typeof OPERATOR }
  | { readonly kind: 'agent'; readonly name: string; readonly access: Access; readonly byOperator: boolean }
  | { readonly kind: 'scraper'; readonly name: typeof NOBODY };

/** Whose business an operation is. `agents`: theirs, and the operator's where no policy says who may do what. */
export type Audience = 'anyone' | 'operator' | 'scraper' | 'agents';

/** Agent → the SHA-256 of its key, as it is at this moment. */
export interface AgentKeys {
  current(): ReadonlyMap<string, Buffer>;
}

export const NO_AGENT_KEYS: AgentKeys = { current: () => new Map() };

export interface CallerKeys {
  /** The operator's. Never empty: an empty key would mean no authentication. */
  readonly apiKey: string;
  /** Opens `/metrics` only. */
  readonly metricsKey?: string | undefined;
  readonly agents: AgentKeys;
}

export interface Callers {
  /** @returns null for a token that no key is known for */
  holderOf(token: Buffer): KeyHolder | null;
  /** @throws AppError `out_of_scope` for an agent that this key may not call as, or that the policy lacks */
  callerFor(holder: KeyHolder, asAgent: string | undefined): Caller;
  /** What an operation of that audience works on for this caller. @throws AppError `out_of_scope` */
  contextFor(caller: Caller, audience: Exclude<Audience, 'anyone'>): ServedContext;
}

export const THE_OPERATOR = { kind: 'operator', name: OPERATOR } as const;

/**
 * @param policy agent → what it may do; null: every agent may do everything
 * @throws Error at start when the operator's key is empty
 */
export function createCallers(
  context: ServedContext,
  keys: CallerKeys,
  policy: ReadonlyMap<string, Access> | null,
): Callers {
  if (keys.apiKey.trim() === '') throw new Error('The API key is empty; refusing to serve without authentication.');
  const contexts = new Map<Access, ServedContext>([[EVERYTHING, context]]);
  const seenBy = (access: Access): ServedContext => {
    const kept = contexts.get(access);
    if (kept !== undefined) return kept;
    const view = contextUnder(context, access);
    contexts.set(access, view);
    return view;
  };
  return {
    holderOf: holderFinder(keys),
    callerFor: (holder, asAgent) => callerOf(holder, asAgent, policy),
    contextFor(caller, audience) {
      if (audience === 'agents') return seenBy(accessOf(caller, policy !== null));
      if (caller.kind === 'operator' || (audience === 'scraper' && caller.kind === 'scraper')) return context;
      throw new AppError(
        'out_of_scope',
        "This is for the operator alone: call it with the operator's key and without X-Vault-Agent, or report that it is needed.",
      );
    },
  };
}

/** What somebody with these rights works on. */
export function contextUnder(context: ServedContext, access: Access): ServedContext {
  const vault = viewOf(context.vault, access);
  return vault === context.vault ? context : { ...context, vault, writer: context.writerFor(vault) };
}

/**
 * The rights of a call that the operator's own program makes, in the name of an agent where one is given: the same as over
 * HTTP with the operator's key. @throws AppError `out_of_scope`
 */
export function operatorsAccess(policy: ReadonlyMap<string, Access> | null, asAgent: string | undefined): Access {
  return accessOf(callerOf(THE_OPERATOR, asAgent, policy), policy !== null);
}

/** Of names that no policy bounds nothing is remembered. */
function callerOf(holder: KeyHolder, asAgent: string | undefined, policy: ReadonlyMap<string, Access> | null): Caller {
  if (holder.kind === 'scraper') return holder;
  if (holder.kind === 'operator' && asAgent === undefined) return holder;
  if (holder.kind === 'agent' && asAgent !== undefined && asAgent !== holder.name) {
    throw refusedName('is not the agent whose key this is: leave the header out, or send that name');
  }
  const name = asAgent ?? holder.name;
  const problem = agentNameProblem(name);
  if (problem !== null) throw refusedName(problem);
  const access = policy === null ? EVERYTHING : policy.get(name);
  if (access !== undefined) return { kind: 'agent', name, access, byOperator: holder.kind === 'operator' };
  throw new AppError(
    'out_of_scope',
    `The policy of this server knows no agent "${name}": report that to the operator.`,
  );
}

/** Whatever was sent is not repeated: it may be anything. */
function refusedName(why: string): AppError {
  return new AppError('out_of_scope', `The name in X-Vault-Agent ${why}.`);
}

function accessOf(caller: Caller, isScoped: boolean): Access {
  if (caller.kind === 'agent') return caller.access;
  if (caller.kind === 'operator' && !isScoped) return EVERYTHING;
  throw new AppError(
    'out_of_scope',
    "This server has a policy, so a call like this names an agent: send its name in the header X-Vault-Agent with the operator's key, or use the agent's own key.",
  );
}

/** All keys are compared, whichever fits, and as digests: so the time it takes tells nothing of any of them. */
function holderFinder({ apiKey, metricsKey, agents }: CallerKeys): Callers['holderOf'] {
  const fixed: [Buffer, KeyHolder][] = [[digest(Buffer.from(apiKey, 'utf8')), THE_OPERATOR]];
  if (metricsKey) fixed.push([digest(Buffer.from(metricsKey, 'utf8')), { kind: 'scraper', name: NOBODY }]);
  return (token) => {
    const given = digest(token);
    let holder: KeyHolder | null = null;
    for (const [name, key] of agents.current()) {
      if (timingSafeEqual(given, key)) holder = { kind: 'agent', name };
    }
    // Last, so that no other key stands before the operator's.
    for (const [key, whose] of fixed.toReversed()) if (timingSafeEqual(given, key)) holder = whose;
    return holder;
  };
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
