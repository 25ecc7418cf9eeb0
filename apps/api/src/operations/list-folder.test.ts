import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { listFolder } from './list-folder.ts';

const FILES = {
  'House/Heating.md': '# Heating\n',
  'House/Broken.md': 'x',
  'House/Latin.md': 'x',
  'House/Files/Manual.pdf': 'x',
  'House/plan.svg': 'x',
  'Log.md': 'x',
  'Closed/inner/in.md': 'x',
  'Closed/x.md': 'x',
};

const vault = readingSuite(FILES);

describe('a listing', () => {
  it('gives what the folder holds, and the names as the Obsidian plugin lists them', async () => {
    const listing = await listFolder(vault.context, { path: 'House' });
    expect(listing.files).toEqual(['Broken.md', 'Files/', 'Heating.md', 'Latin.md', 'plan.svg']);
    expect(listing.entries.map(({ type }) => type)).toEqual(['note', 'folder', 'note', 'note', 'attachment']);
    expect(listing.entries[2]).toMatchObject({ path: 'House/Heating.md', size: 10 });
    expect(listing).toMatchObject({ path: 'House', total: 5, next_cursor: null });
  });

  it('goes down when asked to', async () => {
    const { files } = await listFolder(vault.context, { path: 'House', recursive: true });
    expect(files).toContain('Files/Manual.pdf');
  });

  it('gives the same entries page by page, even when one goes in between', async () => {
    const whole = await listFolder(vault.context, { path: '', recursive: true });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listFolder>> = await listFolder(vault.context, {
        path: '',
        recursive: true,
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.entries.map(({ path }) => path));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(whole.entries.map(({ path }) => path));
  });

  it('refuses a file, a folder that is not there and a cursor it did not make', async () => {
    await expect(listFolder(vault.context, { path: 'Log.md' })).rejects.toMatchObject({ code: 'not_a_directory' });
    await expect(listFolder(vault.context, { path: 'Nowhere' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(listFolder(vault.context, { path: '', cursor: 'xyz' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe.skipIf(!canRunUnprivileged)('a folder that may not be read', () => {
  const SCRIPT = `
    import { listFolder } from '@vault-mcp/api/operations/list-folder';
    import { openVault } from '@vault-mcp/shared/vault/vault';
    const vault = await openVault(process.argv[1], { docSuffixes: ['.pdf'] });
    const answer = await listFolder({ vault }, JSON.parse(process.argv[2])).then(
      ({ entries }) => entries.map(({ path, unreadable }) => [path, unreadable ?? false]),
      ({ code, message }) => ({ code, message }),
    );
    console.log(JSON.stringify(answer));
  `;

  async function list(input: Parameters<typeof listFolder>[1], mode: number): Promise<unknown> {
    const root = vault.context.vault.root;
    const closed = join(root, 'Closed');
    await chmod(closed, mode);
    try {
      return runUnprivileged(SCRIPT, [root, JSON.stringify(input)]);
    } finally {
      await chmod(closed, 0o755);
    }
  }

  it.each([
    ['may not be opened', 0o000],
    ['may be listed but not entered', 0o444],
  ])('is refused as a file in it is, when it %s', async (_what, mode) => {
    expect(await list({ path: 'Closed' }, mode)).toEqual({
      code: 'unreadable',
      message: expect.stringMatching(/no permission to read "Closed"/),
    });
  });

  it.each([
    ['may not be opened', 0o000],
    ['may be listed but not entered', 0o444],
  ])('is marked among the rest, which is listed, when it %s', async (_what, mode) => {
    const entries = (await list({ path: '', recursive: true }, mode)) as [string, boolean][];
    expect(entries).toContainEqual(['House/Heating.md', false]);
    expect(entries.filter(([path, unreadable]) => unreadable || path.startsWith('Closed'))).toEqual([['Closed', true]]);
  });

  it('is an entry like any other where its content is not asked for', async () => {
    expect(await list({ path: '' }, 0o000)).toContainEqual(['Closed', false]);
  });
});
