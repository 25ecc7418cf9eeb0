/** The parity table's rows on folders: made with the ones above them, removed with what they hold. */
import { makeFolder, removeFolder, tool } from './calls.ts';
import { type ParityRow, PEAR, VAULT } from './row.ts';

const HERBS = String(VAULT['Garden/Beds/Herbs.md']);

export const FOLDER_ROWS: readonly ParityRow[] = [
  {
    does: 'makes a folder with the ones above it',
    mcp: tool('create_folder', { path: 'Zimmer/Küche' }),
    rest: [makeFolder('Zimmer/Küche'), makeFolder('Zimmer/Küche/')],
    leaves: { 'Zimmer/Küche': '/' },
    answers: { created: true, folders_made: ['Zimmer', 'Zimmer/Küche'] },
  },
  {
    does: 'finds a folder made already',
    mcp: tool('create_folder', { path: 'Garden' }),
    rest: [makeFolder('Garden')],
    leaves: {},
    answers: { created: false, folders_made: [] },
  },
  {
    does: 'shows what making a folder would do',
    mcp: tool('create_folder', { path: 'A/B', dry_run: true }),
    rest: [makeFolder('A/B', { dry_run: true })],
    leaves: {},
    answers: { folders_made: ['A', 'A/B'], dry_run: true },
  },
  {
    does: 'does not make a folder in the place of a file',
    files: { Notes: 'a file' },
    mcp: tool('create_folder', { path: 'Notes' }),
    rest: [makeFolder('Notes')],
    refused: 'already_exists',
  },
  {
    does: 'does not make a folder below a file',
    mcp: tool('create_folder', { path: 'Board.canvas/x' }),
    rest: [makeFolder('Board.canvas/x')],
    refused: 'not_a_directory',
  },
  {
    does: 'does not make a folder that is named like a note',
    mcp: tool('create_folder', { path: 'Folder.md' }),
    rest: [makeFolder('Folder.md')],
    refused: 'invalid_path',
  },
  {
    does: 'removes an empty folder to the trash',
    folders: ['Hollow'],
    mcp: tool('delete_folder', { path: 'Hollow' }),
    rest: [removeFolder('Hollow')],
    leaves: { Hollow: null, '.trash/Hollow': '/' },
    answers: { notes: 0, folders: 0, trashed: '.trash/Hollow' },
  },
  {
    does: 'removes a folder with everything in it when asked to, and counts',
    folders: ['Garden/Hollow'],
    mcp: tool('delete_folder', { path: 'Garden', recursive: true }),
    rest: [removeFolder('Garden', { recursive: true })],
    leaves: {
      ...{ Garden: null, 'Garden/Beds': null, 'Garden/Hollow': null },
      ...{ 'Garden/Pear.md': null, 'Garden/Beds/Herbs.md': null, '.trash/Garden/Hollow': '/' },
      ...{ '.trash/Garden/Pear.md': PEAR, '.trash/Garden/Beds/Herbs.md': HERBS },
    },
    answers: { notes: 2, documents: 0, other_files: 0, folders: 2, trashed: '.trash/Garden' },
  },
  {
    does: 'removes a folder for good when asked to',
    mcp: tool('delete_folder', { path: 'Pictures', recursive: true, permanent: true }),
    rest: [removeFolder('Pictures', { recursive: true, permanent: true })],
    leaves: { Pictures: null, 'Pictures/tree.png': null },
    answers: { other_files: 1, permanent: true, trashed: null },
  },
  {
    does: 'shows what removing a folder would do, and what would still link there',
    indexed: true,
    mcp: tool('delete_folder', { path: 'Garden', recursive: true, dry_run: true }),
    rest: [removeFolder('Garden', { recursive: true, dry_run: true })],
    leaves: {},
    answers: { notes: 2, dry_run: true, linked_from: ['Board.canvas', 'Links.md'] },
  },
  {
    does: 'does not remove a folder that is not empty',
    mcp: tool('delete_folder', { path: 'Garden' }),
    rest: [removeFolder('Garden')],
    refused: 'not_empty',
  },
  {
    does: 'does not remove a folder that hides something',
    files: { 'Garden/.git/config': 'x' },
    mcp: tool('delete_folder', { path: 'Garden', recursive: true }),
    rest: [removeFolder('Garden', { recursive: true })],
    refused: 'invalid_path',
  },
  {
    does: 'does not remove the vault',
    mcp: tool('delete_folder', { path: '', recursive: true }),
    rest: [removeFolder('', { recursive: true })],
    refused: 'invalid_path',
    otherWords: 'REST refuses its own mount before any operation is called',
  },
  {
    does: 'does not remove a file by the call for folders',
    mcp: tool('delete_folder', { path: 'Bare.md' }),
    rest: [removeFolder('Bare.md')],
    refused: 'not_a_directory',
  },
];
