import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { needsPerson } from './findings.ts';
import { reportChains, reportLinks, type SeenLinks } from './link-findings.ts';

const WELL: SeenLinks = {
  ...{ broken: [], ambiguous: [], leftOut: [] },
  counts: { broken: 0, ambiguous: 0, unknown: 0 },
};
const HOME = 'Home.md' as VaultPath;
const fix = { written: '[[Rof]]', paste: ['[[Roof]]'], advice: 'Or remove it.' };
const broken = { path: HOME, line: 3, form: 'wikilink', target: 'Rof', fix };

describe('what doctor says of links', () => {
  it('is nothing where they are well', () => {
    expect(reportLinks(WELL)).toEqual([]);
  });

  it('is of a broken one where it stands, what can be pasted, and what else to do', () => {
    const findings = reportLinks({ ...WELL, broken: [broken], counts: { ...WELL.counts, broken: 1 } });
    expect(findings).toEqual([
      {
        ...{ code: 'broken_link', severity: 'warning', path: 'Home.md', line: 3, message: '[[Rof]] leads nowhere.' },
        ...{ written: '[[Rof]]', paste: ['[[Roof]]'], fix: 'Or remove it.' },
      },
    ]);
    expect(findings.every(needsPerson)).toBe(true);
  });

  it('is of an ambiguous one how many files it could mean', () => {
    const meant = { files: ['a/Roof.md', 'b/Roof.md'] as VaultPath[], total: 7 };
    const link = { ...broken, line: null, fix: { written: '[[Roof]]', paste: ['[[a/Roof]]'], advice: '', meant } };
    const [finding] = reportLinks({ ...WELL, ambiguous: [link], counts: { ...WELL.counts, ambiguous: 1 } });
    expect(finding).toMatchObject({ code: 'ambiguous_link', message: expect.stringContaining('any of 7 files') });
    expect(finding).not.toHaveProperty('line');
    expect(finding).not.toHaveProperty('fix');
  });

  it('ends each kind with how many more there are', () => {
    const counts = { broken: 31, ambiguous: 4, unknown: 0 };
    expect(reportLinks({ ...WELL, broken: [broken], counts }).map(({ code, message }) => [code, message])).toEqual([
      ['broken_link', '[[Rof]] leads nowhere.'],
      ['broken_link', 'Links besides these that lead nowhere: 30.'],
      ['ambiguous_link', 'Links besides these that could mean several files: 4.'],
    ]);
  });

  it('is once, and needs nobody by itself, that links may lead into folders that cannot be read', () => {
    const findings = reportLinks({ ...WELL, counts: { ...WELL.counts, unknown: 12 } });
    expect(findings).toMatchObject([{ code: 'links_unknown', message: expect.stringContaining('12') }]);
    expect(findings.some(needsPerson)).toBe(false);
  });

  it('names what could not be read for its links', () => {
    const leftOut = [
      { path: 'Board.canvas', reason: 'no permission' },
      { path: '', reason: 'ask again' },
    ];
    const findings = reportLinks({ ...WELL, leftOut });
    expect(findings.map(({ path, message }) => [path, message])).toEqual([
      ['Board.canvas', 'could not be read for its links: no permission'],
      [undefined, 'Links were left out: ask again.'],
    ]);
    expect(findings.every(needsPerson)).toBe(true);
  });
});

describe('what doctor says of superseded notes', () => {
  it('is which of them lead to none, and what to do', () => {
    const findings = reportChains([{ problem: 'self', path: 'Old.md', written: '[[Old]]' }]);
    expect(findings).toEqual([
      {
        ...{ code: 'superseded_self', severity: 'warning', path: 'Old.md' },
        message: 'It says that it stands for itself, so search leaves it out and names no other.',
        fix: expect.stringContaining('Set superseded_by to the note that holds'),
      },
    ]);
    expect(reportChains([])).toEqual([]);
  });

  it('ends with how many more there are', () => {
    const faults = Array.from({ length: 203 }, (_, n) => ({ problem: 'self', path: `${n}.md`, written: 'x' }) as const);
    const findings = reportChains(faults);
    expect(findings).toHaveLength(201);
    expect(findings.at(-1)).toMatchObject({ code: 'superseded_more', message: expect.stringMatching(/none: 3\.$/) });
    expect(findings.every(needsPerson)).toBe(true);
  });
});
