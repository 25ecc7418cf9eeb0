/** What is said of who links to a deleted file where not all of the vault can be read. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { fillVault } from '../../../../test/support/vault-files.ts';
import {
  ANYWHERE,
  type IndexedWritingContext,
  indexedWritingContext,
} from '../../../../test/support/writing-context.ts';
import { deletionText } from '../rendering/deletion-text.ts';
import { deleteEntry } from './delete-entry.ts';
import { deleteFolder } from './delete-folder.ts';
import { fileDocument } from './file-document.ts';

describe('a file that is too large to be read', () => {
  let vault: IndexedWritingContext;
  const FILES = {
    'Plan.md': '# Plan\n',
    'Near.md': 'See [[Plan]].\n',
    'Huge.md': `See [[Plan]]. ${'word '.repeat(100)}\n`,
    'Box/One.md': 'One.\n',
    'Files/Lease.pdf': 'the lease',
  };
  afterEach(() => vault.remove());
  const small = async (files: Record<string, string>) => {
    vault = await indexedWritingContext(files, { NOTE_MAX_BYTES: '300' });
  };
  const UNREAD = {
    degraded: ['partly_unread'],
    left_out: [{ path: 'Huge.md', reason: expect.stringMatching(/300 bytes$/) }],
  };

  it('is named beside those that are known to link to what is deleted, tried or done', async () => {
    await small(FILES);
    for (const dry_run of [true, false]) {
      const answer = await deleteEntry(vault.context, { path: 'Plan.md', dry_run }, ANYWHERE);
      expect(answer).toMatchObject({ linked_from: ['Near.md'], ...UNREAD });
    }
    const answer = await deleteFolder(vault.context, { path: 'Box', recursive: true }, ANYWHERE);
    expect(answer).toMatchObject({ linked_from: [], ...UNREAD });
  });

  it('is named beside those that link to a document that is replaced', async () => {
    await small(FILES);
    const body = (async function* () {
      yield Buffer.from('another');
    })();
    const input = { path: 'Files/Lease.pdf', overwrite: true, wait: 0 } as const;
    const answer = await fileDocument(vault.context, input, ANYWHERE, { body, statedBytes: null });
    expect(answer).toMatchObject({ status: 'replaced', linked_from: [], ...UNREAD });
  });

  it('is said in words, and then nobody is said to be the last who links to it', async () => {
    await small(FILES);
    const answer = await deleteEntry(vault.context, { path: 'Box/One.md', dry_run: true }, ANYWHERE);
    const { text } = deletionText(answer, 4000);
    expect(text).toContain('No note or canvas that could be read links to it.\n');
    expect(text).toMatch(/^Could not be read, .*:\n- Huge\.md: .*300 bytes\n$/m);
  });

  it('is no matter where every file could be read', async () => {
    const { 'Huge.md': _huge, ...rest } = FILES;
    await small(rest);
    const answer = await deleteEntry(vault.context, { path: 'Plan.md', dry_run: true }, ANYWHERE);
    expect(Object.keys(answer)).not.toContain('degraded');
    expect(Object.keys(answer)).not.toContain('left_out');
  });
});

describe('a folder that may not be read', () => {
  const SCRIPT = `
    import { openVault } from '@vault-mcp/shared/vault/vault';
    const { linkedFrom } = await import(process.argv[2] + '/operations/linked-from.js');
    const vault = await openVault(process.argv[1], { docSuffixes: [] });
    const config = { index: { ignore: [] }, vault: { note_max_bytes: 0 } };
    const context = { vault, config, reader: { linkingFiles: () => [] }, log: { debug() {}, warn() {} } };
    console.log(JSON.stringify(await linkedFrom(context, ['Plan.md'])));
    process.exit(0);
  `;
  let folder: TempFolder;
  afterEach(async () => {
    chmodSync(join(folder.path, 'Closed'), 0o700);
    await folder.remove();
  });

  it.skipIf(!canRunUnprivileged)('is named, since a note in it may link to what is deleted', async () => {
    folder = await createTempFolder('unread');
    fillVault(folder.path, { 'Near.md': '[[Plan]]\n', 'Closed/Far.md': '[[Plan]]\n' });
    chmodSync(join(folder.path, 'Closed'), 0);
    const dist = join(import.meta.dirname, '../../dist');
    expect(runUnprivileged(SCRIPT, [folder.path, dist])).toEqual({
      linked_from: ['Near.md'],
      degraded: ['partly_unread'],
      left_out: [{ path: 'Closed', reason: 'the folder cannot be read' }],
    });
  });
});
