import { sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  indexedWritingSuite,
  type WritingContext,
  writingContext,
  writingSuite,
} from '../../../../test/support/writing-context.ts';
import { deleteEntry } from './delete-entry.ts';
import { deleteFolder } from './delete-folder.ts';

const FILES = {
  'House/Heating.md': 'A.\n',
  'House/Files/plan.pdf': '%PDF',
  'House/plan.svg': '<svg/>',
  'House/Deep/Er.md': 'B.\n',
  'Other.md': 'C.\n',
};
const ETAG = sha256Hex(Buffer.from('A.\n'));
const PATH = { path: 'House/Heating.md' };

describe('deleting a file', () => {
  const vault = writingSuite(FILES);

  it('keeps it in the trash and says where, twice the same name too', async () => {
    const answer = await deleteEntry(vault.context, PATH);
    expect(answer).toEqual({
      ...{ path: 'House/Heating.md', kind: 'note', etag: null, permanent: false, indexed: 'queued' },
      trashed: '.trash/House/Heating.md',
      // There is no index here that could say.
      linked_from: null,
    });
    vault.put('House/Heating.md', 'Again.\n');
    const second = await deleteEntry(vault.context, PATH);
    const now = await vault.everything();
    expect(now['.trash/House/Heating.md']).toBe('A.\n');
    expect(now[second.trashed ?? '']).toBe('Again.\n');
    expect(now).not.toHaveProperty('House/Heating.md');
    expect(vault.queue.synced).toEqual(['House/Heating.md', 'House/Heating.md']);
  });

  it('removes it for good when asked to', async () => {
    const before = await vault.everything();
    const answer = await deleteEntry(vault.context, { ...PATH, permanent: true });
    expect(answer).toMatchObject({ permanent: true, trashed: null });
    const { 'House/Heating.md': _gone, ...rest } = before;
    expect(await vault.everything()).toEqual(rest);
  });

  it('takes documents and attachments, which the index hears of only when it holds such', async () => {
    const document = await deleteEntry(vault.context, { path: 'House/Files/plan.pdf' });
    expect(document).toMatchObject({ kind: 'document', indexed: 'queued' });
    const attachment = await deleteEntry(vault.context, { path: 'House/plan.svg' });
    expect(attachment).toMatchObject({ kind: 'attachment', indexed: 'excluded' });
    expect(vault.queue.synced).toEqual(['House/Files/plan.pdf']);
  });

  it('in a dry run only says what it would do', async () => {
    const before = await vault.everything();
    const planned = await deleteEntry(vault.context, { ...PATH, dry_run: true });
    expect(planned).toMatchObject({ dry_run: true, etag: ETAG, permanent: false, trashed: null });
    expect(planned).not.toHaveProperty('indexed');
    expect(await vault.everything()).toEqual(before);
    expect(vault.queue.synced).toEqual([]);
  });

  it('is refused for another version, out of scope, and for what is no file of the vault', async () => {
    const remove = (path: string) => deleteEntry(vault.context, { path });
    const stale = () => deleteEntry(vault.context, { ...PATH, expected_etag: sha256Hex(Buffer.from('B.\n')) });
    await vault.refused(stale, 'precondition_failed', new RegExp(ETAG));
    const other = { scope: parseVaultPath('Garden') };
    await vault.refused(() => deleteEntry(vault.context, PATH, other), 'out_of_scope');
    await vault.refused(() => remove('House'), 'is_directory');
    await vault.refused(() => remove('Gone.md'), 'not_found');
    await vault.refused(() => remove('.trash/House/Heating.md'), 'invalid_path');
    await vault.refused(() => remove('index.md'), 'invalid_path');
    await expect(deleteEntry(vault.context, { ...PATH, expected_etag: ETAG })).resolves.toBeDefined();
  });
});

describe('deleting a folder', () => {
  const vault = writingSuite(FILES);
  const HOUSE = { path: 'House', recursive: true };
  const counts = { notes: 2, documents: 1, other_files: 1, folders: 2 };

  it('counts what went with it, and keeps it in the trash', async () => {
    const planned = await deleteFolder(vault.context, { ...HOUSE, dry_run: true });
    expect(planned).toEqual({
      ...{ path: 'House', ...counts, permanent: false, trashed: null, linked_from: null, dry_run: true },
    });
    const answer = await deleteFolder(vault.context, HOUSE);
    expect(answer).toMatchObject({ ...counts, trashed: '.trash/House', indexed: 'queued' });
    expect(await vault.everything()).toMatchObject({ '.trash/House/Heating.md': 'A.\n', 'Other.md': 'C.\n' });
    expect([...vault.queue.synced].sort()).toEqual(['House/Deep/Er.md', 'House/Files/plan.pdf', 'House/Heating.md']);
  });

  it('removes it for good when asked to', async () => {
    await expect(deleteFolder(vault.context, { ...HOUSE, permanent: true })).resolves.toMatchObject({ trashed: null });
    expect(await vault.everything()).toEqual({ 'Other.md': 'C.\n' });
  });

  it('takes an empty one without being told twice', async () => {
    vault.put('Empty/a.md', 'A.\n');
    await deleteEntry(vault.context, { path: 'Empty/a.md', permanent: true });
    await expect(deleteFolder(vault.context, { path: 'Empty' })).resolves.toMatchObject({ notes: 0 });
  });

  it('is refused for the root, for what is not empty, and when something hidden is inside', async () => {
    const remove = (path: string, recursive = true) => deleteFolder(vault.context, { path, recursive });
    await vault.refused(() => remove(''), 'invalid_path');
    await vault.refused(() => remove('House', false), 'not_empty', /recursive/);
    await vault.refused(() => remove('Other.md'), 'not_a_directory');
    await vault.refused(() => remove('Gone'), 'not_found');
    vault.put('House/Deep/.git/config', 'x');
    await vault.refused(() => remove('House'), 'invalid_path', /House\/Deep\/\.git/);
  });
});

describe('with the trash switched off', () => {
  let made: WritingContext | undefined;
  afterEach(() => made?.remove());

  it('deleting is for good, and the answer says so', async () => {
    made = await writingContext(FILES, { TRASH: 'false' });
    await expect(deleteEntry(made.context, PATH)).resolves.toMatchObject({ permanent: true, trashed: null });
    await deleteFolder(made.context, { path: 'House', recursive: true });
    expect(await made.everything()).toEqual({ 'Other.md': 'C.\n' });
  });
});

describe('what still links to a deleted file', () => {
  const vault = indexedWritingSuite({
    'House/Plan.md': '# Plan\n\n[[Plan]] to itself.\n',
    'Garden/Plan.md': '# Plan\n',
    'House/Wiki.md': 'See [[House/Plan|the plan]].\n',
    'House/Markdown.md': 'See [plan](Plan.md#Plan).\n',
    'Root.md': 'See [plan](House/Plan.md) and [[Garden/Plan]].\n',
    'Meta.md': '---\nup: "[[House/Plan]]"\n---\nText.\n',
    'Unclear.md': 'See [[Plan]].\n',
    'Code.md': '`[[House/Plan]]`\n',
    'Garden/Picture.md': '![[sketch.png]]\n',
    'img/sketch.png': 'PNG',
    'Box/One.md': '[[Two]]\n',
    'Box/Two.md': '[[One]]\n',
    'Outside.md': '[[Box/One]]\n',
  });
  const linkedFrom = async (path: string) => (await deleteEntry(vault.context, { path, dry_run: true })).linked_from;

  it('is told by what each link means, not by how it is written', async () => {
    expect(await linkedFrom('House/Plan.md')).toEqual(['House/Markdown.md', 'House/Wiki.md', 'Meta.md', 'Root.md']);
    expect(await linkedFrom('Garden/Plan.md')).toEqual(['Root.md']);
  });

  it('is told for attachments, and is nobody for a note that no one links to', async () => {
    expect(await linkedFrom('img/sketch.png')).toEqual(['Garden/Picture.md']);
    expect(await linkedFrom('Root.md')).toEqual([]);
  });

  it('is told after the file is gone', async () => {
    const { linked_from } = await deleteEntry(vault.context, { path: 'img/sketch.png' });
    expect(linked_from).toEqual(['Garden/Picture.md']);
  });

  it('leaves out the notes of a folder that go with it', async () => {
    const answer = await deleteFolder(vault.context, { path: 'Box', recursive: true, wait: 'indexed' });
    expect(answer).toMatchObject({ notes: 2, linked_from: ['Outside.md'], indexed: 'indexed' });
    expect(vault.indexed.reader.fileByPath('Box/One.md')).toBeUndefined();
  });
});
