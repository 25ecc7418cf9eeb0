import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { openVault, type Vault } from './vault.ts';
import { type WalkOptions, type WalkProblem, walkVault } from './walk.ts';

const isRoot = process.getuid?.() === 0;
const FILES = [
  'a.md',
  'House/Heating.MD',
  'House/Files/Manual.pdf',
  'House/plan.png',
  'House/Heating.sync-conflict-20240101-1.md',
  "House/Heating (Anna's conflicted copy).md",
  'Reports/2024/one.md',
  'Reports 2/two.md',
  '.obsidian/plugin.md',
  'House/.trash/old.md',
];

let folder: TempFolder;
let vault: Vault;

beforeAll(async () => {
  folder = await createTempFolder('walk');
  for (const file of FILES) {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), file);
  }
  await symlink(folder.path, join(folder.path, 'House', 'loop'));
  await symlink(join(folder.path, 'a.md'), join(folder.path, 'House', 'linked.md'));
  vault = await openVault(folder.path, { docSuffixes: ['.pdf'] });
});
afterAll(() => folder.remove());

async function walk(options: Partial<WalkOptions> = {}) {
  const found: string[] = [];
  const ignore = ['*.sync-conflict-*', '*conflicted copy*'];
  for await (const { path, kind } of walkVault(vault, { excludeDirs: [], ignore, ...options }))
    found.push(`${kind} ${path}`);
  return found;
}

describe('walkVault', () => {
  it('gives every note and document, and nothing hidden, linked, ignored or attached', async () => {
    expect(await walk()).toEqual([
      'document House/Files/Manual.pdf',
      'note House/Heating.MD',
      'note Reports/2024/one.md',
      'note Reports 2/two.md',
      'note a.md',
    ]);
  });

  it('leaves out excluded folders by whole segments, without regard to case', async () => {
    expect(await walk({ excludeDirs: ['reports', '/House/files/'] })).toEqual([
      'note House/Heating.MD',
      'note Reports 2/two.md',
      'note a.md',
    ]);
  });

  it('ignores nothing when nothing is to be ignored', async () => {
    expect((await walk({ ignore: [] })).length).toBe(7);
  });

  it('gives the stat of each file', async () => {
    const { value } = await walkVault(vault, { excludeDirs: ['House'], ignore: [] }).next();
    expect(value).toMatchObject({ path: 'Reports/2024/one.md', stat: { size: 19, inode: expect.any(Number) } });
  });

  it.each(['odd\\name.md', 'line\nbreak.md', 'ring\x07.md'])(
    'reports a name that no one could ask for, and goes on: %j',
    async (name) => {
      const file = join(folder.path, name);
      await writeFile(file, '');
      const problems: WalkProblem[] = [];
      const found = await walk({ onProblem: (problem) => problems.push(problem) });
      await rm(file);
      expect(found).toContain('note a.md');
      expect(found.join()).not.toMatch(/odd|line|ring/);
      expect(problems.map(({ path, reason }) => [path, reason])).toEqual([
        [expect.stringContaining(name), expect.stringContaining('no one could ask for it')],
      ]);
    },
  );

  it.skipIf(isRoot)('reports a folder that cannot be read, and goes on', async () => {
    const closed = join(folder.path, 'House', 'Files');
    await chmod(closed, 0o000);
    const problems: WalkProblem[] = [];
    const found = await walk({ onProblem: (problem) => problems.push(problem) });
    await chmod(closed, 0o755);
    expect(found).toContain('note a.md');
    expect(problems).toContainEqual(
      expect.objectContaining({ path: 'House/Files', reason: 'the folder cannot be read' }),
    );
  });

  it('lets others have their turn in a large folder', async () => {
    const many = join(folder.path, 'Many');
    await mkdir(many);
    for (let i = 0; i < 300; i++) await writeFile(join(many, `${i}.md`), '');
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    expect((await walk()).filter((path) => path.includes('Many/')).length).toBe(300);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
