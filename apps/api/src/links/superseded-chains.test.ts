import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChainFault, MAX_HOPS, supersededChains } from './superseded-chains.ts';

/** @param saying note → what its `superseded_by` says; @param others files beside them */
function chainsOf(saying: Record<string, string>, others: readonly string[] = []) {
  const rows = Object.entries(saying).map(([path, supersededBy]) => ({ path, supersededBy }));
  return supersededChains(rows, createVaultNames([...Object.keys(saying), ...others] as VaultPath[]));
}

const headOf = (saying: Record<string, string>, others: readonly string[], path: string) => {
  const { head, problem } = chainsOf(saying, others).liveHead({ path, supersededBy: saying[path] ?? '' });
  return head ?? problem;
};

const line = (fault: ChainFault) =>
  fault.problem === 'cycle' ? `cycle ${fault.members.join(' > ')}` : `${fault.problem} ${fault.path}`;
const faults = (saying: Record<string, string>, others: readonly string[] = []) =>
  chainsOf(saying, others).faults().map(line);

/** `0.md` superseded by `1.md` and so on, up to the last, which is not. */
function straight(hops: number) {
  const saying = Object.fromEntries(Array.from({ length: hops }, (_, n) => [`${n}.md`, `[[${n + 1}]]`]));
  return headOf(saying, [`${hops}.md`], '0.md');
}

describe('the note that stands for a superseded one', () => {
  it('is the end of its chain, from wherever one asks', () => {
    const saying = { 'a.md': '[[b]]', 'b.md': '[[c]]' };
    expect(headOf(saying, ['c.md'], 'a.md')).toBe('c.md');
    expect(headOf(saying, ['c.md'], 'b.md')).toBe('c.md');
  });

  it.each([
    ['[[Facts/New]]', 'a whole path'],
    ['[[Facts/New.md|the new one#1]]', 'an alias'],
    ['[[Facts/New#Since then]]', 'a heading'],
    ['[[New]]', 'a name alone'],
    ['[[facts/NEW]]', 'another case'],
    ['[new](Facts/New.md)', 'a link of markdown'],
    ['Facts/New.md', 'a path'],
    ['  Facts/New ', 'a path without suffix'],
    ['See [[Facts/New]] of May.', 'a sentence with a link'],
  ])('is named by %s: %s', (written) => {
    expect(headOf({ 'Old.md': written }, ['Facts/New.md'], 'Old.md')).toBe('Facts/New.md');
  });

  it('is found in any normal form, and named as the disk spells it', () => {
    const [nfc, nfd] = ['Café.md'.normalize('NFC'), 'Café.md'.normalize('NFD')];
    expect(headOf({ 'Old.md': '[[Café]]'.normalize('NFC') }, [nfd], 'Old.md')).toBe(nfd);
    expect(headOf({ 'Old.md': '[[Café]]'.normalize('NFD') }, [nfc], 'Old.md')).toBe(nfc);
  });

  it('is found behind a path that no link could hold', () => {
    expect(headOf({ 'Old.md': 'Facts/C# [draft].md' }, ['Facts/C# [draft].md'], 'Old.md')).toBe('Facts/C# [draft].md');
  });

  it('is what the file says now, though the rows have it otherwise', () => {
    const chains = chainsOf({ 'a.md': '[[b]]' }, ['b.md', 'c.md']);
    expect(chains.liveHead({ path: 'a.md', supersededBy: '[[c]]' })).toEqual({ head: 'c.md', problem: null });
  });

  it('is none where the chain leads nowhere, to several, to itself or in a circle', () => {
    expect(headOf({ 'a.md': '[[b]]' }, [], 'a.md')).toBe('dangling');
    expect(headOf({ 'a.md': '[[b]]', 'b.md': '[[gone]]' }, [], 'a.md')).toBe('dangling');
    expect(headOf({ 'a.md': '   ' }, [], 'a.md')).toBe('dangling');
    expect(headOf({ 'a.md': '[[b]]' }, ['x/b.md', 'y/b.md'], 'a.md')).toBe('ambiguous');
    expect(headOf({ 'a.md': '[[a]]' }, [], 'a.md')).toBe('self');
    expect(headOf({ 'a.md': '[[#Part]]' }, [], 'a.md')).toBe('self');
    expect(headOf({ 'a.md': '[[b]]', 'b.md': '[[a]]' }, [], 'a.md')).toBe('cycle');
    expect(headOf({ 'a.md': '[[b]]', 'b.md': '[[B]]' }, [], 'a.md')).toBe('cycle');
  });

  it('is at most so many steps away', () => {
    expect(MAX_HOPS).toBe(64);
    expect(straight(64)).toBe('64.md');
    expect(straight(65)).toBe('too_long');
  });
});

describe('what is wrong with the chains of a vault', () => {
  it('is nothing where each has an end', () => {
    expect(faults({ 'a.md': '[[b]]', 'b.md': '[[c]]', 'x.md': '[[c]]' }, ['c.md'])).toEqual([]);
  });

  it('is told of the note that says it, not of those that lead to it', () => {
    const saying = { 'a.md': '[[b]]', 'b.md': '[[gone]]', 'c.md': '[[d]]', 'd.md': '[[d]]', 'e.md': '[[two]]' };
    expect(faults(saying, ['x/two.md', 'y/two.md'])).toEqual(['dangling b.md', 'self d.md', 'ambiguous e.md']);
  });

  it('is told of a circle once, from its first note on', () => {
    const saying = {
      'd.md': '[[b]]',
      'c.md': '[[a]]',
      'b.md': '[[c]]',
      'a.md': '[[b]]',
      'x.md': '[[y]]',
      'y.md': '[[x]]',
    };
    expect(faults(saying)).toEqual(['cycle a.md > b.md > c.md', 'cycle x.md > y.md']);
  });

  it('agrees with where each note leads, whatever they say', () => {
    const count = 12;
    fc.assert(
      fc.property(fc.array(fc.nat(count), { minLength: count, maxLength: count }), (targets) => {
        const saying = Object.fromEntries(
          targets.map((to, from) => [`${from}.md`, `[[${to === count ? 'gone' : to}]]`]),
        );
        const chains = chainsOf(saying);
        const found = chains.faults();
        const circling = new Set(found.flatMap((fault) => (fault.problem === 'cycle' ? fault.members : [])));
        const next = (path: string) => `${saying[path]?.slice(2, -2)}.md`;
        for (const [path, supersededBy] of Object.entries(saying)) {
          // Nobody here is left over: each says that another stands for it.
          expect(chains.liveHead({ path, supersededBy }).problem).not.toBeNull();
          let at = next(path);
          for (let step = 0; step < count && at !== path; step++) at = next(at);
          expect([path, circling.has(path)]).toEqual([path, at === path && next(path) !== path]);
        }
      }),
    );
  });
});
