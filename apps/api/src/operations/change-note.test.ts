import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { decodeNote, sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { applyPatch } from 'diff';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ANYWHERE,
  STAMP,
  type WritingContext,
  writingContext,
  writingSuite,
} from '../../../../test/support/writing-context.ts';
import type { WriteContext } from '../context.ts';
import { appendToNote } from './append-to-note.ts';
import type { NoteWriteAnswer } from './change-note.ts';
import { createFolder } from './create-folder.ts';
import { deleteEntry } from './delete-entry.ts';
import { deleteFolder } from './delete-folder.ts';
import { patchNote } from './patch-note.ts';
import { replaceText } from './replace-text.ts';
import { setBody } from './set-body.ts';
import { setFrontmatter } from './set-frontmatter.ts';
import type { WriteRequest } from './write-context.ts';
import { writeNote } from './write-note.ts';

const NOTE =
  '---\ntitle: Heating # the old one\ntimestamp: 2020-01-01T00:00:00Z\n---\n# Heating\n\nBleed the radiators.\n';
const FILES = { 'House/Heating.md': NOTE, 'Files/plan.pdf': '%PDF', 'plan.svg': '<svg/>' };

const vault = writingSuite(FILES);

interface Common {
  readonly path: string;
  readonly dry_run?: boolean;
  readonly expected_etag?: string;
}

type Verb = (context: WriteContext, common: Common, request?: WriteRequest) => Promise<NoteWriteAnswer>;

/** Every verb that edits one note, each with a change that this note takes. */
const EDITS: Record<string, Verb> = {
  write: (context, common, request = ANYWHERE) =>
    writeNote(context, { ...common, content: NOTE.replace('old', 'new'), overwrite: true }, request),
  append: (context, common, request = ANYWHERE) => appendToNote(context, { ...common, content: 'Yearly.' }, request),
  'set body': (context, common, request = ANYWHERE) =>
    setBody(context, { ...common, content: 'Nothing else.\n' }, request),
  patch: (context, common, request = ANYWHERE) =>
    patchNote(context, { ...common, target: 'Heating', operation: 'append', content: 'Yearly.' }, request),
  'replace text': (context, common, request = ANYWHERE) =>
    replaceText(context, { ...common, find: 'Bleed', replace: 'Drain' }, request),
  'set frontmatter': (context, common, request = ANYWHERE) =>
    setFrontmatter(context, { ...common, key: 'type', value: 'guide' }, request),
};

const each = Object.entries(EDITS);
const PATH = { path: 'House/Heating.md' };

describe.each(each)('%s', (_name, edit) => {
  it('answers the new version and what became of the timestamp, and tells the indexer', async () => {
    const answer = await edit(vault.context, PATH);
    const now = (await vault.everything())['House/Heating.md'] ?? '';
    expect(answer).toEqual({
      ...{ path: 'House/Heating.md', created: false, changed: true, folders_made: [], indexed: 'queued' },
      etag: sha256Hex(Buffer.from(now)),
      timestamp: { bumped: true },
      ...('removed_subsections' in answer ? { removed_subsections: [], created_headings: [] } : {}),
    });
    expect(now).toContain(`timestamp: ${STAMP}\n`);
    expect(vault.queue.synced).toEqual(['House/Heating.md']);
  });

  it('in a dry run changes nothing, queues nothing, and shows the very change that would follow', async () => {
    const before = await vault.everything();
    const planned = await edit(vault.context, { ...PATH, dry_run: true });
    expect(await vault.everything()).toEqual(before);
    expect(vault.queue.synced).toEqual([]);
    expect(planned).toMatchObject({ dry_run: true, changed: true, etag: sha256Hex(Buffer.from(NOTE)) });
    expect(planned).not.toHaveProperty('indexed');
    await edit(vault.context, { ...PATH, expected_etag: planned.etag ?? '' });
    expect(applyPatch(NOTE, planned.diff ?? '')).toBe((await vault.everything())['House/Heating.md']);
  });

  it('is done for one who saw this version, and refused for one who saw another', async () => {
    const stale = () => edit(vault.context, { ...PATH, expected_etag: sha256Hex(Buffer.from('other')) });
    await vault.refused(stale, 'precondition_failed', new RegExp(sha256Hex(Buffer.from(NOTE))));
    await vault.refused(() => edit(vault.context, { path: 'Gone.md', expected_etag: '*' }), 'precondition_failed');
    await expect(edit(vault.context, { ...PATH, expected_etag: sha256Hex(Buffer.from(NOTE)) })).resolves.toBeDefined();
  });

  it('stays inside the scope of its request', async () => {
    const other = { ...ANYWHERE, scope: parseVaultPath('House/Cellar') };
    await vault.refused(() => edit(vault.context, PATH, other), 'out_of_scope');
    await expect(edit(vault.context, PATH, { ...ANYWHERE, scope: parseVaultPath('House') })).resolves.toBeDefined();
  });

  it('is refused on a read-only server, dry run or not', async () => {
    const { config } = vault.context;
    const context = { ...vault.context, config: { ...config, server: { ...config.server, read_only: true } } };
    await vault.refused(() => edit(context, PATH), 'out_of_scope', /read-only/);
    await vault.refused(() => edit(context, { ...PATH, dry_run: true }), 'out_of_scope', /read-only/);
  });

  it.each([
    ['.git/config', 'invalid_path'],
    ['House/.hidden.md', 'invalid_path'],
    ['../outside.md', 'invalid_path'],
    ['index.md', 'invalid_path'],
    ['INDEX.MD', 'invalid_path'],
    ['Files/plan.pdf', 'is_document'],
    ['plan.svg', 'unsupported_suffix'],
    ['House/Heating', 'unsupported_suffix'],
  ])('refuses "%s" as %s', async (path, code) => {
    await vault.refused(() => edit(vault.context, { path }), code);
  });

  it('follows no symbolic link, neither to a note nor through a folder', async () => {
    const { root } = vault.context.vault;
    await symlink(join(root, 'House/Heating.md'), join(root, 'Link.md'));
    await symlink(join(root, 'House'), join(root, 'Home'));
    await vault.refused(() => edit(vault.context, { path: 'Link.md' }), 'invalid_path', /symbolic link/);
    await vault.refused(() => edit(vault.context, { path: 'Home/Heating.md' }), 'invalid_path', /symbolic link/);
  });

  it('says that the index will hear later when the queue is away', async () => {
    const away = { ...vault.context, queue: { ...vault.queue, add: () => Promise.reject(new Error('away')) } };
    await expect(edit(away, PATH)).resolves.toMatchObject({ indexed: 'deferred', changed: true });
  });
});

describe.each(each.filter(([name]) => name !== 'write'))('%s of a note that is not valid UTF-8', (_name, edit) => {
  it('is refused, and leaves its bytes', async () => {
    vault.put('Latin.md', Buffer.from([0x23, 0x20, 0x63, 0xe9, 0x0a]));
    await vault.refused(() => edit(vault.context, { path: 'Latin.md' }), 'unreadable', /replaced whole/);
  });
});

describe.each(each.filter(([name]) => name !== 'write'))('%s of a note that is not there', (_name, edit) => {
  it('is refused, and makes nothing', async () => {
    await vault.refused(() => edit(vault.context, { path: 'House/Heatin.md' }), 'not_found');
  });
});

describe('the timestamp', () => {
  const append = (path: string) => appendToNote(vault.context, { path, content: 'More.' }, ANYWHERE);

  it('is reported as left alone in a note without a block, and in one whose block cannot be read', async () => {
    vault.put('bare.md', 'Text.\n');
    vault.put('broken.md', '---\ntitle: a: b\n---\nText.\n');
    const reported = async (path: string) => (await append(path)).timestamp;
    expect(await reported('bare.md')).toEqual({ bumped: false, reason: expect.stringMatching(/no frontmatter/) });
    expect(await reported('broken.md')).toEqual({ bumped: false, reason: expect.stringMatching(/cannot be read/) });
    expect(await vault.everything()).toMatchObject({ 'broken.md': '---\ntitle: a: b\n---\nText.\n\nMore.\n' });
  });

  it('overwrites one that came with the text', async () => {
    const content = '---\ntitle: A\ntimestamp: 1999-01-01\n---\nText.\n';
    await writeNote(vault.context, { path: 'new.md', content }, ANYWHERE);
    expect((await vault.everything())['new.md']).toBe(`---\ntitle: A\ntimestamp: ${STAMP}\n---\nText.\n`);
  });

  it('stays as it is when nothing was changed, so that asking again changes nothing either', async () => {
    const same = { path: 'House/Heating.md', find: 'Bleed', replace: 'Bleed' };
    const answer = await replaceText(vault.context, same, ANYWHERE);
    expect(answer).toMatchObject({ changed: false, timestamp: { bumped: false, reason: 'nothing was changed' } });
    expect((await vault.everything())['House/Heating.md']).toBe(NOTE);
    const planned = await replaceText(vault.context, { ...same, dry_run: true }, ANYWHERE);
    expect(planned).toMatchObject({ changed: false, diff: '' });
  });

  it('is whatever somebody sets or deletes by its own name', async () => {
    const set = { path: 'House/Heating.md', key: 'timestamp', value: '2021-02-03T04:05:06Z' };
    const answer = await setFrontmatter(vault.context, set, ANYWHERE);
    expect(answer.timestamp).toMatchObject({ bumped: false, reason: expect.stringMatching(/itself/) });
    expect((await vault.everything())['House/Heating.md']).toBe(NOTE.replace('2020-01-01T00:00:00Z', set.value));
    await setFrontmatter(vault.context, { path: set.path, key: 'timestamp', delete: true }, ANYWHERE);
    expect((await vault.everything())['House/Heating.md']).not.toContain('timestamp');
  });
});

describe('with the timestamp switched off', () => {
  let made: WritingContext | undefined;
  afterEach(() => made?.remove());

  it('no write touches the key', async () => {
    made = await writingContext(FILES, { NOTES_TIMESTAMP_KEY: '' });
    const answer = await appendToNote(made.context, { ...PATH, content: 'More.' }, ANYWHERE);
    expect(answer.timestamp).toMatchObject({ bumped: false });
    expect((await made.everything())['House/Heating.md']).toBe(`${NOTE}\nMore.\n`);
  });
});

describe('a read-only server', () => {
  it('refuses folders and deletions too', async () => {
    const { config } = vault.context;
    const context = { ...vault.context, config: { ...config, server: { ...config.server, read_only: true } } };
    await vault.refused(() => createFolder(context, { path: 'New' }, ANYWHERE), 'out_of_scope');
    await vault.refused(() => deleteFolder(context, { path: 'House', recursive: true }, ANYWHERE), 'out_of_scope');
    await vault.refused(() => deleteEntry(context, PATH, ANYWHERE), 'out_of_scope');
  });
});

describe('many callers at once', () => {
  it('lose none of fifty appends to one note', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `- Entry ${i}.`);
    await Promise.all(lines.map((content) => appendToNote(vault.context, { ...PATH, content }, ANYWHERE)));
    const text = (await vault.everything())['House/Heating.md'] ?? '';
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('- Entry'))
        .sort(),
    ).toEqual([...lines].sort());
  });

  it('who saw the same version have one winner', async () => {
    const call = { ...PATH, expected_etag: sha256Hex(Buffer.from(NOTE)), find: 'Bleed' };
    const racers = Array.from({ length: 10 }, (_, i) =>
      replaceText(vault.context, { ...call, replace: `By ${i}` }, ANYWHERE),
    );
    const results = await Promise.allSettled(racers);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(refusals)).toEqual(new Set(['precondition_failed']));
  });
});

describe('an edit that takes long', () => {
  const call = { path: 'Long.md', content: '- More.' };
  const stopping = new AppError('locked', 'The server is stopping.');

  it('is given up when the locks are closed, or its caller leaves, and changes nothing', async () => {
    vault.put('Long.md', '- An item of the log.\n'.repeat(6000));
    const [closing, leaving] = [new AbortController(), new AbortController()];
    const locks = { owner: vault.context.locks.owner, isAlive: () => true, closed: closing.signal };
    await vault.refused(
      () => {
        const edit = appendToNote({ ...vault.context, locks }, call, ANYWHERE);
        closing.abort(stopping);
        return edit;
      },
      'locked',
      /^The server is stopping/,
    );
    await vault.refused(
      () => {
        const edit = appendToNote(vault.context, call, { ...ANYWHERE, signal: leaving.signal });
        leaving.abort();
        return edit;
      },
      'locked',
      /caller left/,
    );
    await expect(appendToNote(vault.context, call, ANYWHERE)).resolves.toMatchObject({ changed: true });
  });
});

describe('bytes outside an edit', () => {
  it('keep their line ends, byte order mark and missing last line break', async () => {
    const bytes = '\ufeff---\r\ntitle: "A" # c\r\ntimestamp: x\r\n---\r\n# A\r\n\r\nOne.\r\n\r\n# B\r\n\r\nTwo.';
    vault.put('win.md', bytes);
    await patchNote(
      vault.context,
      { path: 'win.md', target: 'A', operation: 'append', content: 'More.\nStill.' },
      ANYWHERE,
    );
    const expected = bytes.replace('One.\r\n', 'One.\r\n\r\nMore.\r\nStill.\r\n').replace('x', STAMP);
    expect(decodeNote(Buffer.from((await vault.everything())['win.md'] ?? '')).text).toBe(expected);
  });
});
