/** The parity table's rows on whole notes: writing one, adding to it, replacing its body. */
import { expect } from 'vitest';
import { ifMatch, patch, patchJson, post, put, tool } from './calls.ts';
import { BARE, BROKEN, CAFE, edited, etagOf, type ParityRow, PLAN, STALE, stamped, WINDOWS } from './row.ts';

/** PUT says by itself what a tool's caller has to ask for. */
const OVERWRITE = { overwrite: true };
/** So does POST. */
const CREATE = { create_if_missing: true };
/** JSON doubles every character of it. */
const LONG_TEXT = '\n'.repeat(300_000);
const LONG_NAME = `${'n'.repeat(260)}.md`;

export const WRITE_ROWS: readonly ParityRow[] = [
  {
    does: 'makes a note as it was sent',
    mcp: tool('write', { path: 'New.md', content: '# New\n' }),
    rest: [put('New.md', '# New\n'), put('New.md', '# New\n', { headers: { 'If-None-Match': '*' } })],
    leaves: { 'New.md': '# New\n' },
    answers: { created: true, changed: true, folders_made: [], indexed: 'queued' },
  },
  {
    does: 'makes the folders above a note, and sets its timestamp',
    mcp: tool('write', { path: 'Diary/2026/July.md', content: '---\ntitle: July\n---\nWarm.\n' }),
    rest: [put('Diary/2026/July.md', '---\ntitle: July\n---\nWarm.\n')],
    leaves: { 'Diary/2026/July.md': '---\ntitle: July\ntimestamp: 2026-07-28T09:30:15Z\n---\nWarm.\n' },
    answers: { folders_made: ['Diary', 'Diary/2026'], timestamp: { bumped: true } },
  },
  {
    does: 'replaces a note',
    mcp: tool('write', { path: 'Bare.md', content: 'Other.', ...OVERWRITE }),
    rest: [put('Bare.md', 'Other.')],
    leaves: { 'Bare.md': 'Other.' },
    answers: { created: false, changed: true },
  },
  {
    does: 'writes nothing where all of it is there already',
    mcp: tool('write', { path: 'Windows.md', content: WINDOWS, ...OVERWRITE }),
    rest: [put('Windows.md', WINDOWS)],
    leaves: {},
    answers: { changed: false, etag: etagOf(WINDOWS) },
  },
  {
    does: 'keeps the mark and the line breaks that a text comes with',
    mcp: tool('write', { path: 'Mark.md', content: '\ufeffOne\r\nTwo\r\n' }),
    rest: [put('Mark.md', '\ufeffOne\r\nTwo\r\n')],
    leaves: { 'Mark.md': '\ufeffOne\r\nTwo\r\n' },
  },
  {
    does: 'makes an empty note',
    mcp: tool('write', { path: 'Empty.md', content: '' }),
    rest: [put('Empty.md', '')],
    leaves: { 'Empty.md': '' },
  },
  {
    does: 'finds a name in either form of Unicode, and keeps the spelling on disk',
    mcp: tool('write', { path: 'Names/Caf\u00e9.md', content: 'Shut.\n', ...OVERWRITE }),
    rest: [put('Names/Caf\u00e9.md', 'Shut.\n')],
    leaves: { [`Names/${CAFE}.md`]: 'Shut.\n' },
    answers: { path: `Names/${CAFE}.md`, created: false },
  },
  {
    does: 'replaces the version that was expected',
    mcp: tool('write', { path: 'Bare.md', content: 'x', expected_etag: etagOf(BARE), ...OVERWRITE }),
    rest: [put('Bare.md', 'x', ifMatch(etagOf(BARE)))],
    leaves: { 'Bare.md': 'x' },
  },
  {
    does: 'does not replace another version than the one expected',
    mcp: tool('write', { path: 'Bare.md', content: 'x', expected_etag: STALE, ...OVERWRITE }),
    rest: [put('Bare.md', 'x', ifMatch(STALE))],
    refused: 'precondition_failed',
  },
  {
    does: 'does not make a note whose version was expected',
    mcp: tool('write', { path: 'New.md', content: 'x', expected_etag: STALE }),
    rest: [put('New.md', 'x', ifMatch(STALE))],
    refused: 'precondition_failed',
  },
  {
    does: 'shows what making a note would do',
    mcp: tool('write', { path: 'A/New.md', content: '# New\n', dry_run: true }),
    rest: [put('A/New.md', '# New\n', { query: { dry_run: true } })],
    leaves: {},
    answers: { dry_run: true, etag: null, created: true, folders_made: ['A'] },
  },
  {
    does: 'shows what replacing a note would do',
    mcp: tool('write', { path: 'Bare.md', content: 'x\n', dry_run: true, ...OVERWRITE }),
    rest: [put('Bare.md', 'x\n', { query: { dry_run: true } })],
    leaves: {},
    answers: { etag: etagOf(BARE), diff: expect.stringContaining('+x') },
  },
  {
    does: 'does not make a name that differs from another by case alone',
    mcp: tool('write', { path: 'bare.md', content: 'x' }),
    rest: [put('bare.md', 'x')],
    refused: 'already_exists',
  },
  ...[
    ['a protected folder', '.git/config', 'invalid_path'],
    ['a protected note', '.obsidian/a.md', 'invalid_path'],
    ['the generated index page', 'Index.md', 'invalid_path'],
    ['a name that ends in a blank', 'End /a.md', 'invalid_path'],
    ['a name longer than file systems hold', LONG_NAME, 'invalid_path'],
    ['something below a note', 'Bare.md/a.md', 'not_a_directory'],
  ].map(
    ([what, path = '', code]) =>
      ({
        does: `does not write ${what}`,
        mcp: tool('write', { path, content: 'x', ...OVERWRITE }),
        rest: [put(path, 'x')],
        refused: code,
      }) as ParityRow,
  ),
  {
    does: 'does not write more than a note may hold',
    config: { 'vault.note_max_bytes': 1000 },
    mcp: tool('write', { path: 'New.md', content: 'ä'.repeat(501) }),
    rest: [put('New.md', 'ä'.repeat(501))],
    refused: 'note_too_large',
    otherWords: 'REST refuses while it reads, when the note has no name yet',
  },
  {
    does: 'writes the largest note there may be',
    config: { 'vault.note_max_bytes': LONG_TEXT.length },
    mcp: tool('write', { path: 'New.md', content: LONG_TEXT }),
    rest: [put('New.md', LONG_TEXT)],
    leaves: { 'New.md': LONG_TEXT },
  },
  {
    does: 'does not write where nothing may be written',
    config: { 'server.read_only': true },
    mcp: tool('write', { path: 'New.md', content: 'x' }),
    rest: [put('New.md', 'x')],
    refused: 'out_of_scope',
  },
  {
    does: 'does not write a folder',
    files: { 'Odd.md/a.png': '' },
    mcp: tool('write', { path: 'Odd.md', content: 'x', ...OVERWRITE }),
    rest: [put('Odd.md', 'x')],
    refused: 'is_directory',
  },
  {
    does: 'does not write what is no note',
    mcp: tool('write', { path: 'Pictures/tree.png', content: 'x', ...OVERWRITE }),
    rest: [put('Pictures/tree.png', 'x')],
    refused: 'unsupported_suffix',
    otherWords: 'REST names the one suffix it takes before it reads the body',
  },
];

export const APPEND_ROWS: readonly ParityRow[] = [
  {
    does: 'appends below one blank line',
    mcp: tool('append', { path: 'Bare.md', content: 'More.' }),
    rest: [post('Bare.md', 'More.')],
    leaves: { 'Bare.md': `${BARE}\nMore.\n` },
    answers: { created: false, timestamp: { bumped: false, reason: expect.stringMatching(/./) } },
  },
  {
    does: 'appends and sets the timestamp',
    mcp: tool('append', { path: 'Plan.md', content: 'Done.\n' }),
    rest: [post('Plan.md', 'Done.\n')],
    leaves: { 'Plan.md': `${stamped(PLAN)}\nDone.\n` },
    answers: { timestamp: { bumped: true } },
  },
  {
    does: 'goes on with a list',
    files: { 'List.md': '- one\n- two\n' },
    mcp: tool('append', { path: 'List.md', content: '- three' }),
    rest: [post('List.md', '- three')],
    leaves: { 'List.md': '- one\n- two\n- three\n' },
  },
  {
    does: 'appends in the line breaks of the note',
    mcp: tool('append', { path: 'Windows.md', content: 'One\nTwo' }),
    rest: [post('Windows.md', 'One\nTwo')],
    leaves: {
      'Windows.md': `${WINDOWS.replace('---\r\n#', 'timestamp: 2026-07-28T09:30:15Z\r\n---\r\n#')}\r\n\r\nOne\r\nTwo`,
    },
  },
  {
    does: 'makes the note that is appended to, with its folders',
    mcp: tool('append', { path: 'Log/Day.md', content: 'First.', ...CREATE }),
    rest: [post('Log/Day.md', 'First.')],
    leaves: { 'Log/Day.md': 'First.' },
    answers: { created: true, folders_made: ['Log'] },
  },
  {
    does: 'appends to the composed name of a decomposed one',
    mcp: tool('append', { path: 'Names/Caf\u00e9.md', content: 'Late.', ...CREATE }),
    rest: [post('Names/Caf\u00e9.md', 'Late.')],
    leaves: { [`Names/${CAFE}.md`]: '# Café\n\nOpen.\n\nLate.\n' },
  },
  {
    does: 'appends to a note whose frontmatter cannot be read, and says that it has no timestamp',
    mcp: tool('append', { path: 'Broken.md', content: 'More.' }),
    rest: [post('Broken.md', 'More.')],
    leaves: { 'Broken.md': `${BROKEN}\nMore.\n` },
    answers: { timestamp: { bumped: false, reason: expect.stringMatching(/./) } },
  },
  {
    does: 'shows what an append would do',
    mcp: tool('append', { path: 'Bare.md', content: 'More.', dry_run: true }),
    rest: [post('Bare.md', 'More.', { query: { dry_run: 1 } })],
    leaves: {},
    answers: { diff: expect.stringContaining('+More.') },
  },
  {
    does: 'does not append to another version than the one expected',
    mcp: tool('append', { path: 'Bare.md', content: 'x', expected_etag: STALE }),
    rest: [post('Bare.md', 'x', ifMatch(STALE))],
    refused: 'precondition_failed',
  },
  {
    does: 'does not append to a file that is not UTF-8',
    mcp: tool('append', { path: 'Latin.md', content: 'x' }),
    rest: [post('Latin.md', 'x')],
    refused: 'unreadable',
  },
  {
    does: 'does not append to a document',
    mcp: tool('append', { path: 'Files/scan.pdf', content: 'x' }),
    rest: [post('Files/scan.pdf', 'x')],
    refused: 'is_document',
  },
];

const bodyPatch = (path: string, content: string) => [
  patch(path, { 'Target-Type': 'body', Operation: 'replace' }, content),
  patchJson(path, { targetType: 'body', operation: 'replace', content }),
];

export const SET_BODY_ROWS: readonly ParityRow[] = [
  {
    does: 'replaces the body and keeps the block byte for byte but for its timestamp',
    mcp: tool('set_body', { path: 'Plan.md', content: '# Other\n' }),
    rest: bodyPatch('Plan.md', '# Other\n'),
    leaves: { 'Plan.md': edited(PLAN, PLAN.slice(PLAN.indexOf('# Plan')), '# Other\n') },
  },
  {
    does: 'replaces the body in the line breaks of the note',
    mcp: tool('set_body', { path: 'Windows.md', content: 'One\nTwo' }),
    rest: bodyPatch('Windows.md', 'One\nTwo'),
    leaves: {
      'Windows.md': '\ufeff---\r\ntitle: Windows\r\ntimestamp: 2026-07-28T09:30:15Z\r\n---\r\nOne\r\nTwo',
    },
  },
  {
    does: 'replaces all of a note that has no block',
    mcp: tool('set_body', { path: 'Bare.md', content: 'One.\n' }),
    rest: bodyPatch('Bare.md', 'One.\n'),
    leaves: { 'Bare.md': 'One.\n' },
  },
  {
    does: 'does not replace the body of a note that is not there, and names the one that is meant',
    mcp: tool('set_body', { path: 'Bare', content: 'x' }),
    rest: bodyPatch('Bare', 'x'),
    refused: 'unsupported_suffix',
  },
  {
    does: 'does not replace the body of a missing note',
    mcp: tool('set_body', { path: 'Nowhere.md', content: 'x' }),
    rest: bodyPatch('Nowhere.md', 'x'),
    refused: 'not_found',
  },
];
