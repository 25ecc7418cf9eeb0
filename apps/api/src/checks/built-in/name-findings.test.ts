import { describe, expect, it } from 'vitest';
import { nameFindings, nameProblem } from './name-findings.ts';

const brief = (...files: string[]) => nameFindings(files).findings.map(({ code, path }) => `${code} ${path}`);

describe('a name', () => {
  it.each(['Plan.md', 'Plan 2026-01.md', 'Ünïcödé – “quoted”.md', 'console.md', 'com10.md', 'a&b+c=d!.md', '...md'])(
    'holds everywhere: %s',
    (name) => {
      expect(nameProblem(name)).toBeNull();
    },
  );

  it.each([
    'a:b.md',
    'Why?.md',
    'a*b.md',
    '"a".md',
    '<a>.md',
    'a|b.md',
    'CON',
    'con.md',
    'Lpt1.txt',
    'a.md.',
    'Folder ',
    `${'ä'.repeat(130)}.md`,
  ])('breaks somewhere: %s', (name) => {
    expect(nameProblem(name)).toEqual(expect.any(String));
  });
});

describe('the names of a vault', () => {
  it('are looked at once each, those of folders too', () => {
    expect(brief('Q?/a.md', 'Q?/b.md', 'ok/c?.md')).toEqual(['unportable_name Q?', 'unportable_name ok/c?.md']);
  });

  it('collide where case or normal form alone tells them apart', () => {
    expect(brief('a.md', 'A.md', 'caf\u00e9.md', 'cafe\u0301.md', 'b.md')).toEqual([
      'colliding_names A.md',
      'colliding_names cafe\u0301.md',
    ]);
  });

  it('of folders collide once, not for each file in them', () => {
    expect(brief('Home/a.md', 'home/a.md', 'home/b.md')).toEqual(['colliding_names Home']);
  });
});
