import { createHash } from 'node:crypto';
import { type Access, createAccess, EVERYTHING } from '@vault-mcp/shared/vault/access';
import { describe, expect, it } from 'vitest';
import { asVault } from '../../../test/support/as-vault.ts';
import { type Caller, type CallerKeys, createCallers, type KeyHolder, THE_OPERATOR } from './callers.ts';
import type { ServedContext } from './context.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const bytes = (text: string) => Buffer.from(text, 'utf8');

const SCRIBE = createAccess([{ prefix: 'Journal', read: true, write: 'append' }]);
const POLICY: ReadonlyMap<string, Access> = new Map([['scribe', SCRIBE]]);
const KEYS: CallerKeys = {
  apiKey: 'key of the operator',
  metricsKey: 'key for metrics',
  agents: {
    current: () =>
      new Map([
        ['scribe', sha256('key of scribe')],
        ['stranger', sha256('key of stranger')],
      ]),
  },
};

function callersUnder(policy: ReadonlyMap<string, Access> | null, keys: CallerKeys = KEYS) {
  const vault = asVault({
    ...{ root: '/vault', docSuffixes: [], caseSensitive: true },
    locate: () => Promise.reject(new Error('not asked')),
  });
  const written: unknown[] = [];
  const context = {
    vault,
    writer: 'the whole',
    writerFor: (view: unknown) => {
      written.push(view);
      return `of view ${written.length}`;
    },
  } as unknown as ServedContext;
  return { callers: createCallers(context, keys, policy), context, written };
}

const AGENT = (name: string): KeyHolder => ({ kind: 'agent', name });

describe('a token', () => {
  it.each([
    ['key of the operator', { kind: 'operator', name: 'operator' }],
    ['key for metrics', { kind: 'scraper', name: 'nobody' }],
    ['key of scribe', { kind: 'agent', name: 'scribe' }],
    ['key of stranger', { kind: 'agent', name: 'stranger' }],
    ['key of', null],
    ['', null],
  ])('%j is whose it is', (token, holder) => {
    expect(callersUnder(POLICY).callers.holderOf(bytes(token))).toEqual(holder);
  });

  it('is looked for among the keys of agents that are known at the moment', () => {
    const known = new Map<string, Buffer>();
    const { callers } = callersUnder(null, { ...KEYS, agents: { current: () => known } });
    expect(callers.holderOf(bytes('new key'))).toBeNull();
    known.set('novice', sha256('new key'));
    expect(callers.holderOf(bytes('new key'))).toEqual(AGENT('novice'));
    known.clear();
    expect(callers.holderOf(bytes('new key'))).toBeNull();
  });

  it('that a program would let everybody in with is no start', () => {
    for (const apiKey of ['', '  ']) expect(() => callersUnder(null, { ...KEYS, apiKey })).toThrow(/empty/);
  });
});

// The table of who calls: holder, X-Vault-Agent, whether there is a policy; then who it is.
const scribe = (access: Access, byOperator: boolean): Caller => ({ kind: 'agent', name: 'scribe', access, byOperator });
const OPERATOR_HIMSELF: Caller = THE_OPERATOR;

describe('who calls', () => {
  it.each<[string, KeyHolder, string | undefined, boolean, Caller | RegExp]>([
    ['the operator without a policy', THE_OPERATOR, undefined, false, OPERATOR_HIMSELF],
    ['the operator under a policy', THE_OPERATOR, undefined, true, OPERATOR_HIMSELF],
    ['the operator for an agent, without a policy', THE_OPERATOR, 'scribe', false, scribe(EVERYTHING, true)],
    ['the operator for an agent of the policy', THE_OPERATOR, 'scribe', true, scribe(SCRIBE, true)],
    ['the operator for an agent that the policy lacks', THE_OPERATOR, 'stranger', true, /knows no agent "stranger"/],
    ['the operator for one called in another case', THE_OPERATOR, 'Scribe', true, /knows no agent/],
    ['the operator for one called like a prototype', THE_OPERATOR, 'constructor', true, /knows no agent/],
    ['the operator with an ill name', THE_OPERATOR, 'a b', false, /X-Vault-Agent is no name/],
    ['the operator with two names', THE_OPERATOR, 'scribe, scribe', false, /X-Vault-Agent is no name/],
    ['the operator with an empty name', THE_OPERATOR, '', false, /X-Vault-Agent is no name/],
    ['the operator with a reserved name', THE_OPERATOR, 'operator', false, /reserved/],
    ['an agent without a policy', AGENT('scribe'), undefined, false, scribe(EVERYTHING, false)],
    ['an agent without a policy, by its own name', AGENT('scribe'), 'scribe', false, scribe(EVERYTHING, false)],
    ['an agent of the policy', AGENT('scribe'), undefined, true, scribe(SCRIBE, false)],
    ['an agent of the policy, by its own name', AGENT('scribe'), 'scribe', true, scribe(SCRIBE, false)],
    ['an agent that the policy lacks', AGENT('stranger'), undefined, true, /knows no agent "stranger"/],
    ['an agent by the name of another', AGENT('stranger'), 'scribe', true, /not the agent whose key this is/],
    ['an agent by the name of another, without a policy', AGENT('stranger'), 'scribe', false, /not the agent whose/],
    ['an agent by an empty name', AGENT('scribe'), '', true, /not the agent whose key this is/],
    [
      'who has the key for metrics',
      { kind: 'scraper', name: 'nobody' },
      'scribe',
      true,
      { kind: 'scraper', name: 'nobody' },
    ],
  ])('%s', (_who, holder, asAgent, isScoped, expected) => {
    const { callers } = callersUnder(isScoped ? POLICY : null);
    if (!(expected instanceof RegExp)) return expect(callers.callerFor(holder, asAgent)).toEqual(expected);
    expect(() => callers.callerFor(holder, asAgent)).toThrow(expected);
    try {
      callers.callerFor(holder, asAgent);
    } catch (error) {
      expect(error).toMatchObject({ code: 'out_of_scope' });
    }
  });

  it('is never told what it sent for a name that is none', () => {
    expect(() => callersUnder(null).callers.callerFor(THE_OPERATOR, '<b>x</b>')).toThrow(/^[^<>]*$/);
  });
});

describe('what a call works on', () => {
  const refused = expect.objectContaining({ code: 'out_of_scope' });
  const outcome = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };

  it('is everything for whoever no policy restricts, of whatever name', () => {
    const { callers, context } = callersUnder(null);
    expect(callers.contextFor(THE_OPERATOR, 'agents')).toBe(context);
    for (const name of ['scribe', 'anybody', 'somebody']) {
      expect(callers.contextFor(callers.callerFor(THE_OPERATOR, name), 'agents')).toBe(context);
    }
  });

  it('is a view of the vault and a writer of that view for an agent of the policy, the same at each call', () => {
    const { callers, context, written } = callersUnder(POLICY);
    const caller = callers.callerFor(AGENT('scribe'), undefined);
    const given = callers.contextFor(caller, 'agents');
    expect(given.vault.access).toBe(SCRIBE);
    expect(given.vault.whole).toBe(context.vault);
    expect([given.writer, written]).toEqual(['of view 1', [given.vault]]);
    expect(callers.contextFor(callers.callerFor(THE_OPERATOR, 'scribe'), 'agents')).toBe(given);
  });

  it('is nothing without an agent under a policy', () => {
    const { callers } = callersUnder(POLICY);
    expect(outcome(() => callers.contextFor(THE_OPERATOR, 'agents'))).toEqual(refused);
    expect(() => callers.contextFor(THE_OPERATOR, 'agents')).toThrow(/X-Vault-Agent/);
  });

  it.each([null, POLICY])('is the operator’s for the operator alone (policy: %s)', (policy) => {
    const { callers, context } = callersUnder(policy);
    const scribeHimself = callers.callerFor(AGENT('scribe'), undefined);
    const byOperator = callers.callerFor(THE_OPERATOR, 'scribe');
    for (const audience of ['operator', 'scraper'] as const) {
      expect(callers.contextFor(THE_OPERATOR, audience)).toBe(context);
      expect(outcome(() => callers.contextFor(scribeHimself, audience))).toEqual(refused);
      expect(outcome(() => callers.contextFor(byOperator, audience))).toEqual(refused);
    }
  });

  it('is what metrics need and no more for who has the key for them', () => {
    const { callers, context } = callersUnder(null);
    const scraper = { kind: 'scraper', name: 'nobody' } as const;
    expect(callers.contextFor(scraper, 'scraper')).toBe(context);
    expect(outcome(() => callers.contextFor(scraper, 'operator'))).toEqual(refused);
    expect(outcome(() => callers.contextFor(scraper, 'agents'))).toEqual(refused);
  });
});
