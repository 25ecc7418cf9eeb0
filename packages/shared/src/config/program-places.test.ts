import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitPlaces, programPlaces } from './load.ts';
import { searchPath } from './program-places.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'program-places-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const placesOf = (PATH?: string) => programPlaces(PATH === undefined ? {} : { PATH }).PATH?.split(delimiter) ?? [];

describe('where programs are looked for', () => {
  it('is a person’s own places first, in their order, and then those of package managers', () => {
    for (const name of ['own', 'bin']) mkdirSync(join(home, name));
    const places = placesOf([join(home, 'own'), '/usr/bin', join(home, 'bin')].join(delimiter));
    expect(places.slice(0, 3)).toEqual([join(home, 'own'), '/usr/bin', join(home, 'bin')]);
    expect(places).toEqual(expect.arrayContaining(['/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin']));
    expect(places).not.toContain('/bin');
  });

  it('is never a relative or empty place, nor one that is not there or no folder', () => {
    writeFileSync(join(home, 'file'), '');
    const bad = ['', '.', 'bin', './bin', '~/bin', join(home, 'missing'), join(home, 'file')];
    expect(placesOf([home, ...bad, ''].join(delimiter))).toEqual(placesOf(home));
  });

  it.each([
    ['without a PATH', undefined],
    ['with an empty one', ''],
    ['with one of which nothing is there', `bin${delimiter}/nonexistent/bin`],
  ])('is where the system and package managers have them, %s', (_how, path) => {
    expect(placesOf(path)).toEqual(expect.arrayContaining(['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin']));
  });

  it('is absolute, whatever PATH holds, and no place twice', () => {
    const entry = fc.oneof(fc.string(), fc.constantFrom('', '.', '/usr/bin', '/usr/local/bin', 'bin', '../bin'));
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const places = searchPath(entries.join(delimiter), () => true).split(delimiter);
        expect(places.filter((place) => !place.startsWith('/'))).toEqual([]);
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });
});

it('is all that a program is told of, with where tesseract’s languages are: no setting and no key', () => {
  const env = { PATH: home, TESSDATA_PREFIX: '/data', HOME: home, VAULT_MCP_API_KEY: 'key', EMBED_API_KEY: 'key' };
  expect(programPlaces(env)).toEqual({ PATH: searchPath(home, () => true), TESSDATA_PREFIX: '/data' });
  expect(Object.keys(programPlaces({ TESSDATA_PREFIX: '' }))).toEqual(['PATH']);
});

it('git is told where its user’s settings are as well, where there is a home', () => {
  expect(gitPlaces({ PATH: home, HOME: '/home/u', SECRET: 'x' })).toEqual({
    PATH: searchPath(home, () => true),
    HOME: '/home/u',
  });
  expect(Object.keys(gitPlaces({ HOME: '' }))).toEqual(['PATH']);
});
