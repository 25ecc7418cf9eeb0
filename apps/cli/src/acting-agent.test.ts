import type { Config } from '@vault-mcp/shared/config/schema';
import { EVERYTHING } from '@vault-mcp/shared/vault/access';
import { describe, expect, it } from 'vitest';
import { accessOf } from './acting-agent.ts';
import { CliError } from './exit-codes.ts';
import { buildProgram } from './program.ts';

const under = (policy: Config['agents']['policy']) => ({ agents: { policy, keys_file: null } }) as Config;
const POLICY = { scribe: [{ prefix: 'Journal', read: true, write: 'append' as const }] };

function refusal(config: Config, agent?: string): string {
  try {
    accessOf(config, agent === undefined ? {} : { agent });
  } catch (error) {
    if (error instanceof CliError) return `${error.exitCode} ${error.message}`;
    throw error;
  }
  return 'let in';
}

it('is for the commands that read or write notes as somebody; a new one stands here once it is known whose it is', async () => {
  const inTheNameOfAgents = ['search', 'mcp'];
  const operators = [
    'serve',
    'reindex',
    'doctor',
    'watch',
    'key',
    'audit',
    'discards',
    'gate',
    'backup',
    'restore',
    'consolidate',
  ];
  const names = (await buildProgram([], '1', () => undefined)).commands.map((each) => each.name());
  expect(names.toSorted()).toEqual([...inTheNameOfAgents, ...operators].toSorted());
});

describe('the rights of a command', () => {
  it('are all where there is no policy, in whosever name', () => {
    expect(accessOf(under(null), {})).toBe(EVERYTHING);
    expect(accessOf(under(null), { agent: 'anybody' })).toBe(EVERYTHING);
  });

  it('are those of the agent that it names under a policy', () => {
    expect(accessOf(under(POLICY), { agent: 'scribe' }).rightAt('Journal/a.md')).toBe('append');
    expect(accessOf(under(POLICY), { agent: 'scribe' }).mayRead('Garden/a.md')).toBe(false);
  });

  it.each([
    ['none, and says how to name one', undefined, POLICY, /^2 .*--agent scribe\.$/],
    ['one that the policy lacks', 'stranger', POLICY, /^2 .*"stranger"/],
    ['an ill name', 'a b', null, /^2 "a b" is no name for an agent/],
    ['a reserved name', 'operator', null, /^2 "operator" is reserved/],
  ])('are refused to %s', (_what, agent, policy, expected) => {
    expect(refusal(under(policy), agent)).toMatch(expected);
  });
});
