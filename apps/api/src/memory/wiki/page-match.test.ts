import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { matchPage, pageName, pageOf, wikiPages } from './page-match.ts';

const DIR = 'Wiki' as VaultPath;
const paths = (...names: string[]) => names as VaultPath[];

describe('the pages of a wiki', () => {
  it('are the notes below its folder, however it is spelled, without the raw material', () => {
    const files = paths('Wiki/a.md', 'wiki/b.MD', 'Wiki/sub/c.md', 'Wiki/raw/d.md', 'Wikis/e.md', 'f.md', 'Wiki/g.pdf');
    expect(wikiPages(DIR, files)).toEqual(['Wiki/a.md', 'wiki/b.MD', 'Wiki/sub/c.md']);
  });
});

describe('the page of a name', () => {
  it.each([
    ['  Ada \n Lovelace ', 'Ada Lovelace'],
    ['wiki/people/Ada Lovelace.md', 'people/Ada Lovelace'],
    ['Ada.MD', 'Ada'],
    ['Wikis/ada', 'Wikis/ada'],
  ])('is told from %j as %j', (named, name) => {
    expect(pageName(named, DIR)).toBe(name);
  });

  it('is the one whose path was sent, where several are called so', () => {
    const pages = paths('Wiki/people/Ada Lovelace.md', 'Wiki/ships/Ada Lovelace.md');
    const found = { is: 'page', path: 'Wiki/ships/Ada Lovelace.md' };
    expect(matchPage(pageName('Wiki/ships/Ada Lovelace.md', DIR), DIR, pages)).toEqual(found);
    expect(matchPage('ships/ada lovelace', DIR, pages)).toEqual(found);
  });

  it('is the one of exactly that name, whatever else is called so', () => {
    const pages = paths('Wiki/people/Ada Lovelace.md', 'Wiki/Ada-Lovelace.md', 'Wiki/ada-lovelaces.md');
    expect(matchPage('ada-lovelace', DIR, pages)).toEqual({ is: 'page', path: 'Wiki/Ada-Lovelace.md' });
  });

  it('is the only one that a person spelled another way', () => {
    const pages = paths('Wiki/people/Ada Lovelace.md', 'Wiki/ada.md');
    expect(matchPage('ada-lovelace', DIR, pages)).toEqual({ is: 'page', path: 'Wiki/people/Ada Lovelace.md' });
  });

  it('is asked for where two are spelled so', () => {
    const pages = paths('Wiki/people/Ada Lovelace.md', 'Wiki/ships/Ada lovelace.md');
    expect(matchPage('ada-lovelace', DIR, pages)).toEqual({
      is: 'candidates',
      candidates: [
        { path: 'Wiki/people/Ada Lovelace.md', score: 1 },
        { path: 'Wiki/ships/Ada lovelace.md', score: 1 },
      ],
    });
  });

  it('is asked for where pages are alike, five at the most, and not made beside them', () => {
    const alike = Array.from({ length: 8 }, (_, n) => `Wiki/kitchen-tap-${n}.md`);
    const match = matchPage('kitchen-tap', DIR, paths(...alike, 'Wiki/Roof.md'));
    expect(match).toMatchObject({ is: 'candidates' });
    expect(match.is === 'candidates' && match.candidates.map(({ path }) => path)).toEqual(alike.slice(0, 5));
  });

  it('is none where nothing is like it', () => {
    expect(matchPage('roof', DIR, paths('Wiki/kitchen.md'))).toEqual({ is: 'none' });
    expect(matchPage('roof', DIR, [])).toEqual({ is: 'none' });
    expect(pageOf(DIR, 'roof')).toBe('Wiki/roof.md');
  });
});
