import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWritableVault, NOTE_MAX_BYTES, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { sha256Hex } from './note/text.ts';
import { parseVaultPath } from './path.ts';
import type { VaultWriter, WriteOptions } from './write.ts';

let on: WritableVault;
let writer: VaultWriter;
beforeEach(async () => {
  on = await createWritableVault();
  writer = on.writer;
});
afterEach(() => on.remove());

const p = parseVaultPath;

describe('a note replaced whole', () => {
  it('may be one that could not be edited, its bytes being no text or too many', async () => {
    const [latin, large] = [Buffer.from('caf\xe9', 'latin1'), Buffer.from('x'.repeat(NOTE_MAX_BYTES + 1))];
    await on.put({ 'latin.md': latin, 'large.md': large });
    const seen: unknown[] = [];
    const replace = (path: string, options: WriteOptions = {}) =>
      writer.replace(
        p(path),
        (there) => {
          seen.push(there?.text, there?.bytes?.length);
          return 'new';
        },
        options,
      );
    for (const [path, bytes] of Object.entries({ 'latin.md': latin, 'large.md': large })) {
      await on.refused(() => replace(path, { expectedEtag: sha256Hex(Buffer.from('other')) }), 'precondition_failed');
      await on.refused(() => replace(path, { ifNoneMatch: true }), 'precondition_failed');
      expect(await replace(path, { dryRun: true })).toMatchObject({ etagBefore: sha256Hex(bytes), changed: true });
      expect(await on.read(path)).not.toBe('new');
      const result = await replace(path, { expectedEtag: sha256Hex(bytes) });
      expect(result).toMatchObject({ etagBefore: sha256Hex(bytes), created: false, changed: true });
      expect(await on.read(path)).toBe('new');
    }
    expect(seen).toEqual([null, 4, null, 4, null, undefined, null, undefined]);
    expect(await replace('made.md')).toMatchObject({ created: true, etagBefore: null, before: null });
    expect(await replace('made.md')).toMatchObject({ created: false, changed: false });
    expect(seen.slice(-4)).toEqual([undefined, undefined, 'new', 3]);
  });

  it('is the one that was seen, however another program writes meanwhile', async () => {
    await on.put({ 'large.md': 'x'.repeat(NOTE_MAX_BYTES + 1) });
    const etags: unknown[] = [];
    await writer.replace(p('large.md'), async (there) => {
      etags.push(there?.sha256);
      if (etags.length === 1) await writeFile(join(on.root, 'large.md'), 'meanwhile');
      return 'new';
    });
    expect(etags).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), sha256Hex(Buffer.from('meanwhile'))]);
    expect(await on.read('large.md')).toBe('new');
  });

  it('is held to what holds every write', async () => {
    await on.put({ 'large.md': 'x', 'House/a.md': 'a', 'index.md': 'i' });
    const replace = (path: string, content: string, options: WriteOptions = {}) =>
      writer.replace(p(path), () => content, options);
    await on.refused(() => replace('large.md', 'x'.repeat(NOTE_MAX_BYTES + 1)), 'note_too_large');
    await on.refused(() => replace('large.md', '\ud800'), 'invalid_value');
    await on.refused(() => replace('index.md', 'x'), 'invalid_path', /protected/);
    await on.refused(() => replace('scan.pdf', 'x'), 'is_document');
    await on.refused(() => replace('large.md', 'x', { scope: p('House') }), 'out_of_scope');
    await on.refused(() => replace('large.md', 'x', { mustNotExist: true }), 'already_exists');
    await on.refused(() => replace('none.md', 'x', { mustExist: true }), 'not_found');
  });
});
