/** The parity table's rows on whole files and folders that go or move. */
import { expect } from 'vitest';
import { ifMatch, move, remove, tool } from './calls.ts';
import { BARE, CAFE, CANVAS, etagOf, LINKS, type ParityRow, PEAR, PLAN, STALE, VAULT } from './row.ts';

const TREE = VAULT['Pictures/tree.png'] ?? '';
const SCAN = VAULT['Files/scan.pdf'] ?? '';
const HERBS = String(VAULT['Garden/Beds/Herbs.md']);

export const DELETE_ROWS: readonly ParityRow[] = [
  {
    does: 'moves a deleted note to the trash',
    mcp: tool('delete', { path: 'Garden/Pear.md' }),
    rest: [remove('Garden/Pear.md')],
    leaves: { 'Garden/Pear.md': null, '.trash/Garden/Pear.md': PEAR },
    answers: { kind: 'note', etag: null, permanent: false, trashed: '.trash/Garden/Pear.md', linked_from: null },
  },
  {
    does: 'names the notes that link to what was deleted, once it is searched no more',
    indexed: true,
    mcp: tool('delete', { path: 'Garden/Pear.md', wait: 'indexed' }),
    rest: [remove('Garden/Pear.md', { query: { wait: 'indexed', timeout: 60 } })],
    leaves: { 'Garden/Pear.md': null, '.trash/Garden/Pear.md': PEAR },
    answers: { linked_from: ['Board.canvas', 'Garden/Beds/Herbs.md', 'Links.md'], indexed: 'indexed' },
  },
  {
    does: 'keeps what was deleted earlier under the same name',
    files: { '.trash/Bare.md': 'earlier' },
    mcp: tool('delete', { path: 'Bare.md' }),
    rest: [remove('Bare.md')],
    leaves: { 'Bare.md': null, '.trash/Bare-2.md': BARE },
    answers: { trashed: '.trash/Bare-2.md' },
  },
  {
    does: 'deletes a note for good when asked to',
    mcp: tool('delete', { path: 'Bare.md', permanent: true }),
    rest: [remove('Bare.md', { query: { permanent: true } })],
    leaves: { 'Bare.md': null },
    answers: { permanent: true, trashed: null },
  },
  {
    does: 'deletes for good where there is no trash',
    config: { 'vault.trash': false },
    mcp: tool('delete', { path: 'Bare.md' }),
    rest: [remove('Bare.md')],
    leaves: { 'Bare.md': null },
    answers: { permanent: true, trashed: null },
  },
  {
    does: 'deletes a document',
    mcp: tool('delete', { path: 'Files/scan.pdf', expected_etag: etagOf(SCAN) }),
    rest: [remove('Files/scan.pdf', ifMatch(etagOf(SCAN)))],
    leaves: { 'Files/scan.pdf': null, '.trash/Files/scan.pdf': SCAN },
    answers: { kind: 'document' },
  },
  {
    does: 'deletes an attachment, which nobody indexes',
    mcp: tool('delete', { path: 'Pictures/tree.png' }),
    rest: [remove('Pictures/tree.png')],
    leaves: { 'Pictures/tree.png': null, '.trash/Pictures/tree.png': TREE },
    answers: { kind: 'attachment', indexed: 'excluded' },
  },
  {
    does: 'deletes a note by its composed name',
    mcp: tool('delete', { path: 'Names/Caf\u00e9.md', permanent: true }),
    rest: [remove('Names/Caf\u00e9.md', { query: { permanent: true } })],
    leaves: { [`Names/${CAFE}.md`]: null },
    answers: { path: `Names/${CAFE}.md` },
  },
  {
    does: 'shows what deleting would do',
    mcp: tool('delete', { path: 'Bare.md', dry_run: true }),
    rest: [remove('Bare.md', { query: { dry_run: true } })],
    leaves: {},
    answers: { dry_run: true, etag: etagOf(BARE), trashed: null },
  },
  {
    does: 'does not delete another version than the one expected',
    mcp: tool('delete', { path: 'Bare.md', expected_etag: STALE }),
    rest: [remove('Bare.md', ifMatch(STALE))],
    refused: 'precondition_failed',
  },
  {
    does: 'does not delete what is not there',
    mcp: tool('delete', { path: 'Nowhere.md' }),
    rest: [remove('Nowhere.md')],
    refused: 'not_found',
  },
  {
    does: 'does not delete what is called so in another case',
    mcp: tool('delete', { path: 'BARE.md' }),
    rest: [remove('BARE.md')],
    refused: 'not_found',
  },
  {
    does: 'does not delete a folder by the call for files',
    mcp: tool('delete', { path: 'Garden' }),
    rest: [remove('Garden')],
    refused: 'is_directory',
    otherWords: 'REST adds the route for folders',
  },
  {
    does: 'does not delete what is protected',
    files: { '.obsidian/app.json': '{}' },
    mcp: tool('delete', { path: '.obsidian/app.json' }),
    rest: [remove('.obsidian/app.json')],
    refused: 'invalid_path',
  },
];

const toOrchard = { source: 'Garden/Pear.md', destination: 'Orchard/Old/Pear tree.md' };
const FOLLOWED_LINKS = LINKS.replaceAll('[[Pear', '[[Pear tree')
  .replace('`[[Pear tree]]`', '`[[Pear]]`')
  .replace('[[Garden/Pear|', '[[Orchard/Old/Pear tree|')
  .replace('(Garden/Pear.md#Care', '(Orchard/Old/Pear%20tree.md#Care');
const MOVED_PEAR = PEAR.replace('Beds/Herbs.md', '../../Garden/Beds/Herbs.md').replace('../Pictures', '../../Pictures');

export const MOVE_ROWS: readonly ParityRow[] = [
  {
    does: 'moves a note and has every link follow, its own too',
    mcp: tool('move', toOrchard),
    rest: [move(toOrchard)],
    leaves: {
      'Garden/Pear.md': null,
      'Orchard/Old/Pear tree.md': MOVED_PEAR,
      'Links.md': FOLLOWED_LINKS,
      'Garden/Beds/Herbs.md': HERBS.replace('[[Pear]]', '[[Pear tree]]'),
      'Board.canvas': CANVAS.replace('Garden/Pear.md', 'Orchard/Old/Pear tree.md'),
    },
    answers: {
      ...{ ...toOrchard, kind: 'note', etag: etagOf(MOVED_PEAR), left: [], folders_made: ['Orchard', 'Orchard/Old'] },
      ...{ links_updated: 9, notes_updated: 4 },
    },
  },
  {
    does: 'moves what the index knows, and waits until it knows the new name',
    indexed: true,
    mcp: tool('move', { source: 'Bare.md', destination: 'Bald.md', wait: 'indexed' }),
    rest: [
      move({ source: 'Bare.md', destination: 'Bald.md', wait: 'indexed', timeout: 60 }),
      move({ source: 'Bare.md', destination: 'Bald.md' }, { query: { wait: 'indexed', timeout: 60 } }),
    ],
    leaves: { 'Bare.md': null, 'Bald.md': BARE },
    answers: { indexed: 'indexed' },
  },
  {
    does: 'leaves links alone when asked to, and counts those that break',
    mcp: tool('move', { ...toOrchard, update_links: false }),
    rest: [move({ ...toOrchard, update_links: false })],
    leaves: { 'Garden/Pear.md': null, 'Orchard/Old/Pear tree.md': PEAR },
    answers: { links_updated: 0, notes_updated: 0, links_broken: 9 },
  },
  {
    does: 'moves a document',
    mcp: tool('move', { source: 'Files/scan.pdf', destination: 'Files/plan.pdf' }),
    rest: [move({ source: 'Files/scan.pdf', destination: 'Files/plan.pdf' })],
    leaves: {
      'Files/scan.pdf': null,
      'Files/plan.pdf': SCAN,
      'Links.md': LINKS.replace('Files/scan.pdf', 'Files/plan.pdf'),
    },
    answers: { kind: 'document', links_updated: 1 },
  },
  {
    does: 'moves an attachment',
    mcp: tool('move', { source: 'Pictures/tree.png', destination: 'Pictures/pear.png' }),
    rest: [move({ source: 'Pictures/tree.png', destination: 'Pictures/pear.png' })],
    leaves: {
      'Pictures/tree.png': null,
      'Pictures/pear.png': TREE,
      'Links.md': LINKS.replace('![[tree.png]]', '![[pear.png]]'),
      'Garden/Pear.md': PEAR.replace('tree.png', 'pear.png'),
    },
    answers: { kind: 'attachment', etag: null, links_updated: 2 },
  },
  {
    does: 'moves a folder with the links into it and out of it',
    mcp: tool('move', { source: 'Garden', destination: 'Home/Garden' }),
    rest: [move({ source: 'Garden', destination: 'Home/Garden' })],
    leaves: {
      Garden: null,
      'Garden/Beds': null,
      'Garden/Pear.md': null,
      'Garden/Beds/Herbs.md': null,
      'Home/Garden/Pear.md': PEAR.replace('../Pictures', '../../Pictures'),
      'Home/Garden/Beds/Herbs.md': HERBS,
      'Links.md': LINKS.replace('[[Garden/Pear|', '[[Home/Garden/Pear|').replace('(Garden/Pear', '(Home/Garden/Pear'),
      'Board.canvas': CANVAS.replace('Garden/Pear.md', 'Home/Garden/Pear.md'),
    },
    answers: { kind: 'folder', etag: null },
  },
  {
    does: 'moves a folder of attachments',
    mcp: tool('move', { source: 'Pictures', destination: 'Images' }),
    rest: [move({ source: 'Pictures', destination: 'Images' })],
    leaves: {
      ...{ Pictures: null, 'Pictures/tree.png': null, 'Images/tree.png': TREE },
      'Garden/Pear.md': PEAR.replace('../Pictures', '../Images'),
    },
    answers: { kind: 'folder', links_updated: 1 },
  },
  {
    does: 'moves to a name that differs by case alone',
    mcp: tool('move', { source: 'Plan.md', destination: 'PLAN.md' }),
    rest: [move({ source: 'Plan.md', destination: 'PLAN.md' })],
    leaves: { 'Plan.md': null, 'PLAN.md': PLAN },
  },
  {
    does: 'moves the version that was expected',
    mcp: tool('move', { source: 'Bare.md', destination: 'B.md', expected_etag: etagOf(BARE) }),
    rest: [
      move({ source: 'Bare.md', destination: 'B.md' }, ifMatch(etagOf(BARE))),
      move({ source: 'Bare.md', destination: 'B.md', expected_etag: etagOf(BARE) }),
    ],
    leaves: { 'Bare.md': null, 'B.md': BARE },
  },
  {
    does: 'shows what a move would do',
    mcp: tool('move', { ...toOrchard, dry_run: true }),
    rest: [move({ ...toOrchard, dry_run: true }), move(toOrchard, { query: { dry_run: true } })],
    leaves: {},
    answers: {
      notes: expect.arrayContaining([{ path: 'Links.md', links: expect.any(Number) }]),
      diff: expect.stringContaining('Pear tree'),
    },
  },
  ...[
    ['over a note', { source: 'Bare.md', destination: 'Plan.md' }, 'already_exists'],
    ['a note to the name of a document', { source: 'Bare.md', destination: 'Bare.pdf' }, 'kind_change'],
    ['what is not there', { source: 'Nowhere.md', destination: 'There.md' }, 'not_found'],
    ['a folder into itself', { source: 'Garden', destination: 'Garden/Beds/Garden' }, 'invalid_path'],
    ['to a protected place', { source: 'Bare.md', destination: '.trash/Bare.md' }, 'invalid_path'],
    ['another version', { source: 'Bare.md', destination: 'B.md', expected_etag: STALE }, 'precondition_failed'],
  ].map(
    ([what, body, refused]) =>
      ({
        does: `does not move ${what}`,
        mcp: tool('move', body as Record<string, unknown>),
        rest: [move(body as Record<string, unknown>)],
        refused,
      }) as ParityRow,
  ),
];
