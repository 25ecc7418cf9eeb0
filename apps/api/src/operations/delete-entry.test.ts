import { sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ANYWHERE,
  type WritingContext,
  writingContext,
  writingSuite,
} from '../../../../test/support/writing-context.ts';
import { deleteEntry } from './delete-entry.ts';

const FILES = {
  'House/Heating.md': 'A.\n',
  'House/Files/plan.pdf': '%PDF',
  'House/plan.svg': '<svg/>',
};
const ETAG = sha256Hex(Buffer.from('A.\n'));
const PATH = { path: 'House/Heating.md' };

describe('deleting a file', () => {
  const vault = writingSuite(FILES);

  it('keeps it in the trash and says where, twice the same name too', async () => {
    const answer = await deleteEntry(vault.context, PATH, ANYWHERE);
    expect(answer).toEqual({
      ...{ path: 'House/Heating.md', kind: 'note', etag: null, permanent: false, indexed: 'queued' },
      trashed: '.trash/House/Heating.md',
      // There is no index here that could say.
      linked_from: null,
    });
    vault.put('House/Heating.md', 'Again.\n');
    const second = await deleteEntry(vault.context, PATH, ANYWHERE);
    const now = await vault.everything();
    expect(now['.trash/House/Heating.md']).toBe('A.\n');
    expect(now[second.trashed ?? '']).toBe('Again.\n');
    expect(now).not.toHaveProperty('House/Heating.md');
    expect(vault.queue.synced).toEqual(['House/Heating.md', 'House/Heating.md']);
  });

  it('removes it for good when asked to', async () => {
    const before = await vault.everything();
    const answer = await deleteEntry(vault.context, { ...PATH, permanent: true }, ANYWHERE);
    expect(answer).toMatchObject({ permanent: true, trashed: null });
    const { 'House/Heating.md': _gone, ...rest } = before;
    expect(await vault.everything()).toEqual(rest);
  });

  it('takes documents and attachments, which the index hears of only when it holds such', async () => {
    const document = await deleteEntry(vault.context, { path: 'House/Files/plan.pdf' }, ANYWHERE);
    expect(document).toMatchObject({ kind: 'document', indexed: 'queued' });
    const attachment = await deleteEntry(vault.context, { path: 'House/plan.svg' }, ANYWHERE);
    expect(attachment).toMatchObject({ kind: 'attachment', indexed: 'excluded' });
    expect(vault.queue.synced).toEqual(['House/Files/plan.pdf']);
  });

  it('in a dry run only says what it would do', async () => {
    const before = await vault.everything();
    const planned = await deleteEntry(vault.context, { ...PATH, dry_run: true }, ANYWHERE);
    expect(planned).toMatchObject({ dry_run: true, etag: ETAG, permanent: false, trashed: null });
    expect(planned).not.toHaveProperty('indexed');
    expect(await vault.everything()).toEqual(before);
    expect(vault.queue.synced).toEqual([]);
  });

  it('is refused for another version, out of scope, and for what is no file of the vault', async () => {
    const remove = (path: string) => deleteEntry(vault.context, { path }, ANYWHERE);
    const stale = () =>
      deleteEntry(vault.context, { ...PATH, expected_etag: sha256Hex(Buffer.from('B.\n')) }, ANYWHERE);
    await vault.refused(stale, 'precondition_failed', new RegExp(ETAG));
    const other = { ...ANYWHERE, scope: parseVaultPath('Garden') };
    await vault.refused(() => deleteEntry(vault.context, PATH, other), 'out_of_scope');
    await vault.refused(() => remove('House'), 'is_directory');
    await vault.refused(() => remove('Gone.md'), 'not_found');
    await vault.refused(() => remove('.trash/House/Heating.md'), 'invalid_path');
    await vault.refused(() => remove('index.md'), 'invalid_path');
    await expect(deleteEntry(vault.context, { ...PATH, expected_etag: ETAG }, ANYWHERE)).resolves.toBeDefined();
  });
});

describe('with the trash switched off', () => {
  let made: WritingContext | undefined;
  afterEach(() => made?.remove());

  it('deleting is for good, and the answer says so', async () => {
    made = await writingContext(FILES, { TRASH: 'false' });
    await expect(deleteEntry(made.context, PATH, ANYWHERE)).resolves.toMatchObject({ permanent: true, trashed: null });
    expect(Object.keys(await made.everything()).filter((path) => /trash|Heating/.test(path))).toEqual([]);
  });
});
