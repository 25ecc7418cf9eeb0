// A filed document's own bytes over REST, whole and in parts, as viewers and download programs ask for them.
import { expect, it } from 'vitest';
import { textPdf } from '../fixtures/pdf-files.ts';
import { restWritingSuite } from '../support/rest-writing.ts';
import { API_KEY } from '../support/served-vault.ts';

const pdf = await textPdf(['The brass key hangs in the larder. So it does, and has for years.']);
const KEYS = Array.from({ length: 250 }, (_, n) => String(n).padStart(4, '0')).join('');
const last = KEYS.length - 1;
const rest = restWritingSuite({ 'Files/keys.pdf': KEYS });

const raw = (range: string): Promise<Response> =>
  fetch(`${rest.served.url}/vault/Files/keys.pdf?raw`, { headers: { authorization: `Bearer ${API_KEY}`, range } });

it('a document is served as what it is, byte for byte', async () => {
  const put = await rest.ask('PUT', '/vault/Files/lease.pdf', { body: new Uint8Array(pdf) });
  expect(put.status).toBe(200);
  const answer = await fetch(`${rest.served.url}/vault/Files/lease.pdf?raw`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(pdf.length),
    'accept-ranges': 'bytes',
  });
  expect(Buffer.from(await answer.arrayBuffer()).equals(pdf)).toBe(true);
});

it.each([
  ['bytes=0-4', 0, 4],
  ['bytes=-6', last - 5, last],
  [`bytes=${last - 3}-`, last - 3, last],
  [`bytes=10-${last + 1_000}`, 10, last],
])('a part of it is served: %s', async (range, from, to) => {
  const answer = await raw(range);
  expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${KEYS.length}`]);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(await answer.text()).toBe(KEYS.slice(from, to + 1));
});

it('a part that is not there is refused, with the size there is', async () => {
  const answer = await raw(`bytes=${KEYS.length}-`);
  expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${KEYS.length}`]);
});
