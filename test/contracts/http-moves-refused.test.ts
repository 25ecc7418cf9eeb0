// Every way of asking for a change of folders, or for a move, wrongly: the right code of the closed table, prose that says
// what to do, and a vault in which not one byte has changed.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'vitest';
import { restWritingSuite } from '../support/rest-writing.ts';

const rest = restWritingSuite({
  'Note.md': '# Plan\n',
  'Meta.md': '---\ntitle: A\n---\n\nBody.\n',
  'Sub/Other.md': 'See [[Note]].\n',
  'Hidden/.secret/x.txt': 'x',
  'picture.png': Uint8Array.of(1, 2, 3),
  '.obsidian/app.json': '{}',
});

beforeEach(() => symlink('/etc', join(rest.served.vaultPath, 'linked')));

const JSON_TYPE = { 'content-type': 'application/json' };
const STALE = { 'if-match': `"${'0'.repeat(64)}"` };
const move = (source: unknown, destination: unknown, more: object = {}) => ({
  headers: JSON_TYPE,
  body: JSON.stringify({ source, destination, ...more }),
});

type Row = readonly [method: string, path: string, init: Omit<RequestInit, 'method'>, code: string, advice: RegExp];

const FOLDERS: Row[] = [
  ['PUT', '/folder/', {}, 'invalid_path', /vault itself/],
  ['PUT', '/folder', {}, 'invalid_path', /vault itself/],
  ['DELETE', '/folder/?recursive', {}, 'invalid_path', /vault itself/],
  ['PUT', '/folder/.hidden', {}, 'invalid_path', /protected/],
  ['PUT', '/folder/Note.md', {}, 'invalid_path', /like a file/],
  ['PUT', '/folder/picture.png', {}, 'already_exists', /./],
  ['PUT', '/folder/sub', {}, 'already_exists', /Sub/],
  ['PUT', '/folder/picture.png/x', {}, 'not_a_directory', /./],
  ['PUT', '/folder/linked/x', {}, 'invalid_path', /link/],
  ['PUT', '/folder/a%2Fb', {}, 'invalid_path', /separator/],
  ['PUT', '/folder/New?recursive', {}, 'invalid_request', /no parameter/],
  ['PUT', '/folder/New', { headers: { 'if-none-match': '*' } }, 'invalid_request', /./],
  ['DELETE', '/folder/Sub', {}, 'not_empty', /recursive/],
  ['DELETE', '/folder/Absent', {}, 'not_found', /./],
  ['DELETE', '/folder/Note.md', {}, 'not_a_directory', /./],
  ['DELETE', '/folder/Hidden?recursive', {}, 'invalid_path', /\.secret/],
  ['DELETE', '/folder/.obsidian?recursive', {}, 'invalid_path', /protected/],
  ['DELETE', '/folder/linked?recursive', {}, 'invalid_path', /link/],
  ['DELETE', '/folder/Sub?recursive', { headers: STALE }, 'invalid_request', /no etag/],
];

const MOVES: Row[] = [
  ['POST', '/move', {}, 'invalid_request', /JSON/],
  ['POST', '/move', { headers: JSON_TYPE, body: '{' }, 'invalid_request', /not valid JSON/],
  ['POST', '/move', { headers: JSON_TYPE, body: '[]' }, 'invalid_request', /object/],
  ['POST', '/move', { headers: JSON_TYPE, body: Uint8Array.of(0x22, 0xe9, 0x22) }, 'invalid_request', /UTF-8/],
  ['POST', '/move', { headers: JSON_TYPE, body: ' '.repeat(300_000) }, 'invalid_request', /at most 262144 bytes/],
  ['POST', '/move', { body: 'x' }, 'invalid_request', /application\/json/],
  ['POST', '/move', move('Note.md', undefined), 'invalid_request', /destination is required/],
  ['POST', '/move', move('Note.md', 3), 'invalid_request', /destination must be a string/],
  ['POST', '/move', move('Note.md', 'New.md', { from: 1 }), 'invalid_request', /Unknown parameter "from"/],
  ['POST', '/move?dry_run=false', move('Note.md', 'New.md', { dry_run: true }), 'invalid_request', /twice/],
  ['POST', '/move', move('Absent.md', 'New.md'), 'not_found', /./],
  ['POST', '/move', move('Note.md', 'Meta.md'), 'already_exists', /./],
  ['POST', '/move', move('Note.md', 'New.pdf'), 'kind_change', /./],
  ['POST', '/move', move('Note.md', '../New.md'), 'invalid_path', /out of the vault/],
  ['POST', '/move', move('Note.md', '.hidden/New.md'), 'invalid_path', /protected/],
  ['POST', '/move', move('.obsidian/app.json', 'app.json'), 'invalid_path', /protected/],
  ['POST', '/move', move('Note.md', 'linked/New.md'), 'invalid_path', /link/],
  ['POST', '/move', move('Sub', 'Sub/Below'), 'invalid_path', /./],
  ['POST', '/move', move('', 'New'), 'invalid_path', /./],
  ['POST', '/move', move('Note.md', 'New.md', { expected_etag: 'x' }), 'precondition_failed', /etag is now/],
  ['POST', '/move', { ...move('Sub', 'New'), headers: { ...JSON_TYPE, ...STALE } }, 'invalid_request', /no etag/],
];

describe.each<[string, Row[]]>([
  ['a folder', FOLDERS],
  ['a move', MOVES],
])('%s is refused and changes nothing', (_what, rows) => {
  it.each(rows)('%s %s %j: %s', async (method, path, init, code, advice) => {
    await rest.refused(() => rest.ask(method, path, init), code, advice);
  });
});
