// What is told of documents of which something, or all, could not be read, over REST and over MCP alike: a text that lacks
// pages says so, a page that was not read is not called blank, and each surface names its own next step.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, textImage, textPdf } from '../fixtures/pdf-files.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const WHY =
  'Some of its pages are scans, and OCR is off. Set vault.doc_ocr (DOC_OCR) to true and restart to have it read. Left out: page 2.';
const MIXED = '/vault/Files/mixed.pdf';

let served: ServedVault;
beforeAll(async () => {
  const [image, text] = [await textImage('The deed of the larder'), 'The brass key hangs in the larder. '.repeat(9)];
  const mixed = await build(4, (doc, page) => {
    if (page === 2) doc.image(image, 0, 0, { width: doc.page.width, height: doc.page.height });
    else if (page !== 3) doc.fontSize(12).text(text);
  });
  const files = { 'Files/mixed.pdf': mixed, 'Files/broken.pdf': 'no PDF in truth' };
  served = await serveVault(files, { 'vault.doc_ocr': false });
});
afterAll(() => served.close());

const errorOf = async (path: string, from = served) =>
  ((await (await from.get(path)).json()) as { error: string }).error;

/** @returns the text of a tool's answer, be it one or a refusal */
async function overMcp(name: string, args: Record<string, unknown>, from = served): Promise<string> {
  const answer = await from.get('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const [, json = ''] = /(\{"(?:jsonrpc|result).*\})/.exec(await answer.text()) ?? [];
  return (JSON.parse(json) as { result: { content: { text: string }[] } }).result.content[0]?.text ?? '';
}

describe('a document with a page that is a scan nobody read', () => {
  it('says so beside its text', async () => {
    const answer = await served.get(MIXED);
    expect([answer.status, answer.headers.get('x-vault-extraction'), answer.headers.get('x-vault-detail')]).toEqual([
      ...[200, 'extracted', WHY],
    ]);
    expect(await answer.text()).toContain('brass key');
    expect(await overMcp('vault_read', { path: 'Files/mixed.pdf' })).toContain(`| ${WHY}\n\n`);
  });

  it('does not call that page blank', async () => {
    const told = `Page 2 of "Files/mixed.pdf" is a scan that was left out. ${WHY} Pages with text: 1, 4.`;
    expect(await errorOf(`${MIXED}?section=Page%202`)).toBe(told);
    expect(await overMcp('vault_read', { path: 'Files/mixed.pdf', section: 'Page 2' })).toBe(
      `no_such_heading: ${told}`,
    );
  });

  it('is mapped as one that has text of its own, as text too', async () => {
    const line = /Extraction: extracted with a text layer, \d+ characters\. Some of its pages/;
    expect(await (await served.get(`${MIXED}?map`)).text()).toMatch(line);
    expect(await overMcp('vault_map', { path: 'Files/mixed.pdf' })).toMatch(line);
  });
});

describe('a document on which nothing stands', () => {
  let recognised: ServedVault;
  beforeAll(async () => {
    // Blank to the eye of OCR, too.
    recognised = await serveVault({ 'Files/blank.pdf': await textPdf(['', '']) });
  });
  afterAll(() => recognised.close());

  it('says what to do, and does not send from a page to the map and back', async () => {
    const next = /Open the document itself, and say in a note/;
    expect((await recognised.get('/vault/Files/blank.pdf')).headers.get('x-vault-detail')).toMatch(next);
    expect(await (await recognised.get('/vault/Files/blank.pdf?map')).text()).toMatch(next);
    const page = await errorOf('/vault/Files/blank.pdf?section=Page%202', recognised);
    expect(page).toMatch(next);
    expect(page).not.toContain('?map');
    const asked = { path: 'Files/blank.pdf', section: 'Page 2' };
    expect(await overMcp('vault_read', asked, recognised)).toBe(`no_such_heading: ${page}`);
  });
});

describe('a document that could not be read', () => {
  it('has no page, and over MCP that is told in the words of its tools', async () => {
    expect(await errorOf('/vault/Files/broken.pdf?section=Page%201')).toMatch(/\?raw is the document itself\.$/);
    const refused = await overMcp('vault_read', { path: 'Files/broken.pdf', section: 'Page 1' });
    expect(refused).toMatch(/^extraction_failed: .*vault_map says/);
    expect(refused).not.toMatch(/\?raw|\?map|\.\)\./);
  });
});
