import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../test/support/indexed-vault.ts';
import { readNoteVectors, type VectorVisitor } from './note-vectors.ts';

const LONG = Array.from({ length: 400 }, (_, n) => `Sentence ${n} of a note that has several chunks.`).join(' ');
let vault: IndexedVault;
beforeAll(async () => {
  vault = await indexVault({
    files: {
      'Short.md': 'One chünk.\n',
      'Long.md': `# Long\n\n${LONG}\n`,
      'Old.md': '---\nsuperseded_by: Short.md\n---\nSuperseded.\n',
      'Files/scan.pdf': 'this is no PDF',
    },
  });
  await vault.settled();
}, 60_000);
afterAll(() => vault.remove());

function read(wants: VectorVisitor['wants'] = () => true) {
  const vectors = new Map<string, Float32Array>();
  const found = readNoteVectors(vault.config.index.path, {
    wants,
    onNote: ({ path }, vector) => vectors.set(path, vector),
  });
  return { ...found, vectors };
}

describe('the vectors of all notes', () => {
  it('are there of notes that stand, once all their chunks have theirs', () => {
    const { space, notes, vectors } = read();
    expect(space).toBe(vault.reader.space());
    expect(notes.map(({ path, whole }) => [path, whole])).toEqual([
      ['Long.md', true],
      ['Short.md', true],
    ]);
    for (const { path, bytes, title, sha256 } of notes) {
      const chunks = vault.reader.chunksOf(path);
      expect(bytes).toBe(chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
      expect(vault.reader.fileByPath(path)).toMatchObject({ title, sha256 });
      expect(vectors.get(path)).toEqual(vault.reader.noteVectorOf(path));
    }
  });

  it('are read of those that are wanted alone', () => {
    const { notes, vectors } = read(({ path }) => path === 'Short.md');
    expect([notes.length, vectors.size]).toEqual([2, 1]);
  });

  it('are another version after an edit, and of no other note', async () => {
    const versions = () => Object.fromEntries(read(() => false).notes.map(({ path, version }) => [path, version]));
    const before = versions();
    vault.put('Short.md', 'One other chunk.\n');
    await vault.composed.indexer.build().run({ rebuild: false });
    await vault.settled();
    const after = versions();
    expect(after['Long.md']).toBe(before['Long.md']);
    expect(after['Short.md']).not.toBe(before['Short.md']);
  });

  it('are not ready where there is no index', () => {
    expect(() => readNoteVectors(join(vault.base, 'none.db'), { wants: () => true, onNote: () => {} })).toThrow(
      expect.objectContaining({ code: 'not_ready' }),
    );
  });
});
