import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import { parseNote } from '../parse.ts';
import { deleteFrontmatterKey, setFrontmatterKey } from './frontmatter.ts';

const set = (text: string, key: string, value: unknown, createIfMissing = false) =>
  setFrontmatterKey(parseNote(text), key, value, { createIfMissing }).text;
const setIn = (block: string, key: string, value: unknown) => {
  const text = set(`---\n${block}---\nbody\n`, key, value);
  expect(text.startsWith('---\n') && text.endsWith('---\nbody\n')).toBe(true);
  return text.slice(4, -'---\nbody\n'.length);
};
const remove = (text: string, key: string) => deleteFrontmatterKey(parseNote(text), key).text;
const refusal = (act: () => unknown): AppError => {
  try {
    act();
  } catch (thrown) {
    return thrown as AppError;
  }
  throw new Error('nothing was refused');
};

describe('setting a key that is there', () => {
  it('changes its lines and no other', () => {
    expect(setIn("a: 'x'\nb:   007\nc: yes\n", 'b', 'new')).toBe("a: 'x'\nb: new\nc: yes\n");
    expect(setIn('"a b" : 1\nc: 2\n', 'a b', 2)).toBe('"a b" : 2\nc: 2\n');
    expect(setIn('  a: 1\n  b: 2\n', 'b', ['x'])).toBe('  a: 1\n  b:\n    - x\n');
    expect(setIn('a: |\n  long\n\n  text\n\nb: 2\n', 'a', 'short')).toBe('a: short\n\nb: 2\n');
    expect(setIn('a:\nb: 2\n', 'a', 1)).toBe('a: 1\nb: 2\n');
    expect(setIn('a:\n  deep: 1\nb: 2\n', 'a', 'flat')).toBe('a: flat\nb: 2\n');
  });

  it('changes nothing when it has that value, however it is written', () => {
    for (const block of ["a: 'x'\n", 'a: "x"\n', 'a: x # c\n']) expect(setIn(block, 'a', 'x')).toBe(block);
    expect(setIn('a: 0x10\n', 'a', 16)).toBe('a: 0x10\n');
    expect(setIn('a: [x, {z: 1}]\n', 'a', ['x', { z: 1 }])).toBe('a: [x, {z: 1}]\n');
  });

  it('quotes a bare string that readers disagree on even then', () => {
    expect(setIn('a: no\n', 'a', 'no')).toBe('a: "no"\n');
    expect(setIn('a:\n  - on\n  - x\n', 'a', ['on', 'x'])).toBe('a:\n  - "on"\n  - x\n');
  });

  it('keeps comments', () => {
    expect(setIn('# head\na: 1   # why\n# next\nb: 2\n', 'a', 'x')).toBe('# head\na: x   # why\n# next\nb: 2\n');
    expect(setIn('a: 1 # why\n', 'a', ['x'])).toBe('a: # why\n  - x\n');
    expect(setIn('a: # why\n  - x # one\n  # two\n  - y\nb: 2\n', 'a', 'z')).toBe(
      'a: z # why\n  # one\n  # two\nb: 2\n',
    );
    expect(setIn('a: | # why\n  # text\nb: 2\n', 'a', 'z')).toBe('a: z # why\nb: 2\n');
    expect(setIn('a: [x, # one\n  y] # two\nb: 2\n', 'a', 'z')).toBe('a: z # one\n  # two\nb: 2\n');
  });

  it('leaves the items of a list that stay alone, with comments, quoting and indentation', () => {
    const list = "tags:\n- 'a' # one\n# two\n- b\n- c\n";
    expect(setIn(list, 'tags', ['a', 'b', 'c', 'd'])).toBe(`${list}- d\n`);
    expect(setIn(list, 'tags', ['z', 'a', 'b', 'c'])).toBe("tags:\n- z\n- 'a' # one\n# two\n- b\n- c\n");
    expect(setIn(list, 'tags', ['a', 'c'])).toBe("tags:\n- 'a' # one\n# two\n- c\n");
    expect(setIn(list, 'tags', ['a', 'x', 'c'])).toBe("tags:\n- 'a' # one\n- x\n# two\n- c\n");
    expect(setIn(list, 'tags', [])).toBe('tags: []\n  # one\n# two\n');
  });

  it('keeps the fences, whichever they are', () => {
    expect(set('\ufeff--- \na: 1\n...\nb: 2\n---\n', 'a', 2)).toBe('\ufeff--- \na: 2\n...\nb: 2\n---\n');
    expect(set('---\na: 1\n---', 'b', 2)).toBe('---\na: 1\nb: 2\n---');
    expect(remove('---\na: 1\n...\n', 'a')).toBe('---\n...\n');
  });

  it('uses the line ends of the block', () => {
    expect(set('---\r\na: 1\r\nb: 2\r\n---\r\nx\n', 'a', ['x'])).toBe('---\r\na:\r\n  - x\r\nb: 2\r\n---\r\nx\n');
  });
});

describe('setting a new key', () => {
  it.each([
    ['title: x\n', 'type', 'type: note\ntitle: x\n'],
    ['title: x\nmine: 1\n', 'tags', 'title: x\ntags: note\nmine: 1\n'],
    ['type: t\nexpires: 2024-01-01\n', 'timestamp', 'type: t\ntimestamp: note\nexpires: 2024-01-01\n'],
    ['mine: 1\n', 'title', 'title: note\nmine: 1\n'],
    ['title: x\n# about it\nmine: 1\n', 'description', 'title: x\ndescription: note\n# about it\nmine: 1\n'],
    ['# about it\nmine: 1\n', 'title', 'title: note\n# about it\nmine: 1\n'],
    ['# head\n\nmine: 1\n', 'title', '# head\n\ntitle: note\nmine: 1\n'],
    ['title: x\nexpires_reason: y\n', 'mine', 'title: x\nexpires_reason: y\nmine: note\n'],
    ['title: x\n# end\n', 'mine', 'title: x\nmine: note\n# end\n'],
    ['', 'mine', 'mine: note\n'],
    ['# nothing yet\n', 'mine', '# nothing yet\nmine: note\n'],
    ['text: |+\n  x\n\n', 'mine', 'text: |+\n  x\n\nmine: note\n'],
  ])('puts it in the conventional order: %j with %s', (block, key, expected) => {
    expect(setIn(block, key, 'note')).toBe(expected);
  });

  it('needs a block, or leave to make one', () => {
    expect(refusal(() => set('# A\n', 'a', 1)).code).toBe('no_frontmatter');
    expect(set('# A\n', 'a', 1, true)).toBe('---\na: 1\n---\n# A\n');
    expect(set('\ufeff# A\r\n', 'a', 1, true)).toBe('\ufeff---\r\na: 1\r\n---\r\n# A\r\n');
    expect(set('', 'a', 1, true)).toBe('---\na: 1\n---\n');
    expect(set('---\na\n', 'a', 1, true)).toBe('---\na: 1\n---\n---\na\n');
  });
});

describe('values', () => {
  it('are strings, numbers, booleans, lists and mappings', () => {
    const value = { list: [1, 'two', [true, []], { a: 'b', c: [{}] }], empty: '', long: 'a\nb', '--- x': 1, no: 'no' };
    const text = set('---\n---\n', 'k', value);
    expect(text).toBe(
      '---\nk:\n  list:\n    - 1\n    - two\n    - - true\n      - []\n    - a: b\n      c:\n        - {}\n' +
        '  empty: ""\n  long: "a\\nb"\n  "--- x": 1\n  "no": "no"\n---\n',
    );
    expect(JSON.parse(JSON.stringify(parseFrontmatter(text).data))).toEqual({ k: value });
  });

  it.each([
    [null],
    [undefined],
    [Number.NaN],
    [Infinity],
    [[1, null]],
    [{ a: null }],
    [new Date()],
    [1n],
    ['\ud800'],
    [Symbol.iterator],
  ])('are nothing else: %s', (value) => {
    expect(refusal(() => set('---\na: 1\n---\n', 'k', value)).code).toBe('invalid_value');
  });

  it('nested without end, and blocks without end, are refused', () => {
    const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 'x');
    expect(refusal(() => set('---\na: 1\n---\n', 'k', deep)).code).toBe('invalid_value');
    expect(refusal(() => set('---\na: 1\n---\n', 'k', 'x'.repeat(200_000))).code).toBe('invalid_value');
  });

  it.each(['', ' ', 'a\nb', '__proto__', '\ud800', 'x'.repeat(257)])('have no key like %j', (key) => {
    expect(refusal(() => set('---\na: 1\n---\n', key, 1)).code).toBe('invalid_value');
  });
});

describe('what lines cannot do safely is refused', () => {
  it.each([
    ['a block that cannot be read', 'a: [\n', /cannot be read/],
    ['one that is no mapping', '- a\n', /cannot be read/],
    ['a key that is there twice', 'a: 1\na: 2\n', /cannot be read/],
    ['a block in one pair of braces', '{a: 1, b: 2}\n', /written as one/],
    ['an anchor that is used elsewhere', 'a: &x 1\nb: *x\n', /anchor/],
    ['an anchor in a list that is used elsewhere', 'a:\n  - &x y\nb: *x\n', /anchor/],
    ['a key with a question mark', '? a\n: 1\n', /told apart/],
  ])('%s', (_what, block, why) => {
    const text = `---\n${block}---\n`;
    const error = refusal(() => set(text, 'a', [7]));
    expect(error.code).toBe('invalid_value');
    expect(error.message).toMatch(why);
  });

  it('but an anchor nobody uses, or an alias, may go', () => {
    expect(setIn('a: &x 1\nb: 2\n', 'a', 3)).toBe('a: 3\nb: 2\n');
    expect(setIn('a: &x 1\nb: *x\n', 'b', 3)).toBe('a: &x 1\nb: 3\n');
  });
});

describe('deleting a key', () => {
  it('takes its lines out', () => {
    expect(remove('---\na: 1 # one\nb:\n  - x\n  # y\n  - z\n# about c\nc: 2\n---\n', 'b')).toBe(
      '---\na: 1 # one\n# about c\nc: 2\n---\n',
    );
    expect(remove('---\r\na: 1\r\n---\r\nx', 'a')).toBe('---\r\n---\r\nx');
  });

  it('succeeds when it is not there', () => {
    for (const text of ['---\na: 1\n---\n', '# A\n', '', '---\n{a: 1}\n---\n']) expect(remove(text, 'b')).toBe(text);
    expect(remove('---\na: 1\n---\n', 'toString')).toBe('---\na: 1\n---\n');
  });

  it('is refused where setting it would be', () => {
    for (const block of ['a: [\n', '{a: 1}\n', 'a: &x 1\nb: *x\n']) {
      expect(refusal(() => remove(`---\n${block}---\n`, 'a')).code).toBe('invalid_value');
    }
  });
});

describe('a value that would make the block larger than is read', () => {
  it('is refused for that reason', () => {
    for (const text of ['---\na: 1\n---\n', '---\nb: 1\n---\n']) {
      const { code, message } = refusal(() => set(text, 'a', 'x'.repeat(131_072)));
      expect(code).toBe('invalid_value');
      expect(message).toMatch(/would have 1310\d\d characters, and no more than 131072 are read/);
    }
  });
});
