import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, mount, mountAgainReadOnly, unmount } from '../../../../test/support/small-disk.ts';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { MountError, probeDataFolders, probeFolder, probeVault } from './mount-probe.ts';

const mayMount = await canMount();
const DATA = { what: 'data folder', otherwise: 'set data.path (DATA_PATH) to another' };

let temp: TempFolder;
beforeEach(async () => {
  temp = await createTempFolder('mount-probe');
});
afterEach(() => temp.remove());

describe('a folder that can be written', () => {
  it('is left as empty as it was found', async () => {
    await probeFolder({ ...DATA, folder: temp.path });
    await expect(probeVault(temp.path)).resolves.toBeNull();
    expect(await readdir(temp.path)).toEqual([]);
  });

  it('is made, with its parents, for nobody else to read', async () => {
    const folder = join(temp.path, 'var', 'data');
    await probeFolder({ ...DATA, folder });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});

describe('the folders of the data', () => {
  const config = (index: string) => ({
    data: { path: join(temp.path, 'data') },
    index: { path: join(temp.path, index) },
  });

  it('are tried both where the index stands apart', async () => {
    await writeFile(join(temp.path, 'file'), '');
    await probeDataFolders(config('data/index.db'));
    await expect(probeDataFolders(config('file/index.db'))).rejects.toThrow(/^The index folder .*INDEX_PATH/);
  });
});

describe('a folder that cannot be written', () => {
  it('is refused by its path where it cannot even be made', async () => {
    await writeFile(join(temp.path, 'file'), '');
    const folder = join(temp.path, 'file', 'data');
    const refusal = probeFolder({ ...DATA, folder });
    await expect(refusal).rejects.toThrow(MountError);
    await expect(refusal).rejects.toThrow(
      /^The data folder \S+\/file\/data cannot be written .*\(ENOTDIR\)\. .*DATA_PATH/,
    );
  });

  it.skipIf(!canRunUnprivileged)('is refused with who asked, and whose it is', async () => {
    const folder = join(temp.path, 'closed');
    await mkdir(folder, { mode: 0o500 });
    const said = runUnprivileged(
      `import { probeFolder, probeVault } from '@vault-mcp/shared/vault/mount-probe';
       const [, folder] = process.argv;
       const said = (promise) => promise.then(() => 'it worked', (error) => error.message);
       const data = await said(probeFolder({ what: 'data folder', folder, otherwise: 'set DATA_PATH to another' }));
       console.log(JSON.stringify([data, await said(probeVault(folder))]));`,
      [folder],
    );
    const { uid, gid } = await stat(folder);
    const who = `cannot be written by uid ${process.getuid?.()}, gid ${process.getgid?.()} (EACCES)`;
    const whose = `it belongs to uid ${uid}, gid ${gid}, mode 500`;
    expect(said).toEqual([
      expect.stringMatching(/^The data folder .*PUID and PGID.*DATA_PATH/),
      expect.stringMatching(/^The vault .*READ_ONLY=true/),
    ]);
    for (const line of said as string[]) {
      expect(line).toContain(who);
      expect(line).toContain(whose);
    }
  });
});

describe.skipIf(!mayMount)('a vault on a disk', () => {
  beforeEach(() => mount(temp.path));
  afterEach(() => unmount(temp.path));

  it('that is mounted read-only is only warned of', async () => {
    mountAgainReadOnly(temp.path);
    await expect(probeVault(temp.path)).resolves.toMatch(/mounted read-only/);
    await expect(probeFolder({ ...DATA, folder: temp.path })).rejects.toThrow(/\(EROFS\)/);
  });

  it('that is full is only warned of', async () => {
    await expect(writeFile(join(temp.path, 'filler'), Buffer.alloc(1_000_000))).rejects.toThrow(/ENOSPC/);
    await expect(probeVault(temp.path)).resolves.toMatch(/full/);
    expect(await readdir(temp.path)).toEqual(['filler']);
  });
});
