import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observePresence } from './presence.ts';

let base: string;
let root: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'presence-'));
  root = join(base, 'vault');
  await mkdir(root);
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe("the vault's folder", () => {
  it('is there while it is, empty or not, and again when it is put back', async () => {
    const presence = await observePresence(root);
    expect(await presence.isThere()).toBe(true);
    await rename(root, join(base, 'away'));
    expect(await presence.isThere()).toBe(false);
    await rename(join(base, 'away'), root);
    expect(await presence.isThere()).toBe(true);
  });

  it('is not there when a file took its place', async () => {
    const presence = await observePresence(root);
    await rm(root, { recursive: true });
    await writeFile(root, 'a file');
    expect(await presence.isThere()).toBe(false);
  });
});
