import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLogger, silentLogger } from '@vault-mcp/shared/log';
import type { JobName, JobPayload, JobProgress } from '@vault-mcp/shared/queue/jobs';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pagePdf, scannedPdf, textPdf } from '../../../../test/fixtures/pdf-files.ts';
import { asVault } from '../../../../test/support/as-vault.ts';
import { type ExtractDocumentDeps, extractDocumentJob, type HandOnJob } from './extract-document-job.ts';
import { extractionDigest } from './extraction-digest.ts';
import { createHandBackLog } from './hand-back-log.ts';
import { createOcrReadiness } from './ocr-readiness.ts';

const NO_HASH = '0'.repeat(64);

let root: string;
/** A document in a folder outside of the vault. */
let outside: string;
let added: { name: JobName; payload: JobPayload<JobName> }[];
let deps: ExtractDocumentDeps;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'extract-job-test-'));
  outside = join(mkdtempSync(join(tmpdir(), 'extract-job-outside-')), 'letter.pdf');
  writeFileSync(outside, await textPdf(['What nobody may read: a secret that is long enough to count as text.']));
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
afterEach(() => {
  for (const folder of [root, dirname(outside)]) rmSync(folder, { recursive: true, force: true });
});

/** A job in hand; `rests` notes what the handler asked of its consumer. */
function alone(rests: number[] = [], told: JobProgress[] = []): HandOnJob {
  return {
    signal: new AbortController().signal,
    rest: (ms) => void rests.push(ms),
    report: (progress) => void told.push(progress),
  };
}

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
  await extractDocumentJob({ path: 'Files/letter.pdf', sha256 }, deps, alone());
  expect(added).toEqual([
    {
      name: 'store-extraction',
      payload: expect.objectContaining({ path: 'Files/letter.pdf', sha256, status: 'extracted', pages: 1, detail: '' }),
    },
  ]);
});

it('tells how far it has come, from the moment the document is open', async () => {
  const sha256 = put(
    'two.pdf',
    await textPdf(Array.from({ length: 2 }, () => 'A page of a letter about the roof. '.repeat(3))),
  );
  const told: JobProgress[] = [];
  await extractDocumentJob({ path: 'two.pdf', sha256 }, deps, alone([], told));
  expect(told).toEqual([
    { step: 'text', page: 0, pages: 0 },
    { step: 'text', page: 1, pages: 2 },
    { step: 'text', page: 2, pages: 2 },
  ]);
});

it('hands on why there is no text', async () => {
  const sha256 = put('scan.pdf', await scannedPdf(['A scan']));
  await extractDocumentJob({ path: 'scan.pdf', sha256 }, deps, alone());
  expect(added[0]?.payload).toMatchObject({ status: 'needs_ocr', detail: expect.stringContaining('vault.doc_ocr') });
});

it('names the bytes it read when the document was replaced meanwhile', async () => {
  const old = put('x.pdf', await textPdf(['The first version of a document that is long enough to be read.']));
  const now = put('x.pdf', await textPdf(['The second version of a document that is long enough to be read.']));
  await extractDocumentJob({ path: 'x.pdf', sha256: old }, deps, alone());
  expect(added[0]?.payload).toMatchObject({ sha256: now, text: expect.stringContaining('second version') });
});

it.each([
  ['is gone', () => {}],
  ['became a symbolic link', () => symlinkSync(outside, join(root, 'x.pdf'))],
  ['became a named pipe', () => execFileSync('mkfifo', [join(root, 'x.pdf')])],
  ['became a folder', () => mkdirSync(join(root, 'x.pdf'))],
])('has nothing to hand on for a document that %s', async (_how, become) => {
  become();
  await extractDocumentJob({ path: 'x.pdf', sha256: NO_HASH }, deps, alone());
  expect(added).toEqual([]);
});

// Without /proc a path is all there is to open by: see open-leaf.ts.
it.runIf(existsSync('/proc/self/fd'))('never follows a folder that is swapped for a link after the look', async () => {
  put('Files/letter.pdf', await textPdf(['What the vault holds, long enough to count as a layer of text.']));
  const swapping = asVault({
    ...deps.vault,
    async locate(path, options) {
      const found = await deps.vault.locate(path, options);
      rmSync(join(root, 'Files'), { recursive: true });
      symlinkSync(dirname(outside), join(root, 'Files'));
      return found;
    },
  });
  await extractDocumentJob({ path: 'Files/letter.pdf', sha256: NO_HASH }, { ...deps, vault: swapping }, alone());
  expect(added).toEqual([]);
});

it('files a reading that was ended under the bytes in hand, and says that it was ended', async () => {
  const old = put('x.pdf', await textPdf(['The first version']));
  const now = put('x.pdf', pagePdf(Buffer.alloc(60 * 1024 ** 2, 'q Q ')));
  const settings = { ...deps.settings, limits: { residentBytes: 140 * 1024 ** 2 } };
  await extractDocumentJob({ path: 'x.pdf', sha256: old }, { ...deps, settings }, alone());
  expect(added[0]?.payload).toMatchObject({ sha256: now, status: 'failed', interrupted: true });
});

it('fails when the result cannot be handed on, so that the job runs again', async () => {
  const sha256 = put('y.pdf', await textPdf(['x']));
  const away = { ...deps, producer: { add: () => Promise.reject(new Error('the queue is away')) } };
  await expect(extractDocumentJob({ path: 'y.pdf', sha256 }, away, alone())).rejects.toThrow('the queue is away');
});

/** Reasons and causes are said to a log of the test's own. */
const lines: { msg: string; reason?: string }[] = [];
const logger = createLogger({
  ...{ name: 'test', level: 'info' },
  destination: { write: (line) => void lines.push(JSON.parse(line)) },
});

describe('a worker apart from the writer', () => {
  const elsewhere = (changes: Partial<ExtractDocumentDeps> = {}): ExtractDocumentDeps => {
    lines.length = 0;
    const all = { ...deps, ...changes };
    const ocr = createOcrReadiness({ ...all.settings, logger, elsewhere: true });
    return { ...all, elsewhere: { ocr, log: createHandBackLog(logger) } };
  };
  const handedOn = (at: number) => (added[at] as { payload: JobPayload<'store-extraction'> }).payload;

  it('reads the document that the job names', async () => {
    const sha256 = put('z.pdf', await textPdf(['A letter that is long enough to count as a layer of text.']));
    await extractDocumentJob({ path: 'z.pdf', sha256 }, elsewhere(), alone());
    expect(added[0]?.payload).toMatchObject({ sha256, status: 'extracted' });
  });

  it.each([
    ['is not there yet', 'does not have it', () => {}],
    ['is older there', 'other bytes', () => void put('z.pdf', Buffer.from('%PDF-1.4 of yesterday'))],
    ['is a folder there', 'does not have it', () => mkdirSync(join(root, 'z.pdf'))],
  ])(
    'hands one back that %s, and says what to do, instead of reading what nobody asked for',
    async (_how, why, arrange) => {
      arrange();
      const rests: number[] = [];
      await extractDocumentJob({ path: 'z.pdf', sha256: NO_HASH }, elsewhere(), alone(rests));
      const payload = {
        path: 'z.pdf',
        sha256: NO_HASH,
        status: 'failed',
        interrupted: true,
        retry: expect.any(String),
      };
      expect(added).toEqual([{ name: 'store-extraction', payload }]);
      for (const said of [why, 'mounted']) expect(handedOn(0).retry).toContain(said);
      // Or it would be the one to take it again.
      expect(rests).toHaveLength(1);
    },
  );

  // A file that is there, and whose reading fails as on a mount that does.
  const unreadable = async () => elsewhere({ vault: await openVault('/proc/self', { docSuffixes: ['.pdf'] }) });

  it.runIf(existsSync('/proc/self/mem'))('hands one back whose bytes cannot be read', async () => {
    await extractDocumentJob({ path: 'mem', sha256: NO_HASH }, await unreadable(), alone());
    expect(handedOn(0).retry).toMatch(/may not read it in its vault, or its mount fails\. Check/);
  });

  it.runIf(existsSync('/proc/self/mem'))(
    'tells the caller neither its name, nor where its vault is, nor the error of its system: its log has them',
    async () => {
      for (const one of [elsewhere(), await unreadable()]) {
        await extractDocumentJob({ path: 'mem', sha256: NO_HASH }, one, alone());
        for (const secret of [hostname(), root, '/proc', 'EIO'])
          expect(handedOn(added.length - 1).retry).not.toContain(secret);
      }
      expect(lines).toMatchObject([
        { hostname: hostname(), reason: `mem: not in ${deps.vault.root}` },
        { hostname: hostname(), reason: expect.stringMatching(/^mem: cannot be read in \/proc\/\d+: .*EIO/) },
      ]);
    },
  );

  it('hands a scan back that it has no tesseract for with what can be read without, and reads what has text', async () => {
    const settings = { ocr: true, ocrLanguages: ['eng'], environment: { PATH: '/nowhere' } };
    const sha256 = put('scan.pdf', await scannedPdf(['A scan']));
    const rests: number[] = [];
    const worker = elsewhere({ settings });
    await extractDocumentJob({ path: 'scan.pdf', sha256 }, worker, alone(rests));
    const found = {
      sha256,
      status: 'needs_ocr',
      pages: 1,
      detail: expect.stringMatching(/^This is a scan, and tesseract is not/),
    };
    expect(added[0]?.payload).toMatchObject({ ...found, retry: expect.stringContaining('tesseract-ocr') });
    expect(lines).toMatchObject([
      { msg: 'scans are left to others', reason: expect.stringContaining('tesseract is not') },
    ]);
    // Beside the writer there is nobody else: it is the answer.
    await extractDocumentJob({ path: 'scan.pdf', sha256 }, { ...deps, settings }, alone());
    expect(added[1]?.payload).toMatchObject(found);
    expect(added[1]?.payload).not.toHaveProperty('retry');

    const text = put('text.pdf', await textPdf(['A letter that is long enough to count as a layer of text.']));
    await extractDocumentJob({ path: 'text.pdf', sha256: text }, worker, alone(rests));
    expect(added[2]?.payload).toMatchObject({ status: 'extracted' });
    expect(rests).toHaveLength(1);
  });

  it('does not open a scan that another could not read for want of what it lacks too, and leaves it longer to others', async () => {
    const settings = { ocr: true, ocrLanguages: ['eng'], environment: { PATH: '/nowhere' } };
    const rests: number[] = [];
    const told: JobProgress[] = [];
    const sha256 = put('scan.pdf', await scannedPdf(['A scan']));
    await extractDocumentJob({ path: 'scan.pdf', sha256 }, elsewhere({ settings }), alone(rests));
    await extractDocumentJob(
      { path: 'scan.pdf', sha256, needs_ocr: true },
      elsewhere({ settings }),
      alone(rests, told),
    );
    expect(told).toEqual([]);
    expect(handedOn(1)).toEqual({
      ...{ path: 'scan.pdf', sha256, status: 'needs_ocr' },
      detail: expect.stringMatching(/^tesseract is not installed/),
      retry: expect.stringMatching(/^tesseract is not installed/),
    });
    expect(rests[1]).toBeGreaterThan(Number(rests[0]));
  });

  it('does not rest beside the writer: a job from before other settings is made anew at once', async () => {
    const sha256 = put('z.pdf', await textPdf(['x']));
    const rests: number[] = [];
    const behaviour = extractionDigest({ ocr: true, ocrLanguages: ['fra'] });
    await extractDocumentJob({ path: 'z.pdf', sha256, behaviour }, deps, alone(rests));
    expect(added[0]?.payload).toMatchObject({ sha256, retry: expect.any(String) });
    expect(rests).toEqual([]);
  });

  it('says once that it leaves documents to others, and once that it reads them again', async () => {
    const one = elsewhere();
    const sha256 = put('y.pdf', await textPdf(['A letter that is long enough to count as a layer of text.']));
    for (let i = 0; i < 3; i++) await extractDocumentJob({ path: 'z.pdf', sha256 }, one, alone());
    for (let i = 0; i < 2; i++) await extractDocumentJob({ path: 'y.pdf', sha256 }, one, alone());
    expect(lines).toMatchObject([
      { msg: 'documents are left to other workers: trying on', reason: `z.pdf: not in ${deps.vault.root}` },
      { msg: 'documents are read again' },
    ]);
  });

  it('leaves documents to others when it would read them otherwise than the index wants, and says what to set', async () => {
    const sha256 = put('z.pdf', await textPdf(['x']));
    const rests: number[] = [];
    const job = { path: 'z.pdf', sha256, behaviour: extractionDigest({ ocr: true, ocrLanguages: ['fra'] }) };
    await extractDocumentJob(job, elsewhere(), alone(rests));
    expect(added[0]?.payload).toMatchObject({ sha256, retry: expect.stringContaining('DOC_OCR_LANGUAGES') });
    expect(rests).toHaveLength(1);
    await extractDocumentJob({ ...job, behaviour: extractionDigest(deps.settings) }, elsewhere(), alone(rests));
    expect(added[1]?.payload).toEqual(expect.not.objectContaining({ retry: expect.anything() }));
    expect(added).toHaveLength(2);
    expect(rests).toHaveLength(1);
  });
});
