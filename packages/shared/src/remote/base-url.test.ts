import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BaseUrlError, mentionsKey, parseBase, shownAddress, withPath } from './base-url.ts';

const SETTING = { address: 'GATE_URL (gate.url)', key: 'GATE_API_KEY' };

describe('an address', () => {
  test('loses its slashes at the end and keeps its query, which is not shown', () => {
    const base = parseBase(' https://h/openai/v1//?api-version=2024#part', SETTING);
    expect(base.href).toBe('https://h/openai/v1?api-version=2024');
    expect(shownAddress(base)).toBe('https://h/openai/v1');
    expect(withPath(base, '/x').href).toBe('https://h/x?api-version=2024');
  });

  test.each([
    ['is not a URL', 'somewhere'],
    ['is neither http nor https', 'file:///etc/hunter2'],
    ['user name or password, which belong in GATE_API_KEY', 'http://me:hunter2@h/v1'],
  ])('that %s is refused by the setting it came from, without being repeated', (why, raw) => {
    const attempt = () => parseBase(raw, SETTING);
    expect(attempt).toThrow(BaseUrlError);
    expect(attempt).toThrow('GATE_URL (gate.url)');
    expect(attempt).toThrow(why);
    expect(attempt).not.toThrow(/hunter2/);
  });
});

describe('a key', () => {
  test('is found in a text as a whole and in any piece of four', () => {
    const key = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'), minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(key, fc.string(), fc.nat(), (secret, around, at) => {
        const start = at % (secret.length - 3);
        expect(mentionsKey(`${around}${secret.slice(start, start + 4)}${around}`, secret)).toBe(true);
      }),
    );
    expect(mentionsKey('model not found', 'sk-0123456789')).toBe(false);
    expect(mentionsKey('anything', null)).toBe(false);
  });
});
