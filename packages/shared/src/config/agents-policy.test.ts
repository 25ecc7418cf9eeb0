import { describe, expect, it } from 'vitest';
import { agentsPolicy } from './agents-policy.ts';

const problems = (policy: unknown): string[] =>
  agentsPolicy.safeParse(policy).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

describe('a policy for agents', () => {
  it('accepts rules for several agents, the root and an agent with none', () => {
    const policy = {
      reader: [{ prefix: '', read: true }],
      scribe: [
        { prefix: '', read: true },
        { prefix: 'Journal', write: 'append' },
        { prefix: 'Journal/2024', write: false },
        { prefix: 'Projekte/Übung', write: true },
      ],
      nobody: [],
    };
    expect(problems(policy)).toEqual([]);
  });

  it.each([
    [
      'a second rule for one prefix',
      [
        { prefix: 'A', read: true },
        { prefix: 'A', read: false },
      ],
      /second time/,
    ],
    [
      'a prefix that differs only by case',
      [
        { prefix: 'A', read: true },
        { prefix: 'a', read: false },
      ],
      /second time/,
    ],
    ['writing where nothing is readable', [{ prefix: 'A', write: true }], /but not read/],
    [
      'writing under what is hidden',
      [
        { prefix: '', read: true, write: true },
        { prefix: 'A', read: false },
      ],
      /but not read/,
    ],
    ['a word for a boolean', [{ prefix: 'A', read: 'yes' }], /true or false/],
    ['an unknown way to write', [{ prefix: 'A', read: true, write: 'create' }], /append/],
    ['an unknown field', [{ prefix: 'A', read: true, delete: true }], /delete/],
    ['a leading slash', [{ prefix: '/A', read: true }], /root/],
    ['a trailing slash', [{ prefix: 'A/', read: true }], /root/],
    ['a step upwards', [{ prefix: 'A/../B', read: true }], /root/],
    ['a dotted folder', [{ prefix: '.git', read: true }], /root/],
    ['a backslash', [{ prefix: 'A\\B', read: true }], /root/],
    ['a decomposed spelling', [{ prefix: 'Cafe\u0301', read: true }], /root/],
  ])('refuses %s', (_what, rules, expected) => {
    expect(problems({ agent: rules }).join('\n')).toMatch(expected);
  });

  it.each(['', 'a b', '-x', 'ä'])('refuses the agent name %j', (name) => {
    expect(agentsPolicy.safeParse({ [name]: [] }).success).toBe(false);
  });

  it('knows no agent that is called like a prototype', () => {
    const policy = agentsPolicy.parse(JSON.parse('{"__proto__": [{"prefix": "", "read": true}]}'));
    expect(Object.keys(policy)).toEqual([]);
    expect(Object.getPrototypeOf(policy)).toBe(Object.prototype);
  });
});
