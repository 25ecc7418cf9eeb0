import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import {
  aKind,
  decodeRequestPath,
  fileKindOf,
  isDotted,
  parentOf,
  parseVaultPath,
  pathFromDisk,
  pathKey,
} from './path.ts';

const refusal = (code: string) => expect.objectContaining({ code });

it('calls kinds by their article', () => {
  expect(['note', 'attachment'].map(aKind)).toEqual(['a note', 'an attachment']);
});

describe('parseVaultPath', () => {
  it.each([
    ['House/Heating.md', 'House/Heating.md'],
    ['/House/Heating.md', 'House/Heating.md'],
    ['///House', 'House'],
    ['House/', 'House'],
    ['a//b', 'a/b'],
    ['./a/./b', 'a/b'],
    ['a/../b.md', 'b.md'],
    ['', ''],
    ['/', ''],
    [' a.md ', ' a.md '],
    ['%2e%2e/a.md', '%2e%2e/a.md'],
    ['日本/メモ.md', '日本/メモ.md'],
  ])('takes %j as %j', (raw, path) => {
    expect(parseVaultPath(raw)).toBe(path);
  });

  it.each([
    '../a.md',
    'a/../../b',
    '..',
    'a\0.md',
    'a\\b.md',
    '.git/config',
    'a/.hidden.md',
    'x\ud800.md',
    'a\nb.md',
    'a.md\r',
    'a\x1b[31m.md',
    'a\x85.md',
  ])('refuses %j', (raw) => {
    expect(() => parseVaultPath(raw)).toThrow(refusal('invalid_path'));
  });

  it('refuses what is longer than any path there is, before it looks at the parts', () => {
    expect(parseVaultPath('a/'.repeat(2048))).toHaveLength(4095);
    expect(() => parseVaultPath('a/'.repeat(10_000_000))).toThrow(refusal('invalid_path'));
  });

  it('says that a dotted name is protected', () => {
    expect(() => parseVaultPath('.git/config')).toThrow(/"\.git" is protected/);
  });

  it('gives nothing that leads out, for any string', () => {
    fc.assert(
      fc.property(hostilePath(), (raw) => {
        const path = accepted(() => parseVaultPath(raw));
        if (path === null) return;
        expect(path).not.toMatch(/\p{Cc}|\\|^\/|\/$|\/\//u);
        expect(path === '' || path.split('/').every((segment) => segment !== '' && !segment.startsWith('.'))).toBe(
          true,
        );
        expect(parseVaultPath(path)).toBe(path);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('decodeRequestPath', () => {
  it.each([
    ['House/Heating%20plan.md', 'House/Heating plan.md'],
    ['/House/', 'House'],
    ['//etc/passwd', 'etc/passwd'],
    ['%252e%252e/a', '%2e%2e/a'],
    ['caf%C3%A9.md', 'café.md'],
    ['a+b.md', 'a+b.md'],
    ['', ''],
  ])('decodes %j once, to %j', (raw, path) => {
    expect(decodeRequestPath(raw)).toBe(path);
  });

  it.each([
    '..%2fa',
    '%2e%2e/a',
    '%2E',
    'a/../b',
    'a//b',
    'a%5cb',
    'a%00',
    'a%0Ab',
    'a%7f',
    '%',
    '%zz',
    '%C3',
    '%2egit/config',
    'a%2Fb',
    '\\a',
  ])('refuses %j', (raw) => {
    expect(() => decodeRequestPath(raw)).toThrow(refusal('invalid_path'));
  });

  it('gives nothing that leads out, for any string', () => {
    fc.assert(
      fc.property(hostilePath(), (raw) => {
        const path = accepted(() => decodeRequestPath(raw));
        expect(path === null || path === '' || path.split('/').every((segment) => !/^\.|^$|[\\\0]/.test(segment))).toBe(
          true,
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('reads back what encodeURIComponent wrote', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.|[/\\]|\p{Cc}|\p{Cs}/u.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        expect(decodeRequestPath(names.map(encodeURIComponent).join('/'))).toBe(names.join('/'));
      }),
    );
  });
});

describe('comparing and sorting out paths', () => {
  it('takes spellings that differ by normal form or case as one key', () => {
    expect(pathKey('Cafe\u0301/ÄRGER.md')).toBe(pathKey('café/ärger.md'));
    expect(pathKey('a.md')).not.toBe(pathKey('b.md'));
  });

  it('tells kinds by suffix, whatever its case', () => {
    expect(fileKindOf('a/X.MD', ['.pdf'])).toBe('note');
    expect(fileKindOf('a/x.PDF', ['.pdf'])).toBe('document');
    expect(fileKindOf('a/x.md.png', ['.pdf'])).toBe('attachment');
  });

  it('knows a dotted segment anywhere', () => {
    expect([isDotted('.a'), isDotted('a/.b/c'), isDotted('a.b/c.md')]).toEqual([true, true, false]);
  });

  it('names the folder a path stands in', () => {
    expect([parentOf(parseVaultPath('a/b/c.md')), parentOf(parseVaultPath('c.md'))]).toEqual(['a/b', '']);
  });

  it('makes no path of a name on disk that nobody could ask for', () => {
    expect(pathFromDisk('a', 'b.md')).toBe('a/b.md');
    for (const name of ['.b', 'b\\c', 'b\ufffd', '', 'b\nc.md', 'b\x7f', 'b\0', 'b\u0085'])
      expect(pathFromDisk('a', name)).toBeNull();
  });
});

function accepted(parse: () => string): string | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_path') return null;
    throw error;
  }
}

function hostilePath(): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '/',
      '//',
      '\\',
      '\0',
      '%2e',
      '%2E%2e',
      '%2f',
      '%5c',
      '%252e',
      '%00',
      '%c0%ae',
      '.git',
      '~',
      'a',
      'a.md',
      ' ',
      '\n',
      '\u2025',
      '\uff0e\uff0e',
      '\ud800',
      'C:',
    ),
    fc.string({ maxLength: 6 }),
  );
  return fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
}
