import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { listFolder } from './list-folder.ts';

const FILES = {
  'House/Heating.md': '# Heating\n',
  'House/Broken.md': 'x',
  'House/Latin.md': 'x',
  'House/Files/Manual.pdf': 'x',
  'House/plan.svg': 'x',
  'Log.md': 'x',
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
