import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRule, createAccess, EVERYTHING, maySee, readableBy, visibleBy, type WriteRight } from './access.ts';

const SCRIBE: readonly AccessRule[] = [
  { prefix: 'Journal', read: true, write: 'append' },
  { prefix: 'Journal/Private', read: false, write: false },
  { prefix: 'Journal/Private/Shared', read: true },
  { prefix: 'Projects/Öl', read: true, write: true },
  { prefix: 'Projects/Öl/Locked', write: false },
];

describe('what may be read', () => {
  const { mayRead } = createAccess(SCRIBE);

  it('is what the longest prefix states, in whole segments', () => {
    const readable = (path: string) => mayRead(path);
    expect(['Journal', 'Journal/a.md', 'Journal/Private/Shared/b.md'].map(readable)).toEqual([true, true, true]);
    expect(['Journal/Private', 'Journal/Private/a.md', 'Journal2/a.md', 'Projects', 'x.md', ''].map(readable)).toEqual([
      ...Array(6).fill(false),
    ]);
  });

  it('is the same in any spelling of the names', () => {
    for (const path of ['JOURNAL/A.md', 'projects/o\u0308l/x.md', 'PROJECTS/ÖL/locked/x.md']) {
      expect(mayRead(path)).toBe(true);
    }
    expect(mayRead('journal/PRIVATE/x.md')).toBe(false);
  });

  it('is nothing where nothing is stated, and all where there is no policy', () => {
    expect([createAccess([]).mayRead(''), createAccess([]).mayRead('a.md'), createAccess([]).writes]).toEqual([
      ...[false, false, false],
    ]);
    expect([EVERYTHING.mayRead('a.md'), EVERYTHING.rightAt('a.md'), EVERYTHING.readRules]).toEqual([true, true, null]);
  });

  it('is the index page only for who reads the whole vault, wherever else its name stands', () => {
    const whole = createAccess([{ prefix: '', read: true, write: true }]);
    expect([whole.mayRead('index.md'), whole.rightAt('index.md'), whole.readRules]).toEqual([true, true, null]);
    for (const rules of [
      [
        { prefix: '', read: true, write: true as const },
        { prefix: 'Private', read: false, write: false as const },
      ],
      [{ prefix: 'index.md', read: true, write: true as const }],
    ]) {
      const { mayRead: reads, rightAt } = createAccess(rules);
      expect([reads('index.md'), reads('INDEX.md'), rightAt('Index.md')]).toEqual([false, false, false]);
    }
    expect(createAccess([{ prefix: 'a', read: true }]).mayRead('a/index.md')).toBe(true);
  });
});

describe('a folder', () => {
  const access = createAccess(SCRIBE);

  it('may be entered when it is readable or on the way to what is', () => {
    const entered = ['', 'Journal', 'journal/private', 'Projects', 'Projects/Öl/Locked'];
    expect(entered.map(access.mayEnter)).toEqual(entered.map(() => true));
    expect(['Project', 'Other', 'Journal/Private/Other'].map(access.mayEnter)).toEqual([false, false, false]);
  });

  it('is readable or writable as a whole only where nothing below is stated otherwise', () => {
    expect(['Journal', 'Journal/2026', 'Projects/Öl', ''].map(access.mayReadAll)).toEqual([false, true, true, false]);
    expect(['Projects/Öl', 'Projects/Öl/x', 'Journal', 'Journal/Private'].map(access.mayChangeAll)).toEqual([
      ...[false, true, false, false],
    ]);
  });
});

describe('what may be written', () => {
  it('is stated apart from what may be read', () => {
    const { rightAt, writes } = createAccess(SCRIBE);
    const right = (path: string): WriteRight => rightAt(path);
    expect(['Journal/a.md', 'Journal/Private/a.md', 'Journal/Private/Shared/a.md'].map(right)).toEqual([
      ...['append', false, false],
    ]);
    expect(['Projects/Öl/a.md', 'Projects/Öl/Locked/a.md', 'Other.md'].map(right)).toEqual([true, false, false]);
    expect([writes, createAccess([{ prefix: 'a', read: true, write: 'append' }]).writes]).toEqual([true, 'append']);
  });
});

describe('the most that may be written', () => {
  it('is told of the places that count, and never of the index page of who sees a part', () => {
    const { mostWritten } = createAccess([...SCRIBE, { prefix: 'index.md', read: true, write: true }]);
    const most = (prefix: string) => mostWritten((place) => place === prefix || place.startsWith(`${prefix}/`));
    expect(['journal', 'projects', 'projects/öl/locked', 'other', 'index.md'].map(most)).toEqual([
      ...['append', true, false, false, false],
    ]);
    expect(EVERYTHING.mostWritten(() => false)).toBe(true);
  });
});

describe('rules that are sent', () => {
  const segment = fc.constantFrom('a', 'B', 'ö', 'index.md');
  const path = fc.array(segment, { maxLength: 4 }).map((segments) => segments.join('/'));
  const rules = fc.uniqueArray(fc.record({ prefix: path, read: fc.option(fc.boolean(), { nil: undefined }) }), {
    selector: ({ prefix }) => prefix.toLowerCase(),
    maxLength: 5,
  });

  it('let the same be read, and the same be seen', () => {
    fc.assert(
      fc.property(rules, path, (some, asked) => {
        const access = createAccess(some);
        const { readRules } = access;
        expect(readableBy(readRules)(asked)).toBe(access.mayRead(asked));
        for (const isFolder of [false, true]) {
          expect(visibleBy(readRules)(asked, isFolder)).toBe(maySee(access, asked, isFolder));
        }
      }),
    );
  });

  it('come with the longest prefix first, so that the first that covers a path decides', () => {
    fc.assert(
      fc.property(rules, path, (some, asked) => {
        const { readRules, mayRead } = createAccess(some);
        const key = asked.toLowerCase();
        const covers = ({ prefix }: { prefix: string }) =>
          prefix === '' || key === prefix || key.startsWith(`${prefix}/`);
        if (readRules !== null) expect(readRules.find(covers)?.read ?? false).toBe(mayRead(asked));
      }),
    );
  });

  it('have one name when they are the same, in whatever order and spelling they were stated', () => {
    fc.assert(
      fc.property(rules, (some) => {
        const shouted = some.map(({ prefix, read }) => ({ prefix: prefix.toUpperCase(), read })).reverse();
        expect(createAccess(shouted).readKey).toBe(createAccess(some).readKey);
      }),
    );
    expect(createAccess([{ prefix: '', read: true }]).readKey).toBe('');
    expect(createAccess([]).readKey).not.toBe('');
  });

  it('never let a folder be entered that leads to nothing readable', () => {
    fc.assert(
      fc.property(rules, path, (some, folder) => {
        const { mayEnter, mayRead } = createAccess(some);
        const reaches = some.some(
          ({ prefix }) => mayRead(prefix) && prefix.toLowerCase().startsWith(`${folder.toLowerCase()}/`),
        );
        expect(mayEnter(folder)).toBe(folder === '' || mayRead(folder) || reaches);
      }),
    );
  });
});
