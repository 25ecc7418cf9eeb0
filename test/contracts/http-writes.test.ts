// What the calls that change the vault do over a real socket: the bytes that are on the disk afterwards, and the answer.
// How they refuse is in http-writes-refused.test.ts, how bodies arrive in http-write-bodies.test.ts.
import { describe, expect, it } from 'vitest';
import { restWritingSuite } from '../support/rest-writing.ts';
import { STAMP } from '../support/writing-context.ts';

const NOTE = '\uFEFF# Plan\r\n\r\nWords.\r\n\r\n## Costs\r\n\r\n- one\r\n\r\n## Über 100% uns\r\n\r\nMore. ^more\r\n';
const META = `---\n# kept\ntitle: A\ntags:\n  - x\ntimestamp: ${STAMP}\n---\n\nBody.\n`;

const rest = restWritingSuite({
  'Note.md': NOTE,
  'Meta.md': META,
  'Sub/Other.md': 'See [[Note]].\n',
  'Latin.md': Buffer.from('caf\xe9\n', 'latin1'),
  'Files/scan.pdf': 'not a PDF',
  'picture.png': Uint8Array.of(1, 2, 3),
});
const JSON_BODY = { 'content-type': 'application/json' };
const MARKDOWN = { 'content-type': 'text/markdown' };
const etagOf = async (path: string) => (await rest.served.get(path)).headers.get('etag') ?? '';
const patch = (headers: Record<string, string>, body?: string, path = '/vault/Note.md') =>
  rest.ask('PATCH', path, { headers, ...(body === undefined ? {} : { body }) });

describe('PUT /vault/', () => {
  it('makes a note, byte for byte, and the folders it needs', async () => {
    const text = '\uFEFF# A\r\nno newline at the end, NUL-free \u{1F642}';
    const { status, headers, body } = await rest.ask('PUT', '/vault/New/Deep/%C3%9Cber%20100%25.md', { body: text });
    expect(await rest.text('New/Deep/Über 100%.md')).toBe(text);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        path: 'New/Deep/Über 100%.md',
        created: true,
        changed: true,
        folders_made: ['New', 'New/Deep'],
        timestamp: { bumped: false, reason: expect.any(String) },
        etag: expect.stringMatching(/^[0-9a-f]{64}$/),
        indexed: 'queued',
      },
    });
    expect(headers.get('etag')).toBe(`"${body.etag}"`);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it.each([
    ...['text/markdown', 'text/markdown; charset=utf-8', 'text/plain;charset="UTF-8"', 'text/x-markdown'],
    // What curl calls any body by itself: it is taken as it stands.
    ...['application/octet-stream', 'application/x-www-form-urlencoded'],
  ])('replaces one, as %s', async (type) => {
    const answer = await rest.ask('PUT', '/vault/Note.md', { headers: { 'content-type': type }, body: 'a+b=%20\n' });
    expect(answer.body).toMatchObject({ created: false, changed: true });
    expect(await rest.text('Note.md')).toBe('a+b=%20\n');
  });

  it('takes a body without a content type, and one of nothing', async () => {
    await rest.ask('PUT', '/vault/Note.md', { body: new Uint8Array(Buffer.from('new\n')) });
    expect(await rest.text('Note.md')).toBe('new\n');
    expect((await rest.ask('PUT', '/vault/Note.md')).status).toBe(200);
    expect(await rest.text('Note.md')).toBe('');
  });

  it('replaces one that no edit could keep', async () => {
    expect((await rest.ask('PUT', '/vault/Latin.md', { body: 'café\n' })).body).toMatchObject({ created: false });
    expect(await rest.text('Latin.md')).toBe('café\n');
  });

  it('lets exactly one of two makers win', async () => {
    const make = (body: string) => rest.ask('PUT', '/vault/New.md', { headers: { 'if-none-match': '*' }, body });
    const answers = await Promise.all([make('a'), make('b')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(['a', 'b']).toContain(await rest.text('New.md'));
  });

  it('tells what a dry run would do, and does nothing', async () => {
    const before = await rest.everything();
    const etag = await etagOf('/vault/Note.md');
    const { body, headers } = await rest.ask('PUT', '/vault/Note.md?dry_run', { body: 'new\n' });
    expect(body).toMatchObject({ dry_run: true, changed: true, diff: expect.stringContaining('+new') });
    expect(headers.get('etag')).toBe(etag);
    expect(await rest.everything()).toEqual(before);
  });

  it('waits until search knows of it', async () => {
    const { body } = await rest.ask('PUT', '/vault/Zebra.md?wait=indexed&timeout=30', { body: '# Okapi\n' });
    expect(body.indexed).toBe('indexed');
    const found = await rest.served.get('/search?q=okapi', { headers: { accept: 'application/json' } });
    expect(JSON.stringify(await found.json())).toContain('Zebra.md');
  });
});

describe('POST /vault/', () => {
  it('adds to a note, and makes one that is not there', async () => {
    const { body } = await rest.ask('POST', '/vault/Sub/Other.md', { headers: MARKDOWN, body: 'Added.' });
    expect(body).toMatchObject({ created: false, changed: true });
    expect(await rest.text('Sub/Other.md')).toBe('See [[Note]].\n\nAdded.\n');
    expect((await rest.ask('POST', '/vault/Log.md', { body: 'First.' })).body).toMatchObject({ created: true });
    expect(await rest.text('Log.md')).toMatch(/^First\.\n?$/);
  });

  it('keeps the line endings of the note', async () => {
    await rest.ask('POST', '/vault/Note.md', { body: 'Added.\n' });
    expect(await rest.text('Note.md')).toBe(`${NOTE}\r\nAdded.\r\n`);
  });

  it('loses none of many that come at once', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `- item ${n}`);
    const answers = await Promise.all(lines.map((body) => rest.ask('POST', '/vault/List.md', { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await rest.text('List.md'))?.trim().split('\n').sort()).toEqual([...lines].sort());
  });
});

describe('PATCH /vault/, as flows write it', () => {
  const withItem = NOTE.replace('- one\r\n', '- one\r\n- two\r\n');

  it.each<[string, Record<string, string>, string]>([
    ['headers', { ...MARKDOWN, Operation: 'append', 'Target-Type': 'heading', Target: 'Plan::Costs' }, '- two'],
    [
      'headers and version 1',
      { 'Markdown-Patch-Version': '1', Operation: 'append', Target: 'Plan%3A%3ACosts' },
      '- two',
    ],
    [
      'headers and version 2',
      {
        ...MARKDOWN,
        'Markdown-Patch-Version': '2',
        Operation: 'append',
        'Target-Type': 'heading',
        Target: '%5B%22Costs%22%5D',
      },
      '- two\n',
    ],
    [
      'JSON',
      JSON_BODY,
      JSON.stringify({ targetType: 'heading', target: ['Plan', 'Costs'], operation: 'append', content: '- two' }),
    ],
    [
      'JSON with a joined target',
      JSON_BODY,
      JSON.stringify({ target: 'Plan::Costs', operation: 'append', content: '- two' }),
    ],
    [
      "the plugin's own content type",
      { 'content-type': 'application/vnd.olrapi.patch-instruction+json' },
      JSON.stringify({ targetType: 'heading', target: ['Costs'], operation: 'append', content: '- two' }),
    ],
  ])('adds an item to a list by %s', async (_dialect, headers, body) => {
    const answer = await patch(headers, body);
    expect(answer.body).toMatchObject({ path: 'Note.md', changed: true, removed_subsections: [] });
    expect(answer.headers.get('etag')).toBe(`"${answer.body.etag}"`);
    expect(await rest.text('Note.md')).toBe(withItem);
  });

  it.each([
    ['encoded', '%C3%9Cber%20100%25%20uns'],
    ['raw bytes of UTF-8', Buffer.from('Über 100% uns').toString('latin1')],
    ['Latin-1', '\u00dcber 100% uns'],
  ])('finds a heading that is no ASCII: %s', async (_how, Target) => {
    await patch({ Target, Operation: 'prepend' }, 'First.');
    expect(await rest.text('Note.md')).toBe(NOTE.replace('More.', 'First.\r\n\r\nMore.'));
  });

  it('replaces a block and keeps its id', async () => {
    await patch({ 'Target-Type': 'block', Target: 'more', Operation: 'replace' }, 'Less.');
    expect(await rest.text('Note.md')).toBe(NOTE.replace('More. ^more', 'Less. ^more'));
  });

  it('makes a heading when asked to', async () => {
    const headers = { Target: 'Plan::Later', Operation: 'append', 'Create-Target-If-Missing': 'true' };
    expect((await patch(headers, 'Soon.')).body.created_headings).toEqual(['Later']);
    expect(await rest.text('Note.md')).toBe(`${NOTE}\r\n## Later\r\n\r\nSoon.\r\n`);
  });

  it('replaces text, and says where there is more of it than expected', async () => {
    const body = JSON.stringify({ find: 'one', replace: 'uno', section: 'Costs' });
    await patch({ ...JSON_BODY, 'Target-Type': 'text' }, body);
    expect(await rest.text('Note.md')).toBe(NOTE.replace('one', 'uno'));
    const value = { find: 'uno', replace: 'one' };
    await patch(JSON_BODY, JSON.stringify({ targetType: 'text', value }));
    expect(await rest.text('Note.md')).toBe(NOTE);
  });

  it('changes the whole prose and keeps the frontmatter', async () => {
    const answer = await patch({ 'Target-Type': 'body' }, 'New.\n', '/vault/Meta.md');
    expect(answer.body.timestamp).toEqual({ bumped: true });
    expect(await rest.text('Meta.md')).toBe(META.replace('Body.', 'New.'));
  });

  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['sets', { Target: 'title' }, '"01234"', META.replace('title: A', 'title: "01234"')],
    ['sets as JSON', { ...JSON_BODY, Target: 'title' }, '"B"', META.replace('title: A', 'title: B')],
    [
      'adds to',
      { ...JSON_BODY, Target: 'tags', Operation: 'append' },
      '["z"]',
      META.replace('  - x\n', '  - x\n  - z\n'),
    ],
    ['deletes', { Target: 'tags', Operation: 'delete' }, undefined, META.replace('tags:\n  - x\n', '')],
  ])('%s a frontmatter key', async (_what, headers, body, expected) => {
    const answer = await patch({ 'Target-Type': 'frontmatter', ...headers }, body, '/vault/Meta.md');
    expect(answer.body).toMatchObject({ changed: true });
    expect(await rest.text('Meta.md')).toBe(expected);
  });

  it('changes a version that was seen, once', async () => {
    const seen = await etagOf('/vault/Note.md');
    const change = () => patch({ Target: 'Costs', Operation: 'append', 'If-Match': seen }, '- two');
    const answers = await Promise.all([change(), change(), change()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect(await rest.text('Note.md')).toBe(withItem);
  });

  it('tells what a dry run would do, in either place it is asked for', async () => {
    const before = await rest.everything();
    const body = { target: 'Costs', operation: 'append', content: '- two' };
    for (const answer of [
      await patch({ Target: 'Costs', Operation: 'append' }, '- two', '/vault/Note.md?dry_run=true'),
      await patch(JSON_BODY, JSON.stringify({ ...body, dryRun: true })),
    ]) {
      expect(answer.body).toMatchObject({ dry_run: true, diff: expect.stringContaining('+- two') });
    }
    expect(await rest.everything()).toEqual(before);
  });
});

describe('DELETE /vault/', () => {
  it.each(['Note.md', 'Files/scan.pdf', 'picture.png'])('moves %s to the trash', async (path) => {
    const { [path]: bytes, ...others } = await rest.everything();
    const { status, headers, body } = await rest.ask('DELETE', `/vault/${path}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ path, permanent: false, trashed: `.trash/${path}`, etag: null });
    expect(headers.get('etag')).toBeNull();
    expect(await rest.everything()).toMatchObject({ ...others, [`.trash/${path}`]: bytes });
    expect(await rest.text(path)).toBeUndefined();
  });

  it('deletes for good, a version that was seen, and names who still links to it', async () => {
    const { 'Note.md': _gone, ...others } = await rest.everything();
    const headers = { 'if-match': await etagOf('/vault/Note.md') };
    const { body } = await rest.ask('DELETE', '/vault/Note.md?permanent', { headers });
    expect(body).toMatchObject({ permanent: true, trashed: null, linked_from: ['Sub/Other.md'] });
    expect(await rest.everything()).toEqual(others);
  });
});
