import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isBareString, yamlKey, yamlScalar } from './yaml-scalar.ts';

const VERSIONS = ['1.1', '1.2'] as const;
const read = (source: string, version: '1.1' | '1.2'): unknown => {
  try {
    return parse(source, { version, ...(version === '1.2' ? { schema: 'core' } : {}), logLevel: 'silent' });
  } catch (error) {
    return error;
  }
};

describe('a string', () => {
  it.each(
    [
      ...['plain', 'two words', 'a-b', 'C#', 'a#b', 'a:b', 'https://x.y/z?q=1#f', 'user@example.com', '-x', '?x', ':x'],
      ...['1.2.3', 'v1', '12h', '+', '-', '--', '3 days', 'yes please', 'nope', "it's", 'say "hi"', 'a, b', 'a [b]'],
      ...['Überblick', '日本語', '👍', '~x', 'e.g.', '0x', '12:61:00', '---'],
    ].filter((text) => text !== '-'),
  )('is bare when every reader takes it for itself: %j', (text) => {
    expect(yamlScalar(text)).toBe(text);
    for (const version of VERSIONS) expect(read(`k: ${text}`, version)).toEqual({ k: text });
  });

  it.each([
    ...['', ' x', 'x ', 'a: b', 'a:', 'a #b', '#x', '- x', '-', '? x', '[[Link]]', '{x}', '&x', '*x', '!x', '|', '>'],
    ...["'x", '"x"', '%x', '@x', '`x', ', x', 'a\nb', 'a\tb', '\u0085', 'a\u2028b', '\ufeffx', '\u0000'],
    ...['~', 'null', 'NULL', 'true', 'False', 'yes', 'No', 'ON', 'off', 'y', 'N', '<<', '='],
    ...['0', '-1', '+1', '01234', '08', '1_000', '0b1', '0o7', '0x1F', '12:30', '190:20:30', '1.0', '.5', '1.', '1e3'],
    ...['-.inf', '.NaN', '1:30.5', '2024-13-45', '2024-02-30', '2024-5-1 1:02:03', '2024-05-01 10:00:00 +2'],
  ])('is quoted when a reader would take it for something else: %j', (text) => {
    const written = yamlScalar(text);
    expect(written).toMatch(/^".*"$/);
    for (const version of VERSIONS) expect(read(`k: ${written}`, version)).toEqual({ k: text });
  });

  it.each([
    '2024-05-01',
    '2024-05-01T10:00:00Z',
    '2024-05-01T10:00',
    '2024-05-01 10:00:00',
    '2024-05-01T10:00:00.5+02:00',
  ])('that is an ISO date or time is bare: %s', (text) => {
    expect(yamlScalar(text)).toBe(text);
  });

  it('is read back by both kinds of reader, and bare only if they agree', () => {
    const tricky = fc.string({
      unit: fc.constantFrom(...'01_.:-+eEx oafnyINul~=<"\'#[{,&*!|>%@`?\\\n\t\u0085é'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.oneof(tricky, fc.string({ unit: 'binary', maxLength: 12 })), (text) => {
        fc.pre(text.isWellFormed());
        const lines = `- k: ${yamlScalar(text)}\n  l:\n    - ${yamlScalar(text)}\n- ${yamlKey(text)}: x\n`;
        const expected = [{ k: text, l: [text] }, { [text]: 'x' }];
        expect(read(lines, '1.2')).toEqual(expected);
        // The library's 1.1 mode takes an exponent alone for a number, as no other reader does.
        if (/^[-+]?[eE][-+]?\d+$/.test(text) || /^\d{4}-/.test(text)) return;
        expect(read(lines, '1.1')).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a number', () => {
  it.each([
    [1, '1'],
    [-0.5, '-0.5'],
    [1e21, '1.0e+21'],
    [1.5e-7, '1.5e-7'],
    [-1e-7, '-1.0e-7'],
  ])('%d is one for both kinds of reader', (value, expected) => {
    expect(yamlScalar(value)).toBe(expected);
    for (const version of VERSIONS) expect(read(`k: ${expected}`, version)).toEqual({ k: value });
  });
});

it('a key is quoted where it would end the block', () => {
  expect(yamlKey('--- x')).toBe('"--- x"');
  expect(isBareString('--- x')).toBe(true);
  expect(yamlKey('my key')).toBe('my key');
});
