import { describe, expect, it } from 'vitest';
import { ANYWHERE, indexedWritingSuite } from '../../../../test/support/writing-context.ts';
import { deleteEntry } from './delete-entry.ts';
import { deleteFolder } from './delete-folder.ts';
import { fileDocument } from './file-document.ts';
import { moveEntry } from './move-entry.ts';

const canvas = (...nodes: object[]) => JSON.stringify({ nodes, edges: [] });

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
    'Board.canvas': canvas(
      { type: 'file', file: 'House/Plan.md' },
      { type: 'file', file: 'Two.md' },
      { type: 'group', background: 'img/sketch.png' },
      { type: 'text', text: '`[[Root]]`, and [one](Box/One.md)' },
    ),
    'Garden/Board.canvas': canvas({ type: 'text', text: 'See [[Plan]] and [plan](Plan.md).' }),
    'Broken.canvas': '{"nodes": [{"type": "file", "file": "House/Plan.md"}',
    'Odd.canvas': '{"nodes": [null, 1, {"type": "file", "file": {"a": "House/Plan.md"}}, {"type": "text", "text": 7}]}',
    'Other.canvas': '["House/Plan.md"]',
  });
  const linkedFrom = async (path: string) =>
    (await deleteEntry(vault.context, { path, dry_run: true }, ANYWHERE)).linked_from;

  it('is told by what each link means, not by how it is written', async () => {
    const house = ['Board.canvas', 'House/Markdown.md', 'House/Wiki.md', 'Meta.md', 'Root.md'];
    expect(await linkedFrom('House/Plan.md')).toEqual(house);
    expect(await linkedFrom('Garden/Plan.md')).toEqual(['Garden/Board.canvas', 'Root.md']);
  });

  it('is told for attachments, and is nobody for a note that no one links to', async () => {
    expect(await linkedFrom('img/sketch.png')).toEqual(['Board.canvas', 'Garden/Picture.md']);
    expect(await linkedFrom('Root.md')).toEqual([]);
  });

  it('is told after the file is gone', async () => {
    const { linked_from } = await deleteEntry(vault.context, { path: 'img/sketch.png' }, ANYWHERE);
    expect(linked_from).toEqual(['Board.canvas', 'Garden/Picture.md']);
  });

  it('is told by what notes say now, also of what the index does not know yet', async () => {
    await vault.put('House/Just saved.md', 'See [[Root]].\n');
    await vault.put('Code.md', 'No code: [root](Root.md)\n');
    expect(await linkedFrom('Root.md')).toEqual(['Code.md', 'House/Just saved.md']);
    await vault.put('Unclear.md', 'See [[Root]], and now this.\n');
    await vault.put('Code.md', 'Nothing.\n');
    expect(await linkedFrom('Root.md')).toEqual(['House/Just saved.md', 'Unclear.md']);
  });

  it('leaves out the notes of a folder that go with it', async () => {
    const answer = await deleteFolder(vault.context, { path: 'Box', recursive: true, wait: 'indexed' }, ANYWHERE);
    expect(answer).toMatchObject({ notes: 2, linked_from: ['Board.canvas', 'Outside.md'], indexed: 'indexed' });
    expect(vault.indexed.reader.fileByPath('Box/One.md')).toBeUndefined();
  });

  it('is not told where most of the vault would have to be read for it', async () => {
    const many = Array.from({ length: 2_001 }, (_, n) => vault.put(`New/${n}.md`, '[[Meta]]\n'));
    await Promise.all(many);
    expect(await linkedFrom('Meta.md')).toBeNull();
  });
});

describe('what links to a document', () => {
  const LEASE = 'House/Files/Lease.pdf';
  const vault = indexedWritingSuite({
    [LEASE]: 'the lease',
    'House/Home.md': 'See [[Lease.pdf]].\n',
    'Root.md': 'See [the lease](House/Files/Lease.pdf#page=2).\n',
    'Board.canvas': canvas({ type: 'file', file: LEASE }),
    'Other.md': 'See [[Deed.pdf]].\n',
  });
  const LINKING = ['Board.canvas', 'House/Home.md', 'Root.md'];
  const file = (text: string, more: object = {}, path = LEASE) => {
    const body = (async function* () {
      yield Buffer.from(text);
    })();
    return fileDocument(vault.context, { path, wait: 0, ...more }, ANYWHERE, { body, statedBytes: null });
  };
  const dry = { dry_run: true };

  it('is told of one that is replaced, by a dry run as by what it tries out, and of no other that is filed', async () => {
    const replaced = { status: 'replaced', linked_from: LINKING };
    expect(await file('another', { overwrite: true, ...dry })).toMatchObject({ ...replaced, ...dry });
    expect(await file('another', { overwrite: true })).toMatchObject(replaced);
    for (const more of [{}, dry]) {
      expect(await file('another', { overwrite: true, ...more })).not.toHaveProperty('linked_from');
      expect(await file('a deed', more, `House/Files/New ${Object.keys(more).length}.pdf`)).not.toHaveProperty(
        'linked_from',
      );
    }
  });

  it('is told by a dry run of its removal, and by one of its move as far as it would be changed', async () => {
    const destination = 'Archive/Files/Lease.pdf';
    const tried = await moveEntry(vault.context, { source: LEASE, destination, ...dry }, ANYWHERE);
    expect(tried.notes?.map(({ path }) => path).sort()).toEqual(['Board.canvas', 'Root.md']);
    const before = await deleteEntry(vault.context, { path: LEASE, ...dry }, ANYWHERE);
    const after = await deleteEntry(vault.context, { path: LEASE }, ANYWHERE);
    expect([before.linked_from, after.linked_from]).toEqual([LINKING, LINKING]);
  });
});
