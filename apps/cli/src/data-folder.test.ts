import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder, dataFolderOf, realVaultPath } from './data-folder.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vault-mcp-data-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the data folder of a vault', () => {
  it('is the same for one path and another for another path', () => {
    expect(dataFolderOf('/notes', '/home/a/.local/share')).toMatch(
      /^\/home\/a\/\.local\/share\/vault-mcp\/[0-9a-f]{16}$/,
    );
    expect(dataFolderOf('/notes', '/x')).toBe(dataFolderOf('/notes', '/x'));
    expect(dataFolderOf('/notes', '/x')).not.toBe(dataFolderOf('/notes2', '/x'));
  });

  it('is made with its parents, for this user alone', () => {
    const path = createDataFolder(join(root, 'a', 'b'));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(createDataFolder(path)).toBe(path);
  });

  it('is refused in plain words where it cannot be', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => createDataFolder(join(root, 'file'))).toThrow(/a file of that name is in the way.*--data/);
    expect(() => createDataFolder(join(root, 'file', 'below'))).toThrow(/--data/);
  });
});

describe('the vault’s real path', () => {
  it('is one, however the folder is spelt', () => {
    mkdirSync(join(root, 'notes'));
    symlinkSync(join(root, 'notes'), join(root, 'link'));
    expect(realVaultPath(join(root, 'link'))).toBe(join(root, 'notes'));
    expect(realVaultPath(`${root}/./notes/`)).toBe(join(root, 'notes'));
  });

  it('is refused for what is missing or no folder', () => {
    writeFileSync(join(root, 'note.md'), '');
    expect(() => realVaultPath(join(root, 'absent'))).toThrow(/absent cannot be opened: it does not exist/);
    expect(() => realVaultPath(join(root, 'note.md'))).toThrow(/is a file; name its folder/);
  });
});

// The administrator may do everything, so there is nothing to see then.
describe.skipIf(process.getuid?.() === 0)('a folder without permission', () => {
  const closed = (): string => {
    const path = join(root, 'closed');
    mkdirSync(path, { mode: 0o755 });
    chmodSync(path, 0o500);
    return path;
  };

  it('is no data folder', () => {
    expect(() => createDataFolder(closed())).toThrow(/closed cannot be used: this user has no permission.*--data/);
  });

  it('is no vault', () => {
    const path = closed();
    chmodSync(path, 0o300);
    expect(() => realVaultPath(path)).toThrow(/closed cannot be opened: this user has no permission/);
  });
});
