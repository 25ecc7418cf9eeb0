/** Scans that are filed over REST into the composed product: the api stores them, the indexer's tesseract reads them. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, scannedPdf, textImage } from '../fixtures/pdf-files.ts';
import { withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';

/** Minutes of reading, so that it goes on while a note is written and found. */
const LONG_PAGES = 60;
const PER_PAGE = 40;
/** A language whose data the images do not have. */
const ABSENT = 'kat';

describe.skipIf(!withContainers)('a scan that is filed over REST', () => {
  let project: Project;
  beforeAll(async () => {
    project = await startProject({ vault: { 'Home.md': '# Home\n\nThe chimney was swept.\n' } });
    await project.untilReady();
  });
  afterAll(() => project?.down());

  it('is stored for the owner of the vault, and found by its words with document and page', async () => {
    const path = 'Garden/Files/harvest.pdf';
    // As much on each page as makes a passage of its own.
    const texts = ['The gooseberries were picked early. ', 'The parsnips were dug out late. '];
    const scan = await bytesOf(scannedPdf(texts.map((text) => text.repeat(PER_PAGE))));
    const { status, body } = await project.call('PUT', `/vault/${path}?wait=25`, scan);
    expect([status, body]).toEqual([200, expect.objectContaining({ path, status: 'filed', size: scan.length })]);
    // A slow machine may need longer than the call waits.
    expect(['ocr', 'pending']).toContain(body.extraction);

    await project.untilFound('parsnips', path);
    const { results } = (await project.get('/search?q=parsnips')).body as { results: Record<string, unknown>[] };
    expect(results[0]).toMatchObject({ path, kind: 'document', breadcrumb: 'Page 2' });
    const facts = { extraction: 'ocr', pages: 2, has_text_layer: false };
    expect((await project.get(`/vault/${path}?map`)).body).toMatchObject(facts);
    const again = await project.call('PUT', `/vault/${path}`, scan);
    expect(again.body).toMatchObject({ status: 'unchanged', ...facts, indexed: 'indexed' });

    const stored = join(project.vaultPath, path);
    expect(await readFile(stored)).toEqual(Buffer.from(scan));
    expect(await stat(stored)).toMatchObject({ uid: 1000, gid: 1000 });
  });

  it('keeps no note waiting, however long it is', async () => {
    const path = 'Garden/Files/ledger.pdf';
    const picture = await textImage('The gutters of the house next door leak. '.repeat(20));
    const long = build(LONG_PAGES, (doc) => {
      doc.image(picture, 0, 0, { width: doc.page.width, height: doc.page.height });
    });
    const filed = await project.call('PUT', `/vault/${path}?wait=0`, await bytesOf(long));
    expect(filed).toMatchObject({ status: 200, body: { status: 'filed', extraction: 'pending' } });
    await project.until(async () => {
      const { output } = await project.exec('indexer', 'sh', '-c', 'cat /proc/[0-9]*/comm');
      return output.includes('tesseract');
    }, 'the scan to be read');

    const { body } = await project.call('PUT', '/vault/Pantry/Jam.md?wait=indexed', 'Quince jelly.\n');
    expect(body.indexed).toBe('indexed');
    expect((await project.search('quince'))[0]).toBe('Pantry/Jam.md');
    expect((await project.get(`/vault/${path}?map`)).body).toMatchObject({ extraction: 'pending' });
  });
});

describe.skipIf(!withContainers)('a scan in a language that is not installed', () => {
  let project: Project;
  beforeAll(async () => {
    project = await startProject({
      settings: { EMBED_PROVIDER: 'lexical', WATCH_DEBOUNCE_SECONDS: '0.1', DOC_OCR_LANGUAGES: `eng,${ABSENT}` },
    });
    await project.untilReady();
  });
  afterAll(() => project?.down());

  it('is stored, and says that it needs OCR, and what is missing', async () => {
    const path = 'Files/letter.pdf';
    const scan = await bytesOf(scannedPdf(['THE PARSNIPS WERE DUG OUT LATE']));
    const filed = await project.call('PUT', `/vault/${path}?wait=25`, scan);
    expect(filed).toMatchObject({ status: 200, body: { status: 'filed' } });
    expect(['needs_ocr', 'pending']).toContain(filed.body.extraction);

    const map = async () => (await project.get(`/vault/${path}?map`)).body;
    await project.until(async () => (await map()).extraction !== 'pending', 'the scan to be looked at');
    expect(await map()).toMatchObject({
      extraction: 'needs_ocr',
      detail: expect.stringContaining(`tesseract-ocr-${ABSENT}`),
      pages: 1,
      extracted_chars: 0,
    });
    expect(await readFile(join(project.vaultPath, path))).toEqual(Buffer.from(scan));
    expect((await project.get('/readyz')).body.index).toMatchObject({ state: 'ready', documents: 1, quarantined: 0 });
  });
});

async function bytesOf(pdf: Promise<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await pdf);
}
