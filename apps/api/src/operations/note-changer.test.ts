import { AppError } from '@vault-mcp/shared/errors';
import type { NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { describe, expect, it } from 'vitest';
import { letsOthersIn } from '../../../../test/support/lets-others-in.ts';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import { createNoteChanger } from './note-changer.ts';
import { doTask } from './note-tasks.ts';
import { patchNote } from './patch-note.ts';

const HEAD = '---\ntitle: Log\n---\n\n# Log\n\n## May\n\nRain. ^may\n\n## June\n\n- Sun.\n';
const SHORT = `${HEAD}${'- A line of the log.\n'.repeat(20)}`;
/** Longer than what is changed at once, and no more. */
const LONG = `${HEAD}${'- A line of the log.\n'.repeat(3000)}`;
const NOW = new Date('2024-05-01T10:11:12Z');
const STAMP = { key: 'timestamp', now: NOW };

const EDITS: NoteEdit[] = [
  { kind: 'section', target: 'Log::May', operation: 'append', content: 'More.' },
  { kind: 'section', target: ['Log', 'May'], operation: 'replace', content: 'New.', options: { scope: 'own' } },
  {
    kind: 'section',
    target: 'Log/July',
    operation: 'append',
    content: '',
    options: { createIfMissing: true, delimiter: '/' },
  },
  { kind: 'block', id: 'may', operation: 'replace', content: 'Snow.' },
  { kind: 'body', operation: 'append', content: '- Another.' },
  { kind: 'body', operation: 'append', content: 'Text.' },
  { kind: 'body', operation: 'prepend', content: 'Text.' },
  { kind: 'body', operation: 'replace', content: 'Text.' },
  { kind: 'body', operation: 'delete', content: '' },
  { kind: 'text', replacement: { find: 'A line', replace: 'One line', count: 20 } },
  { kind: 'set-key', key: 'tags', value: ['a', { b: [true, 1] }] },
  { kind: 'set-key', key: 'title', value: ' book', operation: 'append' },
  { kind: 'delete-key', key: 'title' },
  { kind: 'whole', text: 'New.\n' },
];

describe('a change of a long note', () => {
  it.each(EDITS)('comes to the same on a thread as at once: $kind $operation', async (edit) => {
    const task = { text: SHORT, edit, stamp: STAMP };
    expect(await createNoteChanger({ atOnce: 0 }).change(task)).toEqual(doTask({ about: 'change', ...task }));
  });

  it('lets others in, where that of a short one is computed at once', async () => {
    const changer = createNoteChanger();
    const [edit] = EDITS as [NoteEdit];
    expect(await letsOthersIn(() => changer.change({ text: LONG, edit, stamp: STAMP }))).toBe(true);
    expect(await letsOthersIn(() => changer.change({ text: HEAD, edit, stamp: STAMP }))).toBe(false);
    const long: NoteEdit = { kind: 'body', operation: 'prepend', content: 'x\n'.repeat(60_000) };
    expect(await letsOthersIn(() => changer.change({ text: HEAD, edit: long, stamp: STAMP }))).toBe(true);
  });

  it('needs no thread where nothing has to be parsed for it', async () => {
    const changer = createNoteChanger();
    const quick: NoteEdit[] = [
      { kind: 'body', operation: 'append', content: 'Text.' },
      { kind: 'set-key', key: 'tags', value: 'x' },
      { kind: 'whole', text: LONG },
    ];
    for (const edit of quick) {
      expect(await letsOthersIn(() => changer.change({ text: LONG, edit, stamp: STAMP }))).toBe(false);
    }
  });

  it('lets others in where a large frontmatter block has to be read, or a short request makes a long text', async () => {
    const changer = createNoteChanger();
    const block = `---\n${'k: v\n'.repeat(4000)}---\nText.\n`;
    const append: NoteEdit = { kind: 'body', operation: 'append', content: 'Text.' };
    expect(await letsOthersIn(() => changer.change({ text: block, edit: append, stamp: STAMP }))).toBe(true);
    const replacement = { find: 'x', replace: 'y'.repeat(1000), count: 100 };
    const edit: NoteEdit = { kind: 'text', replacement };
    const text = 'x'.repeat(100);
    expect(await letsOthersIn(() => changer.change({ text, edit, stamp: STAMP }))).toBe(true);
    expect(await letsOthersIn(() => changer.change({ text: HEAD, edit: append, stamp: STAMP }))).toBe(false);
  });

  it('reads no more of a text that is appended than its first line', async () => {
    const content = `Text.\n${'- A line.\n'.repeat(20_000)}`;
    const edit: NoteEdit = { kind: 'body', operation: 'append', content };
    expect(await letsOthersIn(() => createNoteChanger().change({ text: HEAD, edit, stamp: STAMP }))).toBe(false);
    expect(doTask({ about: 'change', text: HEAD, edit, stamp: STAMP }).text).toContain('Sun.\n\nText.\n- A line.\n');
  });

  it.each<NoteEdit>([
    { kind: 'section', target: 'August', operation: 'append', content: 'x' },
    { kind: 'block', id: 'none', operation: 'delete', content: '' },
    { kind: 'text', replacement: { find: 'A line', replace: '' } },
    { kind: 'set-key', key: 'k', value: Symbol.iterator },
    { kind: 'set-key', key: 'k', value: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) },
    { kind: 'set-key', key: '', value: 'x'.repeat(200_000) },
  ])('is refused in the same words: %#', async (edit) => {
    const task = { text: SHORT, edit, stamp: STAMP };
    let refusal: unknown;
    try {
      doTask({ about: 'change', ...task });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(AppError);
    const { code, message } = refusal as AppError;
    await expect(createNoteChanger({ atOnce: 0 }).change(task)).rejects.toMatchObject({ code, message });
  });

  it('that takes too long is refused', async () => {
    const [edit] = EDITS as [NoteEdit];
    const changing = createNoteChanger({ timeoutMs: 1 }).change({ text: LONG, edit, stamp: STAMP });
    await expect(changing).rejects.toMatchObject({
      code: 'note_too_large',
      message: expect.stringMatching(/nothing was changed/),
    });
  });
});

describe('the diff of a long note', () => {
  it('comes to the same on a thread, and lets others in', async () => {
    const task = { path: 'Log.md', before: LONG, after: `${LONG}- One more.\n` };
    const changer = createNoteChanger();
    expect(await changer.diff(task)).toBe(doTask({ about: 'diff', ...task }));
    expect(await letsOthersIn(() => changer.diff(task))).toBe(true);
    expect(await letsOthersIn(() => changer.diff({ path: 'Log.md', before: HEAD, after: 'x' }))).toBe(false);
  });

  it('lets others in where many lines differ, however short they are', async () => {
    const [before, after] = ['a\n'.repeat(1000), 'b\n'.repeat(1000)];
    expect(await letsOthersIn(() => createNoteChanger().diff({ path: 'N.md', before, after }))).toBe(true);
    const same = { path: 'N.md', before: `${before}x\n${before}`, after: `${before}y\n${before}` };
    expect(await letsOthersIn(() => createNoteChanger().diff(same))).toBe(false);
  });
});

describe('an operation on a long note', () => {
  const vault = writingSuite({ 'Log.md': LONG });

  it('writes what it would have written at once, after a dry run that shows it', async () => {
    const call = { path: 'Log.md', target: 'May', operation: 'append', content: 'More.' } as const;
    const planned = await patchNote(vault.context, { ...call, dry_run: true }, ANYWHERE);
    expect(planned.diff).toContain('\n+More.\n');
    await patchNote(vault.context, { ...call, expected_etag: planned.etag ?? '' }, ANYWHERE);
    expect((await vault.everything())['Log.md']).toContain('Rain. ^may\n\nMore.\n\n## June\n');
  });

  it('is refused where the note lacks what is to be edited, and changes nothing', async () => {
    const call = { path: 'Log.md', target: 'August', operation: 'append', content: 'More.' } as const;
    await vault.refused(() => patchNote(vault.context, call, ANYWHERE), 'no_such_heading', /"May"/);
  });
});
