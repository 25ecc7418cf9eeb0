// Moves and folders over a real socket: what is on the disk afterwards, and the answer. How they refuse is in
// http-moves-refused.test.ts.
import { describe, expect, it } from 'vitest';
import { restWritingSuite } from '../support/rest-writing.ts';

const NOTE = '# Plan\r\n\r\nWords.\r\n';

const rest = restWritingSuite({ 'Note.md': NOTE, 'Sub/Other.md': 'See [[Note]].\n' });
const JSON_BODY = { 'content-type': 'application/json' };
const etagOf = async (path: string) => (await rest.served.get(path)).headers.get('etag') ?? '';

describe('POST /move', () => {
  const move = (body: object, query = '', headers = {}) =>
    rest.ask('POST', `/move${query}`, { headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) });

  it('moves a note with the links to it', async () => {
    const { status, body, headers } = await move({ source: 'Note.md', destination: 'Archive/Old.md' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ source: 'Note.md', destination: 'Archive/Old.md', links_updated: 1, left: [] });
    expect(headers.get('etag')).toBe(`"${body.etag}"`);
    expect(await rest.text('Archive/Old.md')).toBe(NOTE);
    expect(await rest.text('Sub/Other.md')).toBe('See [[Old]].\n');
  });

  it('moves a folder, and leaves links when told to', async () => {
    const { body } = await move({ source: 'Sub', destination: 'Moved', update_links: false });
    expect(body).toMatchObject({ kind: 'folder', links_updated: 0, folders_made: [] });
    expect(await rest.text('Moved/Other.md')).toBe('See [[Note]].\n');
  });

  it('takes its options from the body, the query or a header', async () => {
    const before = await rest.everything();
    const paths = { source: 'Note.md', destination: 'Old.md' };
    const etag = await etagOf('/vault/Note.md');
    expect((await move(paths, '?dry_run', { 'if-match': etag })).body).toMatchObject({ dry_run: true });
    const inBody = { ...paths, dry_run: true, expected_etag: etag.replaceAll('"', '') };
    expect((await move(inBody, '?dry_run=1')).body).toMatchObject({ dry_run: true, links_updated: 1 });
    expect(await rest.everything()).toEqual(before);
  });
});

describe('/folder/', () => {
  it('is made with its parents, with or without a slash at the end, and twice', async () => {
    const { status, body } = await rest.ask('PUT', '/folder/A/%C3%9C/');
    expect({ status, body }).toEqual({
      status: 200,
      body: { path: 'A/Ü', created: true, folders_made: ['A', 'A/Ü'] },
    });
    expect((await rest.ask('PUT', '/folder/A/%C3%9C')).body).toMatchObject({ created: false, folders_made: [] });
    expect(await rest.everything()).toMatchObject({ 'A/Ü': '/' });
  });

  it('is removed, with all in it when asked to', async () => {
    expect((await rest.ask('DELETE', '/folder/Sub?dry_run&recursive')).body).toMatchObject({ dry_run: true, notes: 1 });
    const { status, body } = await rest.ask('DELETE', '/folder/Sub/?recursive&permanent');
    expect({ status, body }).toMatchObject({ status: 200, body: { path: 'Sub', notes: 1, permanent: true } });
    expect(Object.keys(await rest.everything()).filter((path) => path.startsWith('Sub'))).toEqual([]);
  });
});

describe('the author and source of a write', () => {
  it('are told with every one of them', async () => {
    const headers = { ...JSON_BODY, 'x-vault-source': Buffer.from('Küche').toString('latin1') };
    await rest.ask('PUT', '/folder/A', { headers });
    await rest.ask('PUT', '/vault/A/N.md', { headers: { ...headers, 'content-type': 'text/markdown' }, body: 'x\n' });
    await rest.ask('POST', '/vault/A/N.md', { headers: { ...headers, 'content-type': 'text/plain' }, body: 'y\n' });
    const instruction = { target: null, operation: 'append', content: 'z' };
    await rest.ask('PATCH', '/vault/A/N.md', { headers, body: JSON.stringify(instruction) });
    const paths = { source: 'A/N.md', destination: 'A/M.md' };
    await rest.ask('POST', '/move', { headers, body: JSON.stringify(paths) });
    await rest.ask('DELETE', '/vault/A/M.md', { headers });
    await rest.ask('DELETE', '/folder/A', { headers });
    // An empty folder is no version of anything.
    const operations = ['write-note', 'append-to-note', 'patch-note', 'move-entry', 'delete-entry'];
    expect(rest.recorded.map(({ operation }) => operation)).toEqual([...operations, 'delete-folder']);
    const authors = new Set(rest.recorded.map(({ agent, source }) => `${agent}, ${source}`));
    expect(authors).toEqual(new Set(['operator, Küche']));
  });
});
