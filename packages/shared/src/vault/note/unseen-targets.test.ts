import { describe, expect, it } from 'vitest';
import { type AccessRule, createAccess } from '../access.ts';
import type { VaultPath } from '../path.ts';
import { followMove } from './follow-move.ts';
import { relocate } from './relocation.ts';
import { createVaultNames } from './vault-names.ts';

const p = (path: string) => path as VaultPath;
const RULES: readonly AccessRule[] = [
  { prefix: 'Open', read: true, write: true },
  { prefix: 'Open/Shut', read: false, write: false },
  { prefix: 'Way/Open', read: true, write: true },
];
const SEEN = ['Open/Rose.md', 'Open/Ref.md', 'Open/In/Rose.md', 'Open/pic.png', 'Way/Open/Deep/Fern.md'].map(p);

interface Follow {
  readonly names?: readonly VaultPath[];
  readonly rules?: readonly AccessRule[];
}

/** What one file is after a move by who sees what the rules let be read. */
function follow(path: string, text: string, [source, destination]: readonly [string, string], options: Follow = {}) {
  const { names = SEEN, rules = RULES } = options;
  const { readRules } = createAccess(rules);
  const seen = createVaultNames([...names, p(path)]);
  return followMove({ path: p(path), text }, relocate(seen, p(source), p(destination), readRules));
}

const REPORTED = [{ line: 1, reason: expect.stringMatching(/may mean a file that you do not see/) }];

describe('a link found by name alone, for who sees a part of the vault', () => {
  const names = SEEN.filter((path) => path !== 'Open/In/Rose.md');

  it.each(['[[Rose]]', '[[Rose|r]]', '![[pic.png]]', '[a](Rose.md)', '[a](Rose)'])(
    'is left and reported, since it may mean a hidden file: %s',
    (text) => {
      const linking = 'Way/Open/x.md';
      const move = text.includes('pic')
        ? (['Open/pic.png', 'Open/old.png'] as const)
        : (['Open/Rose.md', 'Open/Old.md'] as const);
      const { text: after, left, breaking } = follow(linking, text, move, { names });
      expect([after, left, breaking]).toEqual([text, REPORTED, 1]);
    },
  );

  it('is left where a file beside the hidden folder of its name is found', () => {
    const shut = [...names, p('Open/Shut.md')];
    for (const text of ['[x](./Shut)', '[[Open/Shut]]']) {
      const { text: after, left } = follow('Open/Ref.md', text, ['Open/Shut.md', 'Open/Old.md'], { names: shut });
      expect([after, left]).toEqual([text, REPORTED]);
    }
  });

  it('is left when it names the end of a path, too', () => {
    const { text, left } = follow('Open/Ref.md', '[[Open/Deep/Fern]]', ['Way/Open/Deep', 'Open/Deep']);
    expect([text, left]).toEqual(['[[Open/Deep/Fern]]', REPORTED]);
    const away = follow('Open/Ref.md', '[[Deep/Fern]]', ['Way/Open/Deep', 'Open/Moss']);
    expect([away.text, away.left]).toEqual(['[[Deep/Fern]]', REPORTED]);
  });

  it('is reported where the moved file comes to stand before all others of that name', () => {
    const beside = follow('Way/Open/x.md', '[x](pic.png)', ['Open/pic.png', 'Way/Open/pic.png']);
    expect([beside.text, beside.left]).toEqual(['[x](pic.png)', REPORTED]);
  });

  it('is nothing to report where the move leaves its name alone', () => {
    const move = ['Open/Rose.md', 'Way/Open/Rose.md'] as const;
    expect(follow('Open/Ref.md', '[[Rose]]', move, { names })).toMatchObject({ changedLines: [], left: [] });
  });

  it('is counted among what a base names', () => {
    const { left } = follow('Open/view.base', 'filters: file.hasLink("Rose")', ['Open/Rose.md', 'Open/Old.md'], {
      names,
    });
    expect(left).toEqual([{ line: 1, reason: expect.stringContaining('"Rose"') }]);
  });
});

describe('a link that means the same to everybody', () => {
  it.each([
    ['[[Open/Rose]]', '[[Open/Tulip]]'],
    ['[[Open/Rose.md]]', '[[Open/Tulip.md]]'],
    ['[a](Rose.md)', '[a](Tulip.md)'],
    ['[a](./Rose.md)', '[a](./Tulip.md)'],
    ['[a](/Open/Rose.md)', '[a](/Open/Tulip.md)'],
    ['[a](In/Rose.md) [[./Rose]]', '[a](In/Rose.md) [[./Tulip]]'],
  ])('follows, and stays qualified: %s', (before, after) => {
    expect(follow('Open/Ref.md', before, ['Open/Rose.md', 'Open/Tulip.md'])).toMatchObject({ text: after, left: [] });
  });

  it('becomes no bare name, which a hidden note may have as well', () => {
    const rules = [
      { prefix: '', read: true, write: true as const },
      { prefix: 'Private', read: false, write: false as const },
    ];
    const bare = follow('Ref.md', '[[Rose]]', ['Rose.md', 'Open/Tulip.md'], { rules, names: [p('Rose.md')] });
    expect(bare).toMatchObject({ text: '[[Open/Tulip]]', left: [] });
  });

  it('is written so that no hidden file can take its place', () => {
    const rules = [
      { prefix: '', read: true, write: true as const },
      { prefix: 'Far/Open', read: false, write: false as const },
    ];
    const move = ['Ref.md', 'Far/Ref.md'] as const;
    const moved = follow('Ref.md', '[a](/Open/Rose.md) [b](Open/Rose.md)', move, { rules });
    expect(moved).toMatchObject({ text: '[a](/Open/Rose.md) [b](../Open/Rose.md)', left: [] });
    const noted = follow('X/Ref.md', '[b](Open/Rose.md)', ['X/Ref.md', 'Far/Ref.md'], { rules });
    expect(noted).toMatchObject({ text: '[b](/Open/Rose.md)', left: [] });
  });
});

describe('the relative link of a note that moves, to what is hidden', () => {
  it.each([
    ['[x](../Private/Plan.md) ![p](../Private/pic.png)', '[x](../../Private/Plan.md) ![p](../../Private/pic.png)'],
    ['[x](../Private/My%20Plan.md#h "t")', '[x](../../Private/My%20Plan.md#h "t")'],
    ['[y](../Way/Open/Deep/../../Shut.md)', '[y](../Shut.md)'],
    ['[[../Private/Plan|p]] [[./Shut/Plan]]', '[[../../Private/Plan|p]] [[../../Open/Shut/Plan]]'],
  ])('goes on leading there, by its text alone: %s', (before, after) => {
    expect(follow('Open/L.md', before, ['Open/L.md', 'Way/Open/L.md'])).toMatchObject({ text: after, left: [] });
  });

  it('goes on saying that it starts at the note, or it would be looked for by name', () => {
    const rules = [...RULES, { prefix: 'top.md', read: true, write: true as const }];
    const moved = follow('Open/L.md', '[x](../Private/Plan.md)', ['Open/L.md', 'top.md'], { rules });
    expect(moved).toMatchObject({ text: '[x](./Private/Plan.md)', left: [] });
  });

  it('stays where the note stays in its folder, and where there is surely nothing', () => {
    const hidden = '[x](../Private/Plan.md)';
    expect(follow('Open/L.md', hidden, ['Open/L.md', 'Open/M.md'])).toMatchObject({ text: hidden, breaking: 0 });
    const nothing = '[x](./None.md) [y](../../../out.md) [z](/Private/Plan.md)';
    const moved = follow('Open/L.md', nothing, ['Open/L.md', 'Way/Open/L.md']);
    expect(moved).toMatchObject({ text: nothing, left: [], breaking: 0 });
  });

  it('is reported where it does not say that it starts at the note', () => {
    const moved = follow('Open/L.md', '[x](Shut/Plan.md)', ['Open/L.md', 'Way/Open/L.md']);
    expect(moved).toMatchObject({ text: '[x](Shut/Plan.md)', left: REPORTED });
    expect(follow('Open/L.md', '[x](Shut/Plan.md)', ['Open/L.md', 'Open/M.md'])).toMatchObject({ left: [] });
  });
});
