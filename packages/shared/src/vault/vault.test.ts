import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { AppError } from '../errors.ts';
import { decodeRequestPath, parseVaultPath } from './path.ts';
import { readFileBytes } from './read.ts';
import { openVault, type Vault } from './vault.ts';

const CANARY = 'canary: nobody may read this';
const isRoot = process.getuid?.() === 0;

let folder: TempFolder;
let vault: Vault;

beforeAll(async () => {
  folder = await createTempFolder('vault');
  const root = join(folder.path, 'vault');
  await mkdir(join(root, 'House', 'Deep'), { recursive: true });
  await mkdir(join(root, '.git'));
  await writeFile(join(folder.path, 'canary.md'), CANARY);
  await writeFile(join(root, '.git', 'config'), CANARY);
  await writeFile(join(root, 'a.md'), 'a');
  await writeFile(join(root, 'House', 'Heating.md'), 'warm');
  await writeFile(join(root, 'House', 'Manual.PDF'), 'pdf');
  await writeFile(join(root, 'House', 'plan.svg'), 'svg');
  await writeFile(join(root, 'House', 'cafe\u0301.md'), 'coffee');
  await writeFile(join(root, 'House', 'Deep', 'note.md'), 'deep');
  await symlink(join(folder.path, 'canary.md'), join(root, 'link.md'));
  await symlink(folder.path, join(root, 'linked'));
  await symlink('House', join(root, 'inside'));
  await symlink('nowhere', join(root, 'dangling.md'));
  execFileSync('mkfifo', [join(root, 'pipe.md')]);
  vault = await openVault(root, { docSuffixes: ['.pdf'] });
});
afterAll(() => folder.remove());

const locate = (path: string) => vault.locate(parseVaultPath(path));

describe('openVault', () => {
  it('resolves a root that is reached through a link', async () => {
    const link = join(folder.path, 'to-vault');
    await symlink(vault.root, link);
    expect((await openVault(link, { docSuffixes: [] })).root).toBe(vault.root);
  });

  it('says when the folder is missing, or no folder', async () => {
    await expect(openVault(join(folder.path, 'none'), { docSuffixes: [] })).rejects.toThrow(
      /does not exist: set vault.path/,
    );
    await expect(openVault(join(folder.path, 'canary.md'), { docSuffixes: [] })).rejects.toThrow(/is not a folder/);
    await expect(openVault(join(folder.path, 'canary.md', 'x'), { docSuffixes: [] })).rejects.toThrow(
      /is not a folder/,
    );
  });

  it.skipIf(isRoot)('says when the folder may not be read', async () => {
    const closed = join(folder.path, 'closed');
    await mkdir(closed, { mode: 0o000 });
    await expect(openVault(closed, { docSuffixes: [] })).rejects.toThrow(/may not be read by uid \d+, gid \d+/);
    await chmod(closed, 0o700);
  });

  it('knows whether the disk tells names by case', () => {
    expect(vault.caseSensitive).toBe(process.platform === 'linux');
  });
});

describe('locate', () => {
  it.each([
    ['', 'folder'],
    ['House', 'folder'],
    ['a.md', 'note'],
    ['House/Manual.PDF', 'document'],
    ['House/plan.svg', 'attachment'],
  ])('finds %j as a %s', async (path, kind) => {
    expect(await locate(path)).toMatchObject({ path, kind, absolute: join(vault.root, path) });
  });

  it('answers size, times and inode', async () => {
    const { stat } = await locate('House/Heating.md');
    expect(stat).toEqual({
      size: 4,
      mtimeMs: expect.any(Number),
      ctimeMs: expect.any(Number),
      birthtimeMs: expect.any(Number),
      inode: expect.any(Number),
    });
  });

  it('finds the file in one normal form by its name in another, and answers the spelling on disk', async () => {
    expect((await locate('House/café.md')).path).toBe('House/cafe\u0301.md');
    expect((await locate('House/cafe\u0301.md')).path).toBe('House/cafe\u0301.md');
  });

  it('tells a name in another case from the one asked for, and names it', async () => {
    await expect(locate('house/heating.md')).rejects.toThrow(/There is "House\/heating.md": names are case-sensitive/);
    await expect(locate('House/heating.md')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"House/Heating.md"'),
    });
  });

  it('says that the name with .md exists', async () => {
    await expect(locate('House/Heating')).rejects.toThrow(/There is "House\/Heating.md": write the suffix too/);
  });

  it('says that the vault itself is away, not that one of its notes is', async () => {
    const root = join(folder.path, 'leaving');
    await mkdir(root);
    await writeFile(join(root, 'a.md'), 'a');
    const leaving = await openVault(root, { docSuffixes: ['.pdf'] });
    await rm(root, { recursive: true });
    for (const path of ['a.md', 'House/Heating.md', '']) {
      await expect(leaving.locate(parseVaultPath(path))).rejects.toThrow(/vault itself is not there/);
    }
  });

  it('looks for no hints when asked not to', async () => {
    await expect(vault.locate(parseVaultPath('House/Heating'), { hints: false })).rejects.toThrow(/Look it up/);
  });

  it.each(['none.md', 'none/deeper/a.md', 'House/none'])('finds nothing at %j', async (path) => {
    await expect(locate(path)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says that nothing can stand below a file', async () => {
    await expect(locate('a.md/b.md')).rejects.toMatchObject({ code: 'not_a_directory' });
  });

  it.each(['link.md', 'linked', 'linked/canary.md', 'inside/Heating.md', 'dangling.md'])(
    'refuses the symbolic link in %j',
    async (path) => {
      await expect(locate(path)).rejects.toMatchObject({
        code: 'invalid_path',
        message: expect.stringContaining('symbolic link'),
      });
    },
  );

  it('refuses a pipe without opening it', async () => {
    await expect(locate('pipe.md')).rejects.toMatchObject({ code: 'invalid_path' });
    await expect(readFileBytes(vault, parseVaultPath('pipe.md'), { maxBytes: 0 })).rejects.toMatchObject({
      code: 'invalid_path',
    });
  });

  it('refuses a name that no file system holds', async () => {
    await expect(locate(`${'x'.repeat(3000)}.md`)).rejects.toMatchObject({ code: 'invalid_path' });
  });
});

describe('any path at all', () => {
  it('never reads outside the vault, nor what is hidden in it', async () => {
    const words = [
      '..',
      '.',
      '/',
      '%2f',
      '%2e%2e',
      '..%2f',
      '%252e%252e%252f',
      'canary.md',
      'linked',
      'inside',
      'link.md',
      'House',
      '.git',
      'config',
      'vault',
      '\0',
      '\\',
      '~',
      '%00',
      ' ',
      folder.path,
    ];
    const path = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 })), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('', '/'), fc.boolean(), async (parts, separator, overHttp) => {
        const raw = parts.join(separator);
        try {
          const parsed = overHttp ? decodeRequestPath(raw) : parseVaultPath(raw.trim());
          const { bytes } = await readFileBytes(vault, parsed, { maxBytes: 0 });
          expect(bytes.toString()).not.toContain('canary');
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toMatch(/^(invalid_path|not_found|not_a_directory|is_directory)$/);
          if (!raw.includes(folder.path)) expect(error.message).not.toContain(folder.path);
        }
      }),
      { numRuns: 4000 },
    );
  });
});
