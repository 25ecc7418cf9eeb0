import { expect, it } from 'vitest';
import { standingWall, wantOfWall } from './wall.ts';
import { WHOLE_WALL } from './warden.ts';

it('a script would be held on Linux alone, by a kernel that has all of it and the program that asks for it', () => {
  expect(wantOfWall(WHOLE_WALL, 'linux')).toBeNull();
  expect(wantOfWall(WHOLE_WALL - 1, 'linux')).toMatch(/Linux 6\.2/);
  expect(wantOfWall(null, 'linux')).toMatch(/python3/);
  expect(wantOfWall(WHOLE_WALL, 'darwin')).toMatch(/only Linux/);
});

it('what this system has is asked of the system', async () => {
  // A version where there is Python, nothing where there is none; never an error.
  expect([null, expect.any(Number)]).toContainEqual(await standingWall());
});
