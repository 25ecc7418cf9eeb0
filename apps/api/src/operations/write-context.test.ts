import type { VaultChange } from '@vault-mcp/shared/records/history';
import { beforeEach, describe, expect, it } from 'vitest';
import { writingSuite } from '../../../../test/support/writing-context.ts';
import type { WriteContext } from '../context.ts';
import { appendToNote } from './append-to-note.ts';
import { deleteEntry } from './delete-entry.ts';
import { deleteFolder } from './delete-folder.ts';
import { moveEntry } from './move-entry.ts';
import { patchNote } from './patch-note.ts';

const vault = writingSuite({ 'House/Heating.md': '# Heating\n\nOld.\n', 'Plan.md': '[[Heating]]\n' });
const REQUEST = { agent: 'operator', source: 'a workflow' };

let told: VaultChange[];
let context: WriteContext;
beforeEach(() => {
  told = [];
  context = { ...vault.context, history: { record: (change) => void told.push(change) } };
});

describe('the history', () => {
  it('is told of each change by its author, with exactly the entries touched', async () => {
    await appendToNote(context, { path: 'New.md', content: 'x', create_if_missing: true }, REQUEST);
    await moveEntry(context, { source: 'House/Heating.md', destination: 'Boiler.md' }, REQUEST);
    await deleteEntry(context, { path: 'Boiler.md' }, REQUEST);
    expect(told).toEqual([
      { operation: 'append-to-note', ...REQUEST, paths: ['New.md'] },
      { operation: 'move-entry', ...REQUEST, paths: ['House/Heating.md', 'Boiler.md', 'Plan.md'] },
      { operation: 'delete-entry', ...REQUEST, paths: ['Boiler.md'] },
    ]);
  });

  it('is told of every file that goes with a folder', async () => {
    await deleteFolder(context, { path: 'House', recursive: true }, REQUEST);
    expect(told).toEqual([{ operation: 'delete-folder', ...REQUEST, paths: ['House/Heating.md'] }]);
  });

  it('hears nothing of what changed nothing', async () => {
    const replace = { path: 'House/Heating.md', target: 'Heating', operation: 'replace' } as const;
    await patchNote(context, { ...replace, content: 'Old.' }, REQUEST);
    await patchNote(context, { ...replace, content: 'New.', dry_run: true }, REQUEST);
    await expect(patchNote(context, { ...replace, target: 'No such', content: '' }, REQUEST)).rejects.toThrow();
    expect(told).toEqual([]);
  });
});
