// Every way of asking for a change of notes wrongly that a client can think of: the right code of the closed table, prose that
// says what to do, and a vault in which not one byte has changed.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { restWritingSuite } from '../support/rest-writing.ts';

const rest = restWritingSuite(
  {
    'Note.md': '# Plan\n\n## Costs\n\n- one\n\n## Same\n\na\n\n## Same\n\nb\n',
    'Meta.md': '---\ntitle: A\ntags: [a]\n---\n\nBody.\n',
    'Broken.md': '---\na: b: c\n---\n\nBody.\n',
    'Latin.md': Buffer.from('caf\xe9\n', 'latin1'),
    'Sub/Other.md': 'See [[Note]].\n',
    'Hidden/.secret/x.txt': 'x',
    'Files/scan.pdf': 'not a PDF',
    'picture.png': Uint8Array.of(1, 2, 3),
    'index.md': '# Index\n',
    '.obsidian/app.json': '{}',
  },
  { 'vault.note_max_bytes': 20_000 },
);

beforeEach(() => symlink('/etc', join(rest.served.vaultPath, 'linked')));

const JSON_TYPE = { 'content-type': 'application/json' };
const STALE = { 'if-match': `"${'0'.repeat(64)}"` };
const patch = (instruction: object) => ({ headers: JSON_TYPE, body: JSON.stringify(instruction) });
const append = { target: 'Costs', operation: 'append', content: 'x' };

type Row = readonly [method: string, path: string, init: Omit<RequestInit, 'method'>, code: string, advice: RegExp];

const NOTE_BODIES: Row[] = ['PUT', 'POST'].flatMap((method): Row[] => [
  [method, '/vault/Note.md', patch({ a: 1 }), 'invalid_request', /the text itself, not JSON/],
  [
    method,
    '/vault/Note.md',
    { headers: { 'content-type': 'text/html' }, body: 'x' },
    'invalid_request',
    /text\/markdown/,
  ],
  [method, '/vault/Note.md', { body: new FormData() }, 'invalid_request', /text\/markdown/],
  [
    method,
    '/vault/Note.md',
    { headers: { 'content-type': 'text/markdown; charset=iso-8859-1' }, body: 'x' },
    'invalid_request',
    /UTF-8/,
  ],
  [method, '/vault/Note.md', { headers: { 'content-encoding': 'gzip' }, body: 'x' }, 'invalid_request', /Compressed/],
  [method, '/vault/Note.md', { body: Uint8Array.of(0x63, 0xe9, 0x0a) }, 'invalid_request', /not valid UTF-8/],
  [method, '/vault/Note.md', { body: 'x'.repeat(20_001) }, 'note_too_large', /more than 20000 bytes/],
  [method, '/vault/Note.md', { body: 'é'.repeat(10_001) }, 'note_too_large', /more than 20000 bytes/],
  [method, '/vault/Note.md', { headers: { Target: 'Costs' }, body: 'x' }, 'invalid_request', /PATCH/],
  [method, '/vault/Note.md', { headers: { 'Target-Type': 'heading' }, body: 'x' }, 'invalid_request', /PATCH/],
  [method, '/vault/Note.md', { headers: STALE, body: 'x' }, 'precondition_failed', /etag is now "[0-9a-f]{64}"/],
  [method, '/vault/Absent.md', { headers: { 'if-match': '*' }, body: 'x' }, 'precondition_failed', /not there/],
  [method, '/vault/Note.md', { headers: { 'if-match': 'W/"a"' }, body: 'x' }, 'invalid_request', /without "W\/"/],
  [method, '/vault/Note.md', { headers: { 'if-match': '"a", "b"' }, body: 'x' }, 'invalid_request', /no list/],
  [method, '/vault/Note.md?dry_run=perhaps', { body: 'x' }, 'invalid_request', /true or false/],
  [method, '/vault/Note.md?wait=forever', { body: 'x' }, 'invalid_request', /wait must be "indexed", or left out/],
  [method, '/vault/Note.md?timeout=61', { body: 'x' }, 'invalid_request', /timeout must be at most 60 seconds/],
  [method, '/vault/Note.md?dryrun', { body: 'x' }, 'invalid_request', /Did you mean "dry_run"/],
  [method, '/vault/Note.md', { headers: { 'x-vault-source': '' }, body: 'x' }, 'invalid_request', /X-Vault-Source/],
]);

const PATHS: Row[] = ['PUT', 'POST', 'PATCH', 'DELETE'].flatMap((method): Row[] => {
  const init = method === 'PATCH' ? patch(append) : method === 'DELETE' ? {} : { body: 'x' };
  return [
    [method, '/vault/', init, 'is_directory', /\/folder\//],
    [method, '/vault', init, 'is_directory', /\/folder\//],
    [method, '/vault/Sub/', init, 'is_directory', /without a slash/],
    [method, '/vault/Note.md/', init, 'is_directory', /without a slash/],
    [method, '/vault/.obsidian/app.json', init, 'invalid_path', /protected/],
    [method, '/vault/.git/config', init, 'invalid_path', /protected/],
    [method, '/vault/.new.md', init, 'invalid_path', /protected/],
    [method, '/vault/index.md', init, 'invalid_path', /protected/],
    [method, '/vault/INDEX.md', init, 'invalid_path', /protected/],
    [method, '/vault/a%2Fb.md', init, 'invalid_path', /separator/],
    [method, '/vault/..%2Fb.md', init, 'invalid_path', /separator|"\.\."/],
    [method, '/vault/a%5Cb.md', init, 'invalid_path', /separator/],
    [method, '/vault/a%00b.md', init, 'invalid_path', /control/],
    [method, '/vault/%ff.md', init, 'invalid_path', /UTF-8/],
    [method, '/vault/Sub//Other.md', init, 'invalid_path', /empty segment/],
    [method, '/vault/linked/passwd', init, 'invalid_path', /link/],
    [method, '/vault/linked/new.md', init, 'invalid_path', /link/],
  ];
});

const FILES: Row[] = [
  ['PUT', '/vault/Files/scan.pdf', { body: 'x' }, 'already_exists', /other bytes.*overwrite=true/],
  ['PUT', '/vault/new.png', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'unsupported_suffix', /\.md/],
  ['PUT', '/vault/New', { body: 'x' }, 'unsupported_suffix', /No suffix is added/],
  ['PUT', '/vault/Sub', { body: 'x' }, 'unsupported_suffix', /\.md/],
  ['PUT', '/vault/Note.md/New.md', { body: 'x' }, 'not_a_directory', /./],
  ['PUT', '/vault/note.md', { body: 'x' }, 'already_exists', /Note\.md/],
  ['PUT', '/vault/Folder.md/New.md', { body: 'x' }, 'invalid_path', /folder/],
  ['PUT', `/vault/${'x'.repeat(260)}.md`, { body: 'x' }, 'invalid_path', /long/],
  ['PUT', '/vault/New%20/N.md', { body: 'x' }, 'invalid_path', /space/],
  ['PUT', '/vault/Note.md', { headers: { 'if-none-match': '*' }, body: 'x' }, 'precondition_failed', /there already/],
  ['PUT', '/vault/Note.md', { headers: { 'if-none-match': '"a"' }, body: 'x' }, 'invalid_request', /only \*/],
  ['POST', '/vault/Note.md', { headers: { 'if-none-match': '*' }, body: 'x' }, 'invalid_request', /for PUT/],
  ['POST', '/vault/Latin.md', { body: 'x' }, 'unreadable', /UTF-8/],
  ['POST', '/vault/picture.png', { body: 'x' }, 'unsupported_suffix', /\.md/],
  ['DELETE', '/vault/Sub', {}, 'is_directory', /DELETE \/folder\//],
  ['DELETE', '/vault/Absent.md', {}, 'not_found', /./],
  ['DELETE', '/vault/Note', {}, 'not_found', /Note\.md/],
  ['DELETE', '/vault/Note.md', { headers: STALE }, 'precondition_failed', /etag is now/],
  ['DELETE', '/vault/picture.png', { headers: STALE }, 'precondition_failed', /etag is now/],
  ['DELETE', '/vault/Note.md', { headers: { Target: 'Costs' } }, 'invalid_request', /PATCH/],
  ['DELETE', '/vault/Note.md?recursive', {}, 'invalid_request', /no parameter/],
];

const PATCHES: Row[] = [
  ['PATCH', '/vault/Note.md', { body: 'x' }, 'invalid_request', /Say what to change/],
  ['PATCH', '/vault/Note.md', {}, 'invalid_request', /Say what to change/],
  ['PATCH', '/vault/Note.md', { headers: JSON_TYPE, body: '{' }, 'invalid_request', /not valid JSON/],
  ['PATCH', '/vault/Note.md', { headers: JSON_TYPE, body: '[]' }, 'invalid_request', /object/],
  ['PATCH', '/vault/Note.md', patch({ ...append, operaton: 1 }), 'invalid_request', /did you mean "operation"/],
  [
    'PATCH',
    '/vault/Note.md',
    patch({ target: 'Costs', operation: 'append' }),
    'invalid_request',
    /content is required/,
  ],
  ['PATCH', '/vault/Note.md', patch({ operation: 'append', content: 'x' }), 'invalid_request', /target is required/],
  ['PATCH', '/vault/Note.md', patch({ ...append, within: -1 }), 'invalid_request', /\^id/],
  ['PATCH', '/vault/Note.md', patch({ ...append, target: 'Absent' }), 'no_such_heading', /Costs/],
  ['PATCH', '/vault/Note.md', patch({ ...append, target: 'Same' }), 'ambiguous_heading', /Same\[2\]/],
  ['PATCH', '/vault/Note.md', patch({ ...append, targetType: 'block', target: 'x' }), 'no_such_block', /./],
  ['PATCH', '/vault/Note.md', patch({ ...append, scope: 'marker' }), 'invalid_request', /replace/],
  [
    'PATCH',
    '/vault/Note.md',
    patch({ target: 'Costs', operation: 'replace', scope: 'marker', content: 'New name' }),
    'invalid_value',
    /## New text/,
  ],
  ['PATCH', '/vault/Note.md', patch({ ...append, ifMatch: 'x' }), 'precondition_failed', /etag is now/],
  ['PATCH', '/vault/Note.md', { ...patch(append), headers: { ...JSON_TYPE, ...STALE } }, 'precondition_failed', /etag/],
  ['PATCH', '/vault/Note.md?dry_run=false', patch({ ...append, dryRun: true }), 'invalid_request', /twice/],
  ['PATCH', '/vault/Note.md', patch({ ...append, content: '\ud800' }), 'invalid_value', /half of a/],
  ['PATCH', '/vault/Note.md', patch({ ...append, content: 'x'.repeat(20_001) }), 'note_too_large', /split/],
  ['PATCH', '/vault/Note.md', patch({ ...append, content: 'x'.repeat(200_000) }), 'invalid_request', /at most/],
  ['PATCH', '/vault/Note.md', { headers: { Target: 'Costs' }, body: 'x'.repeat(20_001) }, 'note_too_large', /split/],
  ['PATCH', '/vault/Note.md', { headers: { Target: 'Costs' }, body: Uint8Array.of(0xe9) }, 'invalid_request', /UTF-8/],
  [
    'PATCH',
    '/vault/Note.md',
    { headers: { Target: 'Costs', 'content-type': 'text/html' }, body: 'x' },
    'invalid_request',
    /text\/markdown/,
  ],
  ['PATCH', '/vault/Note.md', { headers: { Operation: 'insert' }, body: 'x' }, 'invalid_request', /Operation must be/],
  [
    'PATCH',
    '/vault/Note.md',
    { headers: { Target: 'Costs', 'Markdown-Patch-Version': '9' }, body: 'x' },
    'invalid_request',
    /Markdown-Patch-Version is 1/,
  ],
  [
    'PATCH',
    '/vault/Note.md',
    { headers: { 'Target-Type': 'frontmatter', Target: 'a' }, body: 'x' },
    'invalid_value',
    /quotes/,
  ],
  [
    'PATCH',
    '/vault/Note.md',
    { headers: { 'Target-Type': 'frontmatter', Target: 'a' }, body: '1' },
    'no_frontmatter',
    /create/,
  ],
  [
    'PATCH',
    '/vault/Meta.md',
    patch({ targetType: 'frontmatter', target: 'a', operation: 'replace', value: null }),
    'invalid_value',
    /delete/,
  ],
  [
    'PATCH',
    '/vault/Meta.md',
    patch({ targetType: 'frontmatter', target: 'tags', operation: 'append', value: 'b' }),
    'invalid_value',
    /list/,
  ],
  [
    'PATCH',
    '/vault/Broken.md',
    patch({ targetType: 'frontmatter', target: 'a', operation: 'replace', value: 1 }),
    'invalid_value',
    /./,
  ],
  ['PATCH', '/vault/Note.md', patch({ targetType: 'text', value: { find: 'zzz', replace: 'x' } }), 'no_such_text', /./],
  [
    'PATCH',
    '/vault/Note.md',
    patch({ targetType: 'text', value: { find: 'Same', replace: 'x' } }),
    'ambiguous_text',
    /./,
  ],
  [
    'PATCH',
    '/vault/Note.md',
    patch({ targetType: 'text', value: { find: 'a' } }),
    'invalid_request',
    /replace is required/,
  ],
  ['PATCH', '/vault/Absent.md', patch(append), 'not_found', /./],
  ['PATCH', '/vault/Latin.md', patch({ ...append, target: null }), 'unreadable', /UTF-8/],
  ['PATCH', '/vault/picture.png', patch(append), 'unsupported_suffix', /\.md/],
];

describe.each<[string, Row[]]>([
  ['a body that is no note', NOTE_BODIES],
  ['a path that cannot be written', PATHS],
  ['a file that cannot be written so', FILES],
  ['a patch that makes no sense', PATCHES],
])('%s is refused and changes nothing', (_what, rows) => {
  it.each(rows)('%s %s %j: %s', async (method, path, init, code, advice) => {
    await rest.refused(() => rest.ask(method, path, init), code, advice);
  });
});

describe('a method that is not served', () => {
  it.each([
    ['PROPFIND', '/vault/Note.md', 'GET, HEAD, PUT, POST, PATCH, DELETE'],
    ['OPTIONS', '/vault/Note.md', 'GET, HEAD, PUT, POST, PATCH, DELETE'],
    ['PUT', '/move', 'POST'],
    ['GET', '/move', 'POST'],
    ['GET', '/folder/Sub', 'PUT, DELETE'],
    ['POST', '/folder/Sub', 'PUT, DELETE'],
    ['PATCH', '/folder/Sub', 'PUT, DELETE'],
  ])('%s %s is told which are', async (method, path, allow) => {
    const answer = await rest.refused(() => rest.ask(method, path), 'method_not_allowed', /use one of/);
    expect(answer.headers.get('allow')).toBe(allow);
  });
});

describe('a write without the key', () => {
  it.each([
    ['PUT', '/vault/Note.md'],
    ['POST', '/vault/Note.md'],
    ['PATCH', '/vault/Note.md'],
    ['DELETE', '/vault/Note.md'],
    ['POST', '/move'],
    ['PUT', '/folder/New'],
    ['DELETE', '/folder/Sub?recursive'],
  ])('%s %s', async (method, path) => {
    await rest.refused(
      () => rest.ask(method, path, { headers: { authorization: 'Bearer wrong' } }),
      'unauthorized',
      /knows no such key; check the header/,
    );
  });
});
