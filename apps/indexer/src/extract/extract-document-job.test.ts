import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import type { JobName, JobPayload } from '@vault-mcp/shared/queue/jobs';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scannedPdf, textPdf } from '../../../../test/fixtures/pdf-files.ts';
import { type ExtractDocumentDeps, extractDocumentJob } from './extract-document-job.ts';

let root: string;
let added: { name: JobName; payload: JobPayload<JobName> }[];
let deps: ExtractDocumentDeps;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'extract-job-test-'));
  added = [];
  deps = {
    vault: await openVault(root, { docSuffixes: ['.pdf'] }),
    producer: {
      add: async (name, payload) => {
        added.push({ name, payload });
      },
    },
    logger: silentLogger(),
    settings: { ocr: false, ocrLanguages: ['eng'] },
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, bytes: Buffer): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

it('hands on the text of the document under the hash of its bytes', async () => {
  const sha256 = put(
    'Files/letter.pdf',
    await textPdf(['A letter about the roof and the gutters of the house next door.']),
  );
  await extractDocumentJob({ path: 'Files/letter.pdf', sha256 }, deps);
  expect(added).toEqual([
    {
      name: 'store-extraction',
      payload: expect.objectContaining({ path: 'Files/letter.pdf', sha256, status: 'extracted', pages: 1, detail: '' }),
    },
  ]);
});

it('hands on why there is no text', async () => {
  const sha256 = put('scan.pdf', await scannedPdf(['A scan']));
  await extractDocumentJob({ path: 'scan.pdf', sha256 }, deps);
  expect(added[0]?.payload).toMatchObject({ status: 'needs_ocr', detail: expect.stringContaining('vault.doc_ocr') });
});

it('names the bytes it read when the document was replaced meanwhile', async () => {
  const old = put('x.pdf', await textPdf(['The first version of a document that is long enough to be read.']));
  const now = put('x.pdf', await textPdf(['The second version of a document that is long enough to be read.']));
  await extractDocumentJob({ path: 'x.pdf', sha256: old }, deps);
  expect(added[0]?.payload).toMatchObject({ sha256: now, text: expect.stringContaining('second version') });
});

it('has nothing to hand on for a document that is gone', async () => {
  await extractDocumentJob({ path: 'gone.pdf', sha256: '0'.repeat(64) }, deps);
  expect(added).toEqual([]);
});

it('fails when the result cannot be handed on, so that the job runs again', async () => {
  const sha256 = put('y.pdf', await textPdf(['x']));
  const away = { ...deps, producer: { add: () => Promise.reject(new Error('the queue is away')) } };
  await expect(extractDocumentJob({ path: 'y.pdf', sha256 }, away)).rejects.toThrow('the queue is away');
});
