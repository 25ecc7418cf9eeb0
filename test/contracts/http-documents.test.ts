// Filing documents over REST, over a socket: what is stored and answered, what is refused and in what order, and what
// uploads leave that are too large, cut off, or many at once.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { textPdf } from '../fixtures/pdf-files.ts';
import { restWritingSuite } from '../support/rest-writing.ts';
import { API_KEY } from '../support/served-vault.ts';
import { bySendingFirst } from '../support/uploads.ts';

const MAX_BYTES = 20_000;
const FILES = { 'House/House.md': '# House\n', 'House/Files/lease.pdf': 'the lease' };
const rest = restWritingSuite(FILES, { 'vault.doc_max_bytes': MAX_BYTES });

const LEASE = '/vault/House/Files/lease.pdf';
const hashOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const put = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  rest.ask('PUT', path, { body: new Uint8Array(Buffer.from(body)), headers });
/** @returns the answer of a tool as it came */
const overMcp = async (name: string, args: Record<string, unknown>): Promise<string> => {
  const answer = await rest.served.get('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return answer.text();
};
const refused = (code: string, path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  rest.refused(() => put(path, body, headers), code);

describe('a document that is filed', () => {
  it('stands in the vault byte for byte, and its text is told of', async () => {
    const pdf = await textPdf([
      `The brass key hangs in the larder. ${'So it does. '.repeat(10)}`,
      '',
      'Not so the copper key.',
    ]);
    const { status, headers, body } = await put('/vault/Garden/Files/keys.pdf', pdf, { 'x-vault-source': 'a scanner' });
    expect([status, body]).toEqual([
      200,
      {
        path: 'Garden/Files/keys.pdf',
        sha256: hashOf(pdf),
        size: pdf.length,
        status: 'filed',
        etag: hashOf(pdf),
        folders_made: ['Garden', 'Garden/Files'],
        extraction: 'extracted',
        pages: 3,
        has_text_layer: true,
        extracted_chars: expect.any(Number),
        detail: null,
        indexed: 'indexed',
      },
    ]);
    expect(body.extracted_chars).toBeGreaterThan(50);
    expect(headers.get('etag')).toBe(`"${hashOf(pdf)}"`);
    expect((await rest.everything())['Garden/Files/keys.pdf']).toBe(pdf.toString('latin1'));
    expect(rest.recorded).toEqual([
      { operation: 'file-document', agent: 'operator', source: 'a scanner', paths: ['Garden/Files/keys.pdf'] },
    ]);
    const [row] = rest.served.context.audit.read({ limit: 1 });
    expect(row).toMatchObject({ operation: 'file-document', surface: 'rest', outcome: 'ok' });
  });

  it('says what a read and a map of it say afterwards', async () => {
    const pdf = await textPdf(['The brass key hangs in the larder. It is the only one, so bring it back at once.']);
    const { body: filed } = await put('/vault/House/Files/keys.pdf', pdf);
    const facts = ['extraction', 'pages', 'has_text_layer', 'extracted_chars', 'etag'] as const;
    for (const query of ['', '?map']) {
      const { body } = await rest.ask('GET', `/vault/House/Files/keys.pdf${query}`, {
        headers: { accept: 'application/json' },
      });
      expect(Object.fromEntries(facts.map((fact) => [fact, body[fact]]))).toEqual({
        ...Object.fromEntries(facts.map((fact) => [fact, filed[fact]])),
        ...{ extraction: 'extracted', pages: 1, has_text_layer: true },
      });
    }
  });

  it('is unchanged when it comes again, and nothing is recorded of that', async () => {
    expect((await put(LEASE, 'the lease')).body).toMatchObject({
      status: 'unchanged',
      etag: hashOf('the lease'),
      folders_made: [],
    });
    expect(rest.recorded).toEqual([]);
    expect(await rest.text('House/Files/lease.pdf')).toBe('the lease');
  });

  it('takes the place of another only when asked to', async () => {
    await refused('already_exists', LEASE, 'another');
    const { body } = await put(`${LEASE}?overwrite=true&wait=0`, 'another');
    expect(body).toMatchObject({ status: 'replaced', etag: hashOf('another') });
    // Its predecessor is gone, as a note's is that is replaced.
    expect(Object.keys(await rest.everything()).sort()).toEqual([
      'House',
      'House/Files',
      'House/Files/lease.pdf',
      'House/House.md',
    ]);
  });

  it('is stored all the same when nothing can be read from it', async () => {
    const { body } = await put('/vault/House/Files/none.pdf', 'no PDF in truth');
    const unread = { extraction: 'failed', extracted_chars: 0, pages: null, has_text_layer: null };
    expect(body).toMatchObject({ status: 'filed', indexed: 'indexed', ...unread, detail: expect.stringMatching(/\S/) });
    for (const query of ['', '?map']) {
      const read = await rest.ask('GET', `/vault/House/Files/none.pdf${query}`, {
        headers: { accept: 'application/json' },
      });
      expect(read.body).toMatchObject({ kind: 'document', ...unread });
    }
    expect(await overMcp('vault_map', { path: 'House/Files/none.pdf' })).toMatch(/"pages":null,"has_text_layer":null/);
    expect(await rest.text('House/Files/none.pdf')).toBe('no PDF in truth');
  });

  it('is not waited for with wait=0', async () => {
    const pdf = await textPdf(['Nobody has ever seen this sentence before.']);
    const { body } = await put('/vault/House/Files/new.pdf?wait=0', pdf);
    expect(body).toMatchObject({ status: 'filed', extraction: 'pending', pages: null, indexed: 'queued' });
    expect(body.detail).toMatch(/^The document is stored\. It.*\?map/);
  });

  it('goes by its suffix and never by its content type', async () => {
    for (const type of ['text/markdown', 'application/json', 'image/png']) {
      const { body } = await put('/vault/House/Files/LEASE-2.PDF?wait=0', 'x', { 'content-type': type });
      expect(body).toMatchObject({ path: 'House/Files/LEASE-2.PDF' });
    }
  });

  it('is checked and answered alike in a dry run, which changes nothing', async () => {
    const before = await rest.everything();
    const { body } = await put('/vault/Garden/Files/plan.pdf?dry_run', 'the plan');
    expect(body).toEqual({
      path: 'Garden/Files/plan.pdf',
      sha256: hashOf('the plan'),
      size: 8,
      status: 'filed',
      etag: null,
      folders_made: ['Garden', 'Garden/Files'],
      dry_run: true,
    });
    await refused('already_exists', `${LEASE}?dry_run`, 'another');
    await refused('empty_document', `${LEASE}?dry_run`, '');
    expect((await put(`${LEASE}?dry_run&overwrite`, 'another')).body).toMatchObject({
      status: 'replaced',
      etag: hashOf('the lease'),
      linked_from: [],
    });
    expect(await rest.everything()).toEqual(before);
  });

  it('honours conditions on the version that is there', async () => {
    await refused('precondition_failed', `${LEASE}?overwrite`, 'another', { 'if-match': '"other"' });
    await refused('precondition_failed', LEASE, 'the lease', { 'if-none-match': '*' });
    await refused('precondition_failed', '/vault/House/Files/new.pdf', 'x', { 'if-match': '*' });
    const headers = { 'if-match': `"${hashOf('the lease')}"` };
    expect((await put(`${LEASE}?overwrite&wait=0`, 'another', headers)).body).toMatchObject({ status: 'replaced' });
  });
});

describe('what is refused', () => {
  const large = Buffer.alloc(MAX_BYTES + 1, 'x');

  it.each([
    ['its size', '/vault/House/note. /x.pdf', large, 'document_too_large'],
    ['that nothing came', '/vault/House/note. /x.pdf', '', 'empty_document'],
    ['its path', '/vault/House/note. /x.pdf', 'x', 'invalid_path'],
    ['its folder', '/vault/House/x.pdf', 'x', 'wrong_parent_folder'],
    ['what is there', LEASE, 'x', 'already_exists'],
  ])('is told of a document in this order: %s', async (_what, path, body, code) => {
    await refused(code, path, body);
  });

  it('is anything else that is neither note nor document', async () => {
    await refused('unsupported_suffix', '/vault/House/Files/lease.docx', 'x');
    await refused('invalid_path', '/vault/.git/Files/lease.pdf', 'x');
    await refused('is_directory', '/vault/House/Files/lease.pdf/', 'x');
    await refused('not_a_directory', '/vault/House/House.md/Files/lease.pdf', 'x');
    await refused('invalid_path', '/vault/House/Files%2F..%2Flease.pdf', 'x');
  });

  it('is a form, a packed body, a header that names a part, and a wait that is none', async () => {
    await refused('invalid_request', LEASE, 'x', { 'content-type': 'multipart/form-data; boundary=x' });
    await refused('invalid_request', LEASE, 'x', { 'content-encoding': 'gzip' });
    await refused('invalid_request', LEASE, 'x', { target: 'Page 1' });
    for (const wait of ['61', '-1', 'soon', '0x1', '']) {
      const { body } = await rest.refused(() => put(`${LEASE}?wait=${wait}`, 'x'), 'invalid_request');
      expect(body.error).toMatch(
        /^wait does not fit: must be the seconds to wait for its text, 0 to 60, or "indexed"; .* \?map/,
      );
    }
    await refused('invalid_request', `${LEASE}?permanent`, 'x');
  });
});

describe('a document that is too large', () => {
  it.each([
    ['by its length', false],
    ['in chunks', true],
  ])('is refused as it comes %s, and leaves nothing', async (_how, chunked) => {
    const before = await rest.everything();
    const headers = { authorization: `Bearer ${API_KEY}` };
    for (const [path, code] of [
      ['/vault/House/Files/large.pdf', 'document_too_large'],
      [`${LEASE}?overwrite`, 'document_too_large'],
      ['/vault/House/large.pdf', 'document_too_large'],
    ] as const) {
      const bytes = Buffer.alloc(MAX_BYTES * 50, 'x');
      const { status, body } = await bySendingFirst(rest.served.url, { method: 'PUT', path, headers, bytes, chunked });
      expect([status, body]).toEqual([400, expect.stringContaining(code)]);
    }
    expect(await rest.everything()).toEqual(before);
  });

  it('may be as large as the limit, however it comes', async () => {
    const bytes = Buffer.alloc(MAX_BYTES, 'x');
    const headers = { authorization: `Bearer ${API_KEY}` };
    for (const chunked of [false, true]) {
      const path = `/vault/Files/chunked-${chunked}.pdf?wait=0`;
      const { status } = await bySendingFirst(rest.served.url, { method: 'PUT', path, headers, bytes, chunked });
      expect(status).toBe(200);
    }
  });
});

describe('an upload that breaks off', () => {
  it.each([
    ['in its stated length', 'Content-Length: 1000', 'half of it'],
    ['between its chunks', 'Transfer-Encoding: chunked', 'a\r\nhalf of it\r\n'],
  ])('%s leaves nothing', async (_where, header, sent) => {
    const before = await rest.everything();
    const broken = () => rest.served.context.audit.read({ limit: 1000, outcome: 'invalid_request' }).length;
    for (const path of ['/vault/New/Files/new.pdf', `${LEASE}?overwrite`]) {
      const brokenBefore = broken();
      const socket = connect(Number(new URL(rest.served.url).port), '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      const head = [`PUT ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${API_KEY}`, header];
      socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`);
      // It is on its way under another name, and what stands there is as it was.
      await vi.waitFor(async () => expect(Object.keys(await rest.everything()).join()).toMatch(/\.vault-mcp-.*\.tmp/));
      socket.destroy();
      await vi.waitFor(() => expect(broken()).toBe(brokenBefore + 1));
      expect(await rest.everything()).toEqual(before);
    }
  });
});

describe('many at once', () => {
  it('of one name: one is filed, the same are unchanged, the others are told that it is taken', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `version ${i % 5}`);
    const answers = await Promise.all(texts.map((text) => put('/vault/New/Files/one.pdf?wait=0', text)));
    const outcomes = answers.map(({ body }) => String(body.status ?? body.code));
    const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
    expect([count('filed'), count('unchanged'), count('already_exists')]).toEqual([1, 3, 16]);
    expect(await rest.text('New/Files/one.pdf')).toBe(texts[outcomes.indexOf('filed')]);
    expect(Object.keys(await rest.everything()).filter((path) => path.startsWith('New/Files/'))).toHaveLength(1);
  });
});

describe('the surfaces that file nothing', () => {
  it('say how a document is filed', async () => {
    const answer = await overMcp('vault_write', { path: 'House/Files/x.pdf', content: 'x' });
    expect(answer).toMatch(/is_document: .* filed over REST: PUT \/vault\/<path>/);
  });
});
