// What becomes of a document that somebody sends to be added to a note, or to change one, over a socket: whatever the body is
// and says of itself, the answer is that documents are filed, and how.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, it } from 'vitest';
import { textPdf } from '../fixtures/pdf-files.ts';
import { restWritingSuite } from '../support/rest-writing.ts';

const rest = restWritingSuite({ 'House/Files/lease.pdf': 'the lease' }, { 'vault.note_max_bytes': 500 });

let pdf: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  pdf = new Uint8Array(await textPdf(['The brass key hangs in the larder.']));
});

const form = () => {
  const data = new FormData();
  data.append('file', new Blob([pdf], { type: 'application/pdf' }), 'lease.pdf');
  return data;
};

type Sent = Omit<RequestInit, 'method'>;
const SENT: [what: string, init: () => Sent][] = [
  ['a PDF that says nothing of itself', () => ({ body: pdf })],
  ['a PDF that says what it is', () => ({ body: pdf, headers: { 'content-type': 'application/pdf' } })],
  ['a PDF as JSON', () => ({ body: pdf, headers: { 'content-type': 'application/json' } })],
  ['a PDF that is packed', () => ({ body: pdf, headers: { 'content-encoding': 'gzip' } })],
  ['a PDF in a form', () => ({ body: form() })],
  ['text', () => ({ body: 'x', headers: { 'content-type': 'text/markdown' } })],
  ['an instruction', () => ({ body: '{"operation":"append"}', headers: { 'content-type': 'application/json' } })],
  ['nothing', () => ({})],
];
const NEXT = /can be read, moved and deleted, not edited\. .* PUT \/vault\/<path>, with \?overwrite=true/;

describe.each(['POST', 'PATCH'])('%s', (method) => {
  it.each(SENT)('of %s is told that a document is filed, be one there or not', async (_what, init) => {
    for (const name of ['lease', 'new']) {
      await rest.refused(() => rest.ask(method, `/vault/House/Files/${name}.pdf`, init()), 'is_document', NEXT);
    }
  });

  it('tells first what is protected, and what lies behind a link', async () => {
    await symlink('/etc', join(rest.served.vaultPath, 'linked'));
    const ask = (path: string) => () => rest.ask(method, path, { body: pdf });
    await rest.refused(ask('/vault/.git/lease.pdf'), 'invalid_path', /protected/);
    await rest.refused(ask('/vault/linked/lease.pdf'), 'invalid_path', /link/);
  });

  it('still says of a note that its text is no text', async () => {
    const headers = { 'content-type': 'application/pdf' };
    await rest.refused(() => rest.ask(method, '/vault/Note.md', { body: pdf, headers }), 'invalid_request', /a note/);
  });
});

describe('a server that changes nothing', () => {
  const readOnly = restWritingSuite({ 'House/Files/lease.pdf': 'the lease' }, { 'server.read_only': true });

  it('says that, and not how a document would be filed', async () => {
    const ask = () => readOnly.ask('POST', '/vault/House/Files/lease.pdf', { body: pdf });
    await readOnly.refused(ask, 'out_of_scope', /read-only/);
  });
});
