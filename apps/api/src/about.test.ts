import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeProgram } from './about.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'about-'));
  await writeFile(join(root, 'package.json'), JSON.stringify({ version: '3.2.1', license: 'MIT' }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

describe('what a build says of itself', () => {
  it('is its version and licence, and unknown where nothing is known', () => {
    expect(describeProgram(7, root)).toEqual({
      version: '3.2.1',
      licence: 'MIT',
      revision: 'unknown',
      source: null,
      startedAt: 7,
    });
  });

  it('is where its source can be had, when package.json names the repository', async () => {
    const url = 'https://example.org/vault-mcp';
    for (const repository of [url, { type: 'git', url }]) {
      await writeFile(join(root, 'package.json'), JSON.stringify({ version: '3.2.1', repository }));
      expect(describeProgram(0, root).source).toBe(url);
    }
  });

  it('is the commit of a checkout, loose or packed', async () => {
    await mkdir(join(root, '.git/refs/heads'), { recursive: true });
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(root, '.git/packed-refs'), `# pack-refs\n${COMMIT} refs/heads/main\n`);
    expect(describeProgram(0, root).revision).toBe(COMMIT);
    const loose = COMMIT.replace('0', 'f');
    await writeFile(join(root, '.git/refs/heads/main'), `${loose}\n`);
    expect(describeProgram(0, root).revision).toBe(loose);
  });

  it('is the revision an image was built with', async () => {
    await writeFile(join(root, 'REVISION'), 'v1-image\n');
    expect(describeProgram(0, root).revision).toBe('v1-image');
  });
});
