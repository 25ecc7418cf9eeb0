import { describe, expect, it } from 'vitest';
import { FileLives, type Life } from './file-lives.ts';

/** Path, what it held when it came (and last, where that is another), when it came, last changed, and went. */
interface Told {
  readonly path: string;
  readonly holds: string | readonly [string, string];
  readonly arrived: number;
  readonly changed?: number;
  readonly gone?: number;
}

const PASS = 9;

function lives(told: readonly Told[], away: readonly string[] = []): FileLives {
  const rows = told.map(({ path, holds, arrived, changed = arrived, gone }) => {
    const [arrivedSha256, knownSha256] = typeof holds === 'string' ? [holds, holds] : holds;
    return { path, arrivedSha256, knownSha256, arrived, changed, gone };
  });
  const departed = rows.flatMap((row) => (row.gone === undefined ? [] : [{ ...row, gone: row.gone }]));
  const files = rows.flatMap(({ gone, ...row }) => (gone === undefined ? [row] : []));
  return new FileLives({ pass: PASS, since: 1, files, departed }, (path) => !away.includes(path));
}

const OLD: Told = { path: 'old.md', holds: 'x', arrived: 1, gone: 4 };
const there = (path: string) => ({ is: 'there', path });
const unclear = (...candidates: string[]) => ({ is: 'unclear', candidates });
const GONE = { is: 'gone' };

describe('what became of a file', () => {
  const cases: [string, readonly Told[], object][] = [
    ['it is where the same came in the same pass', [{ path: 'new.md', holds: 'x', arrived: 4 }], there('new.md')],
    ['or in the next', [{ path: 'new.md', holds: 'x', arrived: 5 }], there('new.md')],
    ['not one later', [{ path: 'new.md', holds: 'x', arrived: 6 }], GONE],
    ['nor one earlier', [{ path: 'new.md', holds: 'x', arrived: 3 }], GONE],
    ['not where something else came', [{ path: 'new.md', holds: 'y', arrived: 4 }], GONE],
    [
      'also where that was changed since',
      [{ path: 'new.md', holds: ['x', 'y'], arrived: 4, changed: 7 }],
      there('new.md'),
    ],
    [
      'not where another was changed to the same',
      [{ path: 'new.md', holds: ['y', 'x'], arrived: 4, changed: 5 }],
      GONE,
    ],
    [
      'unclear of two that came',
      [
        { path: 'new.md', holds: 'x', arrived: 4 },
        { path: 'copy.md', holds: 'x', arrived: 4 },
      ],
      unclear('copy.md', 'new.md'),
    ],
    [
      'unclear of two, though one is another by now and one is gone',
      [
        { path: 'new.md', holds: ['x', 'y'], arrived: 4, changed: 6 },
        { path: 'copy.md', holds: 'x', arrived: 4, gone: 7 },
      ],
      unclear('copy.md', 'new.md'),
    ],
    [
      'the one of the same pass where another came in the next',
      [
        { path: 'new.md', holds: 'x', arrived: 4 },
        { path: 'copy.md', holds: 'x', arrived: 5 },
      ],
      there('new.md'),
    ],
    [
      'unclear where one that stayed had the same, as notes of one template do',
      [
        { path: 'new.md', holds: 'x', arrived: 4 },
        { path: 'template.md', holds: 'x', arrived: 1 },
      ],
      unclear('new.md', 'template.md'),
    ],
    [
      'unclear where another with the same went too',
      [
        { path: 'new.md', holds: 'x', arrived: 4 },
        { path: 'twin.md', holds: ['y', 'x'], arrived: 1, gone: 4 },
      ],
      unclear('new.md', 'twin.md'),
    ],
    [
      'clear where one with the same had gone before',
      [
        { path: 'new.md', holds: 'x', arrived: 4 },
        { path: 'twin.md', holds: 'x', arrived: 1, gone: 3 },
      ],
      there('new.md'),
    ],
    [
      'followed from name to name',
      [
        { path: 'mid.md', holds: ['x', 'z'], arrived: 4, changed: 5, gone: 7 },
        { path: 'new.md', holds: 'z', arrived: 8 },
      ],
      there('new.md'),
    ],
    ['gone where the trail ends', [{ path: 'mid.md', holds: 'x', arrived: 4, gone: 7 }], GONE],
    ['itself, come back', [{ path: 'old.md', holds: 'x', arrived: 5 }], there('old.md')],
  ];
  it.each(cases)('%s', (_name, others, fate) => {
    expect(lives([OLD, ...others]).fateOf('old.md', 3)).toEqual(fate);
  });

  it.each(['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'])(
    'nothing, where nothing is known of what it held, or it was empty (%s)',
    (holds) => {
      const files = [
        { ...OLD, holds },
        { path: 'new.md', holds, arrived: 4 },
      ];
      expect(lives(files).fateOf('old.md', 3)).toEqual(GONE);
    },
  );

  it('is asked of the file that was there at the time', () => {
    const files = [
      OLD,
      { path: 'new.md', holds: 'x', arrived: 4 },
      { path: 'old.md', holds: 'y', arrived: 5, gone: 7 },
    ];
    const all = lives([...files, { path: 'other.md', holds: 'y', arrived: 7 }]);
    expect([3, 4, 5, 6, 7].map((pass) => all.fateOf('old.md', pass))).toEqual([
      there('new.md'),
      GONE,
      there('other.md'),
      there('other.md'),
      GONE,
    ]);
  });

  it('counts a file that nobody has told of yet as gone in this pass', () => {
    const all = lives([{ path: 'old.md', holds: 'x', arrived: 1 }], ['old.md']);
    expect([all.present('old.md'), all.at('old.md', PASS - 1)?.gone, all.at('old.md', PASS)]).toEqual([
      undefined,
      PASS,
      undefined,
    ]);
  });
});

describe('where the bytes of a file were written', () => {
  const origin = (told: readonly Told[], path: string): [string, number] => {
    const all = lives(told);
    const { path: at, changed } = all.originOf(all.present(path) as Life);
    return [at, changed];
  };

  it('is where it was before it was renamed, however often', () => {
    const renamed = { path: 'mid.md', holds: 'x', arrived: 4, gone: 6 };
    expect(origin([{ ...OLD, changed: 2 }, renamed, { path: 'new.md', holds: 'x', arrived: 6 }], 'new.md')).toEqual([
      'old.md',
      2,
    ]);
  });

  it('is where it is once it has been changed there', () => {
    const changed = { path: 'new.md', holds: ['x', 'y'], arrived: 4, changed: 6 } as const;
    expect(origin([OLD, changed], 'new.md')).toEqual(['new.md', 6]);
    expect(origin([OLD, { ...changed, holds: ['x', 'x'] }], 'new.md')).toEqual(['new.md', 6]);
    expect(origin([OLD, { path: 'new.md', holds: ['x', 'y'], arrived: 4 }], 'new.md')).toEqual(['new.md', 4]);
  });

  it('is where it is where it is unclear what it was before', () => {
    const twins = [OLD, { ...OLD, path: 'twin.md' }];
    expect(origin([...twins, { path: 'new.md', holds: 'x', arrived: 4 }], 'new.md')).toEqual(['new.md', 4]);
  });
});
