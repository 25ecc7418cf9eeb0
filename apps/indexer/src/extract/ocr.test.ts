import { expect, it } from 'vitest';
import { textImage } from '../../../../test/fixtures/pdf-files.ts';
import { OcrError, recognizeImage } from './ocr.ts';
import { missingForOcr } from './ocr-check.ts';

it('recognises the text of an image', async () => {
  expect(await recognizeImage(await textImage('Invoice 2026-0417'), 'eng')).toContain('Invoice 2026-0417');
});

it('takes no bytes for an image that do not begin like one: tesseract would follow them as a list of files', async () => {
  await expect(recognizeImage(Buffer.from('/etc/hostname\n'), 'eng')).rejects.toThrow(OcrError);
});

it('takes no language that is not a name', async () => {
  await expect(recognizeImage(await textImage('x'), 'eng; id')).rejects.toThrow(/language names/);
});

it('reports an image that only begins like one', async () => {
  const broken = (await textImage('x')).subarray(0, 60);
  await expect(recognizeImage(broken, 'eng')).rejects.toThrow(/^tesseract failed \(exit code \d+\)$/);
});

it.skipIf((await missingForOcr('deu')) !== null)('recognises German with its umlauts in German', async () => {
  expect(await recognizeImage(await textImage('Die Größe der Türöffnung'), 'deu')).toMatch(/Größe der Türöffnung/);
});
