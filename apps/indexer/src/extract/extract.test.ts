/**
 * Real documents through the real, compiled extraction program, and a real tesseract.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vaultSection } from '@vault-mcp/shared/config/sections/vault';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pagePdf, pdfWithoutPages, rawPdf, scannedPdf, textPdf } from '../../../../test/fixtures/pdf-files.ts';
import { type DocumentReading, type ExtractOptions, extractDocument } from './extract.ts';
import { areOcrLanguages } from './extraction.ts';

const EXAMPLE = fileURLToPath(
  new URL('../../../../examples/vault/Files/kestrel-home-policy-2026.pdf', import.meta.url),
);
const SENTENCE = 'The quick brown fox jumps over the lazy dog while the harbour sleeps in the morning fog.';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'extract-test-'));
  try {
    execFileSync('tesseract', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error('These tests need tesseract: apt-get install tesseract-ocr tesseract-ocr-eng');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A zombie counts as gone: it runs no more. */
function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'latin1'));
}

const DEFAULTS: ExtractOptions = { ocr: true, languages: ['eng'], maxBytes: 0 };

async function extract(bytes: Uint8Array, options: Partial<ExtractOptions> = {}): Promise<DocumentReading> {
  return await extractDocument({ bytes, suffix: '.pdf' }, { ...DEFAULTS, ...options });
}

async function extractFile(path: string, options: Partial<ExtractOptions> = {}): Promise<DocumentReading> {
  const descriptor = openSync(path, 'r');
  try {
    return await extractDocument({ descriptor, suffix: '.pdf' }, { ...DEFAULTS, ...options });
  } finally {
    closeSync(descriptor);
  }
}

describe('a document with a text layer', () => {
  it('is read page by page, from an open file', async () => {
    const seen: string[] = [];
    const found = await extractFile(EXAMPLE, {
      onProgress: (page, pages, step) => seen.push(`${step} ${page}/${pages}`),
    });
    expect(found).toMatchObject({ status: 'extracted', pages: 3, has_text_layer: true, detail: '' });
    expect(found.text.match(/^## Page \d$/gm)).toEqual(['## Page 1', '## Page 2', '## Page 3']);
    expect(found.text).toContain('###### Endorsements\n\nF2 Flood');
    expect(found.extracted_chars).toBe(found.text.length);
    expect(found.sha256).toBe(createHash('sha256').update(readFileSync(EXAMPLE)).digest('hex'));
    expect(seen).toEqual(['text 1/3', 'text 2/3', 'text 3/3']);
  });

  it('gives the same from its bytes', async () => {
    expect(await extract(readFileSync(EXAMPLE))).toEqual(await extractFile(EXAMPLE));
  });

  it('has no unit for a page without text, and keeps the numbers of the others', async () => {
    const found = await extract(await textPdf([SENTENCE.repeat(3), '', SENTENCE]));
    expect(found).toMatchObject({ status: 'extracted', pages: 3 });
    expect(found.text.match(/^## Page \d$/gm)).toEqual(['## Page 1', '## Page 3']);
  });

  it('needs no password for one that only forbids printing', async () => {
    const found = await extract(
      await textPdf([SENTENCE], { ownerPassword: 'owner', permissions: { printing: 'lowResolution' } }),
    );
    expect(found.status).toBe('extracted');
    expect(found.text).toContain('quick brown fox');
  });

  it('is read even when its table of contents was cut off: the structure is rebuilt', async () => {
    const whole = await textPdf([SENTENCE]);
    const found = await extract(whole.subarray(0, whole.lastIndexOf('xref')));
    expect(found).toMatchObject({ status: 'extracted', text: expect.stringContaining('quick brown fox') });
  });
});

describe('a scan', () => {
  it('is recognised by tesseract, one unit per page', async () => {
    const seen: string[] = [];
    const found = await extract(await scannedPdf([SENTENCE, 'Invoice 2026-0417 for one heat pump']), {
      onProgress: (page, pages, step) => seen.push(`${step} ${page}/${pages}`),
    });
    expect(seen).toEqual(['text 1/2', 'text 2/2', 'ocr 1/2', 'ocr 2/2']);
    expect(found).toMatchObject({ status: 'ocr', pages: 2, has_text_layer: false, detail: '' });
    expect(found.text).toMatch(/## Page 1\n\n[^#]*quick brown fox[^#]*\n\n## Page 2\n\n[^#]*Invoice 2026-0417/);
  });

  it('with nothing on its pages has no text', async () => {
    expect(await extract(await textPdf(['', '']))).toMatchObject({ status: 'no_text', text: '', pages: 2, detail: '' });
  });

  it('needs OCR when OCR is switched off, and says where', async () => {
    const found = await extract(await scannedPdf([SENTENCE]), { ocr: false });
    expect(found).toMatchObject({
      status: 'needs_ocr',
      text: '',
      pages: 1,
      detail: expect.stringContaining('vault.doc_ocr'),
    });
  });

  it('needs OCR when tesseract is not installed, and names the package', async () => {
    const nowhere = join(folder, 'empty-path');
    mkdirSync(nowhere);
    const found = await extract(await scannedPdf([SENTENCE]), { environment: { PATH: nowhere } });
    expect(found).toMatchObject({ status: 'needs_ocr', detail: expect.stringContaining('tesseract-ocr') });
  });

  it('needs OCR when a language is not installed, and names its package', async () => {
    const found = await extract(await scannedPdf([SENTENCE]), { languages: ['eng', 'zzz_frak'] });
    expect(found).toMatchObject({ status: 'needs_ocr', detail: expect.stringContaining('tesseract-ocr-zzz-frak') });
  });

  it('keeps the little text it has when it cannot be recognised', async () => {
    const found = await extract(await textPdf(['Page 1 of 1']), { ocr: false });
    expect(found).toMatchObject({ status: 'needs_ocr', has_text_layer: false });
    expect(found.text).toContain('Page 1 of 1');
  });

  it('of a page as large as a house is recognised at a size that fits', async () => {
    const content = Buffer.from('BT /F1 900 Tf 200 8000 Td (HARBOUR) Tj ET');
    const found = await extract(pagePdf(content, [14_400, 14_400]));
    expect(found).toMatchObject({ status: 'ocr', detail: '' });
    expect(found.text).toContain('HARBOUR');
  });

  it('whose page has no usable size is not rendered, and keeps the text it has', async () => {
    const found = await extract(pagePdf(Buffer.from('BT /F1 9 Tf (x) Tj ET'), [14_400, 0.01]));
    expect(found).toMatchObject({ status: 'needs_ocr', detail: expect.stringContaining('page 1') });
    expect(found.text).toContain('x');
  });
});

describe('a tesseract that misbehaves', () => {
  /** @returns an environment whose tesseract runs these shell lines on every image */
  function withTesseract(...lines: string[]): { environment: Record<string, string>; home: string } {
    const home = mkdtempSync(join(folder, 'tesseract-'));
    const listing = 'if [ "$1" = --list-langs ]; then echo eng; exit 0; fi';
    writeFileSync(join(home, 'tesseract'), ['#!/bin/sh', listing, ...lines, ''].join('\n'), { mode: 0o755 });
    return { environment: { PATH: `${home}:/usr/bin:/bin` }, home };
  }

  it('and ends without reading its image costs the page, not the process', async () => {
    const { environment } = withTesseract('exit 3');
    const found = await extract(await scannedPdf([SENTENCE, SENTENCE]), { environment });
    expect(found).toMatchObject({ status: 'needs_ocr', pages: 2 });
    expect(found.detail).toMatch(/^page 1 could not be recognised \(tesseract failed \(exit code 3\)\); page 2 /);
  });

  it('and fails on every page is not tried on all of them', async () => {
    const { environment, home } = withTesseract('echo page >> "$(dirname "$0")/tried"', 'exit 3');
    const found = await extract(await scannedPdf(Array.from({ length: 6 }, () => SENTENCE)), { environment });
    expect(found).toMatchObject({ status: 'needs_ocr', pages: 6 });
    expect(found.detail).toContain('page 4 was not recognised (tesseract had failed on all before)');
    expect(readFileSync(join(home, 'tried'), 'utf8')).toBe('page\n'.repeat(3));
  });

  it.each([
    ['is killed', 'cat > /dev/null; kill -9 $$', 'tesseract was killed (SIGKILL)'],
    ['answers garbage', 'cat > /dev/null; head -c 3000 /dev/urandom', 'tesseract answered something that is no text'],
  ])('and %s costs the page', async (_how, lines, reason) => {
    const { environment } = withTesseract(lines);
    const found = await extract(await scannedPdf([SENTENCE]), { environment });
    expect(found).toMatchObject({ status: 'needs_ocr', text: '', detail: expect.stringContaining(reason) });
  });

  it('and answers without end costs the page', async () => {
    const { environment } = withTesseract('cat > /dev/null', 'yes "all work and no play"');
    const found = await extract(await scannedPdf([SENTENCE]), { environment });
    expect(found).toMatchObject({
      status: 'needs_ocr',
      detail: expect.stringContaining('more text than a page can hold'),
    });
  });

  it('and hangs is ended with the extraction', async () => {
    const { environment, home } = withTesseract(`echo $$ > "$(dirname "$0")/pid"`, 'exec sleep 600');
    const caller = new AbortController();
    const running = extract(await scannedPdf([SENTENCE]), { environment, signal: caller.signal });
    const noted = join(home, 'pid');
    const pid = await vi.waitUntil(() => existsSync(noted) && Number(readFileSync(noted, 'utf8')), { timeout: 60_000 });
    caller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await vi.waitUntil(() => !isRunning(pid), { timeout: 60_000 });
  });
});

describe('a document that cannot be read', () => {
  it.each([
    ['empty', async () => Buffer.alloc(0), /empty/],
    ['no PDF at all', async () => Buffer.from('hello, this is a letter\n'.repeat(50)), /damaged or not a PDF/],
    ['zero bytes', async () => Buffer.alloc(4096), /damaged or not a PDF/],
    ['cut off after its header', async () => (await textPdf([SENTENCE])).subarray(0, 40), /damaged or not a PDF/],
    ['without pages', async () => pdfWithoutPages(), /no pages|damaged/],
    ['without a catalogue', async () => rawPdf(['<< /Nothing true >>']), /damaged/],
    ['protected by a password', async () => await textPdf([SENTENCE], { userPassword: 'secret' }), /password/],
  ])('is failed with the reason: %s', async (_what, make, reason) => {
    const found = await extract(await make());
    expect(found).toMatchObject({ status: 'failed', text: '', extracted_chars: 0, has_text_layer: false });
    expect(found.interrupted).toBe(false);
    expect(found.detail).toMatch(reason);
  });

  it('is failed when larger than allowed, without being read', async () => {
    const found = await extractFile(EXAMPLE, { maxBytes: 1_000 });
    expect(found).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('vault.doc_max_bytes allows 1000'),
    });
  });

  it('is failed when it inflates beyond the memory allowed', async () => {
    const limits = { residentBytes: 140 * 1024 ** 2 };
    const bomb = pagePdf(Buffer.alloc(60 * 1024 ** 2, 'q Q '));
    expect(bomb.length).toBeLessThan(100_000);
    const found = await extract(bomb, { limits });
    expect(found).toMatchObject({ status: 'failed', detail: expect.stringContaining('140 MiB of memory') });
    // Another machine may have that memory: nothing is said of these bytes.
    expect(found).toMatchObject({ interrupted: true, sha256: '' });
    // The limit is not what an ordinary document needs.
    expect(await extract(await textPdf([SENTENCE]), { limits })).toMatchObject({ status: 'extracted' });
  });

  it('is failed when one page keeps the parser busy too long', async () => {
    const found = await extract(pagePdf(Buffer.alloc(100 * 1024 ** 2, '(x) Tj ')), { limits: { stepSeconds: 1 } });
    expect(found).toMatchObject({ status: 'failed', detail: expect.stringContaining('over one page') });
  });
});

describe('damage', () => {
  it('that the parser meets while it looks ahead does not end the process, which goes on to recognise', async () => {
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>';
    const pages = '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>';
    const whole = rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', pages, page, page]).toString('latin1');
    // Both pages begin elsewhere than the table says.
    const shifted = whole.replace(/^(\d{10})( 00000 n \n)/gm, (entry, offset, rest) =>
      Number(offset) < whole.indexOf('3 0 obj') ? entry : `${String(Number(offset) + 5).padStart(10, '0')}${rest}`,
    );
    expect(await extract(Buffer.from(shifted, 'latin1'))).toMatchObject({ status: 'no_text', interrupted: false });
  });

  it('of any kind is a result with a reason, never an exception', async () => {
    const whole = await textPdf([SENTENCE, SENTENCE], { compress: false });
    for (let seed = 1; seed <= 12; seed++) {
      const damaged = Buffer.from(whole);
      for (let hit = 0; hit < 30; hit++)
        damaged[(seed * 7919 + hit * 104_729) % damaged.length] = (seed * 31 + hit) % 256;
      const found = await extract(damaged, { ocr: false });
      if (found.status === 'failed') expect(found.detail).not.toBe('');
      else expect(found.pages).toBeGreaterThan(0);
    }
  });
});

describe('what is no document’s fault', () => {
  it('is thrown: a suffix nothing can read', async () => {
    const source = { bytes: Buffer.from('x'), suffix: '.docx' };
    await expect(extractDocument(source, DEFAULTS)).rejects.toMatchObject({ code: 'unsupported_suffix' });
  });

  it('is thrown: an open file that cannot be read', async () => {
    await expect(extractFile(folder)).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('EISDIR'),
    });
  });

  it.each([['eng; touch owned'], ['$(id)'], ['eng -c x=y'], ['../eng'], ['ENG'], ['']])(
    'is a language that is no name: %s is refused before anything runs',
    async (language) => {
      await expect(extract(Buffer.alloc(1), { languages: [language] })).rejects.toMatchObject({
        code: 'invalid_value',
      });
    },
  );
});

it('takes just the languages that the configuration takes', () => {
  const accepts = (languages: string[]) => vaultSection.shape.doc_ocr_languages.safeParse(languages).success;
  const names = fc.stringMatching(/^[a-z]{2,4}(_[a-z]{0,9}){0,3}$/);
  fc.assert(fc.property(names, (name) => areOcrLanguages(name) === accepts([name])));
  for (const name of ['eng', 'chi_tra_vert', 'abc_abcdefgh_x']) expect(areOcrLanguages(`deu+${name}`)).toBe(true);
  expect(accepts([])).toBe(false);
});
