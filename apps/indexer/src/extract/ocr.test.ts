import { expect, it } from 'vitest';
import { textImage } from '../../../../test/fixtures/pdf-files.ts';
import { missingForOcr, OcrError, recognizeImage } from './ocr.ts';

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

it('misses nothing for English on a machine that runs the tests', async () => {
  expect(await missingForOcr('eng')).toBeNull();
});

it('names what is missing and the packages that have it', async () => {
  expect(await missingForOcr('eng+zzz+xxx_yyy')).toMatch(/zzz, xxx_yyy\..*tesseract-ocr-zzz tesseract-ocr-xxx-yyy/);
});
