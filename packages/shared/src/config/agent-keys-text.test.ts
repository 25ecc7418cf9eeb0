import { describe, expect, it } from 'vitest';
import { parseAgentKeys, renderAgentKeys } from './agent-keys-text.ts';

const [A, B] = ['a'.repeat(64), `${'0123456789'.repeat(6)}0123`];
const refusal = (text: string): string => {
  try {
    parseAgentKeys(text);
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

describe("the text of the agents' keys file", () => {
  it('comes back as it was made', () => {
    const keys = new Map([
      ['scribe', A],
      ['reader.2', B],
    ]);
    expect([...parseAgentKeys(renderAgentKeys(keys))].sort()).toEqual([...keys].sort());
    expect(JSON.parse(renderAgentKeys(keys))).toEqual(Object.fromEntries(keys));
  });

  it('takes hex in either case, and digits that are all decimal', () => {
    expect(parseAgentKeys(`{"a": "${A.toUpperCase()}", "b": ${'1'.repeat(64)}}`)).toEqual(
      new Map([
        ['a', A],
        ['b', '1'.repeat(64)],
      ]),
    );
  });

  it('holds no agents where it is empty', () => {
    for (const text of ['', '\n', '{}']) expect(parseAgentKeys(text).size).toBe(0);
  });

  it.each([
    ['an agent that stands there twice', `{"a": "${A}", "a": "${B}"}`, /parsed/],
    ['no mapping', '["a"]', /no mapping/],
    ['half of a file', `{"a": "${A}", "b"`, /./],
    ['a digest that is too short', `{"a": "${A.slice(1)}"}`, /64 hex digits/],
    ['a key in clear', '{"a": "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"}', /64 hex digits/],
    ['something else for a digest', `{"a": ["${A}"]}`, /64 hex digits/],
    ['an ill name', `{"a b": "${A}"}`, /no name for an agent/],
    ['a reserved name', `{"Operator": "${A}"}`, /reserved/],
    ['names that differ by case alone', `{"a": "${A}", "A": "${B}"}`, /case alone/],
    ['one key for two agents', `{"a": "${A}", "b": "${A.toUpperCase()}"}`, /same key/],
    ['another meaning of a value', `{"a": !!binary "${A}"}`, /./],
    ['an alias', `a: &k ${A}\nb: *k`, /64 hex digits/],
  ])('is refused with %s, and nothing of a key is said', (_what, text, expected) => {
    const message = refusal(text);
    expect(message).not.toBe('taken');
    expect(message).toMatch(expected);
    for (const digest of [A, B, 'q83vEjRWeJ']) expect(message).not.toContain(digest.slice(0, 10));
  });
});
