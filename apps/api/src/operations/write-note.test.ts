import { sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { describe, expect, it } from 'vitest';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import { writeNote, writeNoteInput } from './write-note.ts';

const vault = writingSuite({ 'House/Heating.md': 'Old.\n' }, { NOTE_MAX_BYTES: '1000' });

describe('writing a note', () => {
  it('makes it with the folders it needs, byte for byte', async () => {
    const content = '\ufeff# New\r\n\r\nNo last line break';
    const answer = await writeNote(vault.context, { path: 'House/Cellar/Wine/New.md', content }, ANYWHERE);
    expect(answer).toMatchObject({ created: true, changed: true, folders_made: ['House/Cellar', 'House/Cellar/Wine'] });
    expect(answer.etag).toBe(sha256Hex(Buffer.from(content)));
    expect((await vault.everything())['House/Cellar/Wine/New.md']).toBe(content);
  });

  it('in a dry run makes neither note nor folder, and knows of no version', async () => {
    const before = await vault.everything();
    const planned = await writeNote(vault.context, { path: 'New/Note.md', content: 'A.\n', dry_run: true }, ANYWHERE);
    expect(planned).toMatchObject({ created: true, etag: null, folders_made: ['New'], dry_run: true });
    expect(planned.diff).toBe('--- /dev/null\n+++ b/New/Note.md\n@@ -0,0 +1,1 @@\n+A.\n');
    expect(await vault.everything()).toEqual(before);
  });

  it('replaces what is there only when asked to, and says how to ask', async () => {
    const call = { path: 'House/Heating.md', content: 'New.\n' };
    await vault.refused(() => writeNote(vault.context, call, ANYWHERE), 'already_exists', /"overwrite": true/);
    await vault.refused(() => writeNote(vault.context, { ...call, dry_run: true }, ANYWHERE), 'already_exists');
    await expect(writeNote(vault.context, { ...call, overwrite: true }, ANYWHERE)).resolves.toMatchObject({
      created: false,
    });
    expect((await vault.everything())['House/Heating.md']).toBe('New.\n');
  });

  it('replaces what no edit could: bytes that are no text, and too many of them', async () => {
    const old = { 'Latin.md': Buffer.from('caf\xe9\n', 'latin1'), 'Large.md': Buffer.from('x'.repeat(1001)) };
    for (const [path, bytes] of Object.entries(old)) {
      vault.put(path, bytes);
      const call = { path, content: '---\na: 1\n---\nNew.\n', overwrite: true };
      await vault.refused(() => writeNote(vault.context, { ...call, overwrite: false }, ANYWHERE), 'already_exists');
      const stale = { ...call, expected_etag: sha256Hex(Buffer.from('other')) };
      await vault.refused(() => writeNote(vault.context, stale, ANYWHERE), 'precondition_failed');
      const planned = await writeNote(vault.context, { ...call, dry_run: true }, ANYWHERE);
      expect(planned).toMatchObject({ changed: true, created: false, etag: sha256Hex(bytes) });
      expect(planned.diff).toMatch(new RegExp(`^No diff is shown.*all of "${path}" would be replaced`));
      const written = await writeNote(vault.context, { ...call, expected_etag: planned.etag ?? '' }, ANYWHERE);
      expect(written).toMatchObject({ changed: true, created: false, timestamp: { bumped: true } });
      expect((await vault.everything())[path]).toMatch(/New\.\n$/);
    }
  });

  it('does not take the text that lossy bytes are shown as for those bytes', async () => {
    vault.put('Latin.md', Buffer.from('caf\xe9\n', 'latin1'));
    const call = { path: 'Latin.md', content: 'caf\ufffd\n', overwrite: true };
    const answer = await writeNote(vault.context, call, ANYWHERE);
    expect(answer).toMatchObject({ changed: true, timestamp: { reason: expect.stringMatching(/no frontmatter/) } });
    expect(answer.etag).toBe(sha256Hex(Buffer.from('caf\ufffd\n')));
  });

  it('fails as a precondition for one who wants nothing to be there', async () => {
    const call = { path: 'House/Heating.md', content: 'New.\n', overwrite: true, must_not_exist: true };
    await vault.refused(() => writeNote(vault.context, call, ANYWHERE), 'precondition_failed');
    await expect(writeNote(vault.context, { ...call, path: 'New.md' }, ANYWHERE)).resolves.toMatchObject({
      created: true,
    });
  });

  it('never makes a second note whose name differs in case or normal form only', async () => {
    const write = (path: string) => writeNote(vault.context, { path, content: 'A.\n', overwrite: true }, ANYWHERE);
    await vault.refused(() => write('house/heating.md'), 'already_exists');
    vault.put('cafe\u0301.md', 'Decomposed.\n');
    await expect(write('caf\u00e9.md')).resolves.toMatchObject({ path: 'cafe\u0301.md', created: false });
  });

  it('refuses a text that is too large, and one with half a character', async () => {
    const write = (content: string) => writeNote(vault.context, { path: 'New.md', content }, ANYWHERE);
    await vault.refused(() => write('x'.repeat(1001)), 'note_too_large');
    await vault.refused(() => write('half \ud800'), 'invalid_value');
  });

  it('refuses names that other systems cannot hold, and folders named like notes', async () => {
    const write = (path: string) => writeNote(vault.context, { path, content: 'A.\n' }, ANYWHERE);
    await vault.refused(() => write('Trailing /A.md'), 'invalid_path');
    await vault.refused(() => write('Plan.md/A.md'), 'invalid_path');
    await vault.refused(() => write('House/Heating.md/A.md'), 'not_a_directory');
  });

  it('has one winner when two make the same note', async () => {
    const write = (content: string) => writeNote(vault.context, { path: 'Race.md', content }, ANYWHERE);
    const results = await Promise.allSettled(['A.\n', 'B.\n', 'C.\n'].map(write));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('takes no argument it does not know, and describes each it does', () => {
    expect(writeNoteInput.safeParse({ path: 'a.md', content: '', force: true }).success).toBe(false);
    for (const field of Object.values(writeNoteInput.shape)) expect(field.description ?? '').toMatch(/\w{3}/);
  });
});
