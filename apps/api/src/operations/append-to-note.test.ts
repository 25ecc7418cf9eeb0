import { describe, expect, it } from 'vitest';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import { appendToNote } from './append-to-note.ts';

const vault = writingSuite({ 'Log.md': '# Log\n\n- One.\n', 'Empty.md': '' });
const append = (path: string, content: string, create_if_missing?: boolean) =>
  appendToNote(vault.context, { path, content, create_if_missing }, ANYWHERE);

describe('appending', () => {
  it('puts one blank line between, and none between items of one list', async () => {
    await append('Log.md', '- Two.');
    await append('Log.md', 'Prose.\n\n\n');
    await append('Log.md', 'More.');
    expect((await vault.everything())['Log.md']).toBe('# Log\n\n- One.\n- Two.\n\nProse.\n\nMore.\n');
  });

  it('makes a note only when asked to, and says how to ask', async () => {
    await vault.refused(() => append('New.md', 'A.'), 'not_found', /create_if_missing/);
    await expect(append('Sub/New.md', 'A.', true)).resolves.toMatchObject({ created: true, folders_made: ['Sub'] });
    expect((await vault.everything())['Sub/New.md']).toBe('A.');
  });

  it('fills an empty note', async () => {
    await append('Empty.md', 'A.\n');
    expect((await vault.everything())['Empty.md']).toBe('A.\n');
  });

  it('of blank text changes nothing', async () => {
    await expect(append('Log.md', ' \n')).resolves.toMatchObject({ changed: false });
  });

  it('refuses a folder, and text with half a character', async () => {
    vault.put('Folder/a.md', 'A.\n');
    await vault.refused(() => append('Folder', 'A.', true), 'unsupported_suffix');
    await vault.refused(() => append('Log.md', '\ud800'), 'invalid_value');
  });
});
