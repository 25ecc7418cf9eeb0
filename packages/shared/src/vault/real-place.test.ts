import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { isWithin, realPlace } from './real-place.ts';

let folder: TempFolder;
let root: string;
beforeEach(async () => {
  folder = await createTempFolder('places');
  root = realpathSync(folder.path);
  mkdirSync(join(root, 'disk/Notes'), { recursive: true });
  symlinkSync('disk/Notes', join(root, 'Notes'));
});
afterEach(() => folder.remove());

it('a path leads where its links lead, also what is not there yet', async () => {
  expect(await realPlace(join(root, 'Notes'))).toBe(join(root, 'disk/Notes'));
  expect(await realPlace(join(root, 'Notes/.data/index.db'))).toBe(join(root, 'disk/Notes/.data/index.db'));
  expect(await realPlace('/')).toBe('/');
});

it('a link that goes round or nowhere is taken for what it is', async () => {
  symlinkSync('b', join(root, 'a'));
  symlinkSync('a', join(root, 'b'));
  symlinkSync('/nonexistent', join(root, 'c'));
  expect(await realPlace(join(root, 'a/x'))).toBe(join(root, 'a/x'));
  expect(await realPlace(join(root, 'c'))).toBe(join(root, 'c'));
});

it('what is within a folder is the folder itself and what stands below, no neighbour of a longer name', () => {
  expect([isWithin('/a', '/a'), isWithin('/a', '/a/b'), isWithin('/', '/a')]).toEqual([true, true, true]);
  expect([isWithin('/a', '/ab'), isWithin('/a/b', '/a')]).toEqual([false, false]);
});
