/**
 * One file at a time into a real index, with a real folder and a real cache: what a second look at the same file does.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { AppError } from '@vault-mcp/shared/errors';
import type { FileRecord } from '@vault-mcp/shared/index-db/file-store';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { type IndexWriter, openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { createLogger, silentLogger } from '@vault-mcp/shared/log';
import type { JobName } from '@vault-mcp/shared/queue/jobs';
import { observePresence } from '@vault-mcp/shared/vault/presence';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { type ContentCache, openCache } from '../cache/cache.ts';
import { createDescriber, type Describer } from './describe-file.ts';
import { type ExtractionResult, RETRIED_AT_START } from './extraction-result.ts';
import { createPathRules } from './path-rules.ts';
import { createFileSync, type FileSync, type SyncDeps } from './sync-file.ts';
import { HANDED_BACK } from './unread-document.ts';

const SIZES = { targetTokens: 400, overlapTokens: 40, minTokens: 50, maxTokens: 1500 };
const ENGLISH = { ocr: true, ocrLanguages: ['eng'] };

let folder: TempFolder;
let writer: IndexWriter;
let reader: IndexReader;
let cache: ContentCache;
let asked: JobName[];
let deps: SyncDeps;
let sync: FileSync;

function describerFor(extraction = ENGLISH, sizes = SIZES): Describer {
  return createDescriber(createAnalyzer('en'), sizes, extraction);
}

function syncWith(changed: Partial<SyncDeps>): FileSync {
  return createFileSync({ ...deps, ...changed });
}

beforeEach(async () => {
  folder = await createTempFolder('sync');
  const root = join(folder.path, 'vault');
  mkdirSync(root);
  writer = openIndexWriter(join(folder.path, 'index.db'));
  reader = openIndexReader(join(folder.path, 'index.db'));
  cache = openCache(join(folder.path, 'cache.db'), silentLogger());
  asked = [];
  deps = {
    vault: await openVault(root, { docSuffixes: ['.pdf'] }),
    presence: await observePresence(root),
    ...{ writer, cache },
    describer: describerFor(),
    rules: createPathRules({ docSuffixes: ['.pdf'], excludeDirs: [], ignore: [] }),
    producer: {
      add: async (name) => {
        asked.push(name);
      },
      stats: async () => ({ ok: true, depth: 0, failed: 0, error: null }),
      close: async () => {},
    },
    logger: silentLogger(),
    noteMaxBytes: 1000,
    documentMaxBytes: 1000,
  };
  sync = createFileSync(deps);
});
afterEach(async () => {
  reader.close();
  writer.close();
  cache.close();
  await folder.remove();
});

/** @returns the hash of what was written */
function put(path: string, content: string): string {
  const file = join(folder.path, 'vault', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return createHash('sha256').update(content).digest('hex');
}

function extraction(sha256: string, found: Partial<ExtractionResult>): ExtractionResult {
  return { path: 'a.pdf', sha256, status: 'extracted', text: '## Page 1\n\nA letter about gutters.\n', ...found };
}

const row = (path: string) => reader.fileByPath(path);
const digestOf = (path: string) => writer.storedFile(path)?.digest;
const inForce = () => {
  const { digest, documentDigest, ocrFree } = deps.describer;
  return [digest, documentDigest, ocrFree.documentDigest];
};

describe('a file in quarantine', () => {
  it.each([
    ['a note', 'big.md', { noteMaxBytes: 3000 }],
    ['a document', 'big.pdf', { documentMaxBytes: 3000 }],
  ])('is looked at by every reconcile and leaves once the limit is raised: %s', async (_what, path, raised) => {
    put(path, 'word '.repeat(400));
    expect(await sync.syncPath(path)).toBe('quarantined');
    expect(inForce()).not.toContain(digestOf(path));
    const generation = reader.generation();
    expect(await sync.syncPath(path)).toBe('quarantined');
    expect(reader.generation()).toBe(generation);
    expect(await syncWith(raised).syncPath(path)).toBe(path.endsWith('.md') ? 'stored' : 'waiting');
    expect(reader.quarantined(10)).toEqual([]);
  });

  it('names the limit in force', async () => {
    put('big.md', 'word '.repeat(400));
    await sync.syncPath('big.md');
    await syncWith({ noteMaxBytes: 1500 }).syncPath('big.md');
    expect(row('big.md')?.reason).toContain('1500');
  });

  it('leaves once the disk can be read again', async () => {
    put('a.md', 'Gutters.');
    const failing = {
      ...deps.vault,
      locate: async () => {
        throw new AppError('unreadable', 'The disk does not answer.');
      },
    };
    expect(await syncWith({ vault: failing }).syncPath('a.md')).toBe('quarantined');
    expect(inForce()).not.toContain(digestOf('a.md'));
    expect(await sync.syncPath('a.md')).toBe('stored');
  });

  it('stays while neither its text nor the behaviour that cannot cope with it changes, and tells no text', async () => {
    put('a.md', 'My secret gutters.');
    const lines: string[] = [];
    const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } });
    const failing: Describer = {
      ...deps.describer,
      note: (_path, text) => JSON.parse(text),
    };
    expect(await syncWith({ describer: failing, logger }).syncPath('a.md')).toBe('quarantined');
    expect(digestOf('a.md')).toBe(deps.describer.digest);
    expect(lines.join()).toContain('SyntaxError');
    expect(lines.join()).not.toContain('secret');
  });
});

it.each([
  ['TypeError', TypeError],
  ['RangeError', RangeError],
  ['SyntaxError', SyntaxError],
])('leaves a fault of the index to the caller: %s', async (_name, Fault) => {
  put('a.md', 'Gutters.');
  const stored: FileRecord[] = [];
  let failing = true;
  const broken: IndexWriter = {
    ...writer,
    storedFile: () => undefined,
    putFile: (record) => {
      if (!failing) stored.push(record);
      failing = false;
      if (stored.length === 0) throw new Fault('the index cannot be written');
    },
  };
  await expect(syncWith({ writer: broken }).syncPath('a.md')).rejects.toThrow('the index cannot be written');
  expect(stored).toEqual([]);
});

it('forgets nothing of a vault that goes away between the look and the reading', async () => {
  put('a.md', 'Gutters.');
  await sync.syncPath('a.md');
  const vanishing = {
    ...deps.vault,
    locate: async (...args: Parameters<typeof deps.vault.locate>) => {
      const found = await deps.vault.locate(...args);
      rmSync(deps.vault.root, { recursive: true });
      return found;
    },
  };
  expect(await syncWith({ vault: vanishing }).syncPath('a.md')).toBe('vault_gone');
  expect(row('a.md')).toBeDefined();
});

describe('the cache', () => {
  it('saves describing the same bytes again', async () => {
    put('a.md', '---\ntags: [x]\n---\n# A\n\nSee [[b#c|d]] and ![[e]].\n');
    await sync.syncPath('a.md');
    const before = reader.chunksOf('a.md').map(({ text, breadcrumb }) => ({ text, breadcrumb }));
    writer.removeFile('a.md');
    const idle: Describer = {
      ...deps.describer,
      note: () => {
        throw new Error('not needed');
      },
    };
    expect(await syncWith({ describer: idle }).syncPath('a.md')).toBe('stored');
    expect(reader.chunksOf('a.md').map(({ text, breadcrumb }) => ({ text, breadcrumb }))).toEqual(before);
  });

  it.each([
    ['no JSON', '{"title": "my secret'],
    ['of another shape', '{"kind":"note","title":"my secret"}'],
    ['nothing', 'null'],
  ])('decides nothing when its payload is %s', async (_what, payload) => {
    const note = put('a.md', 'Gutters.');
    const pdf = put('a.pdf', 'bytes of a document');
    cache.putChunks('a.md', note, deps.describer.digest, payload);
    cache.putExtraction(pdf, deps.describer.extractionDigest, payload);
    expect(await sync.syncPath('a.md')).toBe('stored');
    expect(row('a.md')).toMatchObject({ state: 'indexed', title: 'a', reason: null });
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
    expect(asked).toEqual(['extract-document']);
  });
});

describe('the text of a document', () => {
  it('is read again for other OCR settings, not for other chunk sizes, and notes stay as they are', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'ocr' }));
    expect(digestOf('a.pdf')).toBe(deps.describer.documentDigest);
    expect(await sync.syncPath('a.pdf')).toBe('unchanged');

    const resized = describerFor(ENGLISH, { ...SIZES, targetTokens: 300 });
    expect(await syncWith({ describer: resized }).syncPath('a.pdf')).toBe('stored');

    const german = describerFor({ ocr: true, ocrLanguages: ['deu'] });
    expect(german.digest).toBe(deps.describer.digest);
    expect(await syncWith({ describer: german }).syncPath('a.pdf')).toBe('waiting');
    const without = describerFor({ ocr: false, ocrLanguages: ['eng'] });
    expect(await syncWith({ describer: without }).syncPath('a.pdf')).toBe('waiting');
    expect(await sync.syncPath('a.pdf')).toBe('stored');
  });

  it('that was read without OCR stays as it is for other OCR settings, in the index and in the cache', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'extracted' }));
    const german = syncWith({ describer: describerFor({ ocr: true, ocrLanguages: ['deu'] }) });
    expect(await german.syncPath('a.pdf')).toBe('unchanged');
    put('copy.pdf', 'bytes of a document');
    expect([await german.syncPath('copy.pdf'), asked]).toEqual(['stored', []]);
  });

  it('that is only the little a scan has is searched, and still waits for OCR', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'needs_ocr', detail: 'tesseract is not installed' }));
    expect(row('a.pdf')).toMatchObject({ state: 'indexed', reason: 'needs_ocr: tesseract is not installed' });
    expect(await sync.syncPath('a.pdf')).toBe('unchanged');
    for (const reason of RETRIED_AT_START) writer.makeStale(reason);
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
  });

  it('whose reading was ended is asked for again at the next start, and not kept for other copies', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    const ended = extraction(sha256, { status: 'failed', text: '', detail: 'It took too long.', interrupted: true });
    await sync.storeExtraction(ended);
    expect(row('a.pdf')).toMatchObject({ state: 'quarantined', reason: 'interrupted: It took too long.' });
    expect(await sync.syncPath('a.pdf')).toBe('unchanged');
    put('copy.pdf', 'bytes of a document');
    expect(await sync.syncPath('copy.pdf')).toBe('waiting');
    for (const reason of RETRIED_AT_START) writer.makeStale(reason);
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
  });

  it('that cannot be read is known for every copy', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'failed', text: '', detail: 'It is encrypted.' }));
    put('copy.pdf', 'bytes of a document');
    expect(await sync.syncPath('copy.pdf')).toBe('stored');
    for (const path of ['a.pdf', 'copy.pdf']) {
      expect(row(path)).toMatchObject({ state: 'quarantined', reason: 'It is encrypted.' });
    }
    expect(asked).toEqual([]);
  });

  it('that a worker handed back is asked for anew, and says meanwhile what holds it up', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
    const failed = extraction(sha256, { status: 'failed', text: '', interrupted: true });
    await sync.storeExtraction({ ...failed, retry: 'The worker has another vault.' });
    expect(row('a.pdf')).toMatchObject({ state: 'no_text', reason: 'pending: The worker has another vault.' });
    expect(asked).toEqual(['extract-document', 'extract-document']);
    // Stale, so that a reconcile asks again where the queue is lost.
    expect(digestOf('a.pdf')).toBe(HANDED_BACK);

    await sync.storeExtraction(extraction(sha256, { status: 'ocr' }));
    await sync.storeExtraction({ ...failed, retry: 'The worker has another vault.' });
    expect(row('a.pdf')).toMatchObject({ state: 'indexed', reason: 'ocr' });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, string | undefined, () => void]>([
    ['is gone', undefined, () => rmSync(join(folder.path, 'vault', 'a.pdf'))],
    ['has other bytes', 'pending', () => void put('a.pdf', 'other bytes')],
  ])('is not held up where the document %s by the time that it is handed back', async (_how, reason, become) => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.syncPath('a.pdf');
    become();
    await sync.storeExtraction({ ...extraction(sha256, { status: 'failed', interrupted: true }), retry: 'Elsewhere.' });
    expect(row('a.pdf')?.reason).toBe(reason);
  });
});
