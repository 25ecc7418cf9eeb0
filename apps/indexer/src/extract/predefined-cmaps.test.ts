import { expect, it } from 'vitest';
import { rawPdf } from '../../../../test/fixtures/pdf-files.ts';
import { extractDocument } from './extract.ts';

const SENTENCE = '契約書には家の屋根と雨どいの修理に関する取り決めがすべて記されている。';

/** Codes of a character set that only the parser's own data knows: the file holds neither font nor table. */
function japanesePdf(lines: number): Buffer {
  const codes = Buffer.from(SENTENCE, 'utf16le').swap16().toString('hex');
  const content = `BT /F1 12 Tf 14 TL 40 780 Td ${`<${codes}> Tj T* `.repeat(lines)}ET`;
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UTF16-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /DW 1000 /FontDescriptor 7 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>',
    '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 859 /Descent -140 /CapHeight 700 /StemV 90 >>',
  ]);
}

it('reads text whose codes only the parser’s own tables explain', async () => {
  const found = await extractDocument(
    { bytes: japanesePdf(3), suffix: '.pdf' },
    { ocr: false, languages: ['eng'], maxBytes: 0 },
  );
  expect(found).toMatchObject({ status: 'extracted', detail: '' });
  expect(found.text.replaceAll(/\s/g, '')).toContain(SENTENCE.repeat(3));
});
