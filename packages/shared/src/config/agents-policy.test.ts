import { describe, expect, it } from 'vitest';
import { pathKey } from '../vault/path.ts';
import { agentsPolicy, comparable } from './agents-policy.ts';

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
      idle: [],
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
    ['a control character', [{ prefix: 'A\u0007', read: true }], /root/],
    ['a line break', [{ prefix: 'A\nB', read: true }], /root/],
    ['half a character', [{ prefix: 'A\ud800', read: true }], /root/],
    ['a prefix beyond all paths', [{ prefix: 'A'.repeat(5_000), read: true }], /root/],
    [
      'more rules than anybody writes',
      Array.from({ length: 501 }, (_, n) => ({ prefix: `A${n}`, read: true })),
      /more than 500/,
    ],
  ])('refuses %s', (_what, rules, expected) => {
    expect(problems({ agent: rules }).join('\n')).toMatch(expected);
  });

  it('takes two spellings for one place wherever the vault does', () => {
    // Lower case of a composed letter may be a decomposed one, and the other way round.
    const letters = ['İ', 'I\u0307', 'ẞ', 'K', 'Å', 'ǰ', 'J\u030c', 'ΐ', 'Ϊ\u0301', 'ſ', 'Σ', 'ς', 'ﬁ', 'Ǆ', 'ế'];
    for (const letter of letters) expect([letter, comparable(letter)]).toEqual([letter, pathKey(letter)]);
    for (let code = 0x80; code < 0x3000; code++) {
      const letter = String.fromCodePoint(code);
      if (comparable(letter) !== pathKey(letter)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  it.each(['operator', 'Operator', 'nobody'])('refuses the agent name %j, which the audit log gives others', (name) => {
    expect(problems({ [name]: [] }).join()).toMatch(/reserved/);
  });

  it('refuses two names that differ by case alone', () => {
    expect(problems({ scribe: [], Scribe: [] }).join()).toMatch(/"scribe" and "Scribe"/);
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
