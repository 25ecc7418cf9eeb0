import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { DocumentInHand, IndexerStatus } from '@vault-mcp/shared/index-db/rows';
import type { JobProducer, QueueStats } from '@vault-mcp/shared/queue/producer';
import type { AuditLog } from '@vault-mcp/shared/records/audit';
import { describe, expect, it } from 'vitest';
import { HEARTBEAT_MAX_AGE_MS, readStatus } from './status.ts';

const NOW = 1_800_000_000_000;
const ABOUT = {
  version: '1.2.3',
  revision: 'abc',
  source: 'https://example.org',
  licence: 'MIT',
  startedAt: NOW - 5_500,
};

const HEALTHY: IndexerStatus = {
  heartbeatMs: NOW - 1_000,
  state: 'ready',
  error: null,
  builtAt: '2026-11-29T10:00:00Z',
  buildSeconds: 1.5,
  watcher: { ok: true, mode: 'events', lastEvent: null, error: null },
  queue: { ok: true, depth: 0, failed: 0, error: null },
  embedder: { ok: true, provider: 'builtin', model: 'small', error: null },
  cache: { ok: true, state: 'on', error: null },
  waiting: 0,
  unreadable: [],
  indexDoc: { ok: true, state: 'published', entries: 3, error: null, detail: null },
};

const UNASKED_OCR = { enabled: true, languages: ['eng'], error: null };
const READING: DocumentInHand = { path: 'Files/private.pdf', sha256: 'ab', step: 'ocr', page: 3, pages: 12 };
const busy = (changes: Partial<IndexerStatus> = {}): IndexerStatus => ({
  ...HEALTHY,
  extraction: { reading: [READING], ocr: UNASKED_OCR },
  ...changes,
});

const AUDIT = { ok: false, error: 'cannot be written (SQLITE_FULL)', waiting: 4, lost: 1 };
const QUEUE: QueueStats = { ok: true, depth: 2, failed: 1, error: null };

function contextWith(status: IndexerStatus | null, queue: QueueStats = QUEUE, embedder: Embedder | null = null) {
  const reader = {
    indexerStatus: () => status,
    counts: () => ({ notes: 3, documents: 1, quarantined: 1, chunks: 9, embedded: 7, pending: 1, failed: 1 }),
    documentStates: () => ({ pending: 2, needsOcr: 3, failed: 1 }),
    generation: () => 12,
  } as unknown as IndexReader;
  const audit = { health: () => AUDIT } as unknown as AuditLog;
  return { reader, queue: { stats: async () => queue } as unknown as JobProducer, embedder, audit };
}

function withoutIndex() {
  const missing = () => {
    throw new AppError('not_ready', 'There is no index yet.');
  };
  const reader = {
    indexerStatus: missing,
    counts: missing,
    documentStates: missing,
    generation: missing,
  } as unknown as IndexReader;
  return { ...contextWith(null), reader };
}

describe('status', () => {
  it('is ready with every figure when all is well', async () => {
    expect(await readStatus(contextWith(HEALTHY), ABOUT, NOW)).toEqual({
      status: 'ready',
      version: '1.2.3',
      revision: 'abc',
      source: 'https://example.org',
      licence: 'MIT',
      uptime_seconds: 5,
      index: {
        ok: true,
        state: 'ready',
        error: null,
        notes: 3,
        documents: 1,
        quarantined: 1,
        chunks: 9,
        embedded: 7,
        pending: 1,
        failed: 1,
        built_at: '2026-11-29T10:00:00Z',
        build_seconds: 1.5,
        waiting: 0,
        generation: 12,
      },
      index_doc: { ok: true, state: 'published', error: null, entries: 3, detail: null },
      watcher: { ok: true, mode: 'events', last_event: null, error: null },
      queue: { ok: true, depth: 2, failed: 1, error: null },
      extraction: { ok: true, error: null, pending: 2, needs_ocr: 3, failed: 1, reading: [], ocr: null },
      embedder: { ok: true, provider: 'builtin', model: 'small', error: null },
      cache: { ok: true, state: 'on', error: null },
      audit: AUDIT,
    });
  });

  it('says how many processes take jobs, where several may', async () => {
    const consumers = { index: 1, embed: 3, extract: 1 };
    expect((await readStatus(contextWith(HEALTHY, { ...QUEUE, consumers }), ABOUT, NOW)).queue).toEqual({
      ...QUEUE,
      consumers,
    });
  });

  it('believes nothing of an indexer whose heartbeat is older than fifteen seconds', async () => {
    const alive = { ...HEALTHY, heartbeatMs: NOW - HEARTBEAT_MAX_AGE_MS };
    expect((await readStatus(contextWith(alive), ABOUT, NOW)).status).toBe('ready');
    const dead = { ...HEALTHY, heartbeatMs: NOW - HEARTBEAT_MAX_AGE_MS - 1 };
    const body = await readStatus(contextWith(dead), ABOUT, NOW);
    expect(body.status).toBe('not_ready');
    for (const part of [body.index, body.watcher, body.index_doc, body.embedder, body.cache])
      expect(part.ok).toBe(false);
    expect(body.watcher.error).toMatch(/has not reported for 15 s/);
  });

  it('tells how far the documents are that are being read, and no name of any', async () => {
    const { extraction } = await readStatus(contextWith(busy()), ABOUT, NOW);
    expect(extraction).toMatchObject({
      ok: true,
      reading: [{ step: 'ocr', page: 3, pages: 12 }],
      ocr: { ok: true, enabled: true, languages: ['eng'], error: null },
    });
    expect(JSON.stringify(extraction)).not.toContain('private');
  });

  it('takes nothing for being read once the indexer is silent', async () => {
    const { extraction } = await readStatus(contextWith(busy({ heartbeatMs: NOW - 16_000 })), ABOUT, NOW);
    expect(extraction).toMatchObject({
      ok: false,
      error: expect.stringMatching(/not reported/),
      reading: [],
      pending: 2,
    });
  });

  it('says what OCR lacks, which makes nothing else unready', async () => {
    const ocr = { ...UNASKED_OCR, languages: ['deu'], error: 'tesseract lacks the language data for deu.' };
    const body = await readStatus(contextWith(busy({ extraction: { reading: [], ocr } })), ABOUT, NOW);
    expect(body).toMatchObject({ status: 'ready', extraction: { ok: true, ocr: { ok: false, ...ocr } } });
  });

  it('says that documents wait for nobody', async () => {
    const consumers = { index: 1, embed: 1, extract: 0 };
    const { extraction } = await readStatus(contextWith(busy(), { ...QUEUE, consumers }), ABOUT, NOW);
    expect(extraction).toMatchObject({ ok: false, error: expect.stringContaining('INDEXER_ROLES=extract') });
  });

  it('is not ready while the index is building, and says how many files wait', async () => {
    const body = await readStatus(contextWith({ ...HEALTHY, state: 'building', waiting: 41 }), ABOUT, NOW);
    expect(body).toMatchObject({ status: 'not_ready', index: { ok: false, state: 'building', waiting: 41 } });
  });

  it('is not ready when the watcher or the index page is not ok', async () => {
    const watcher = { ok: false, mode: 'off' as const, lastEvent: null, error: 'too many watches' };
    expect(await readStatus(contextWith({ ...HEALTHY, watcher }), ABOUT, NOW)).toMatchObject({
      status: 'not_ready',
      watcher: { ok: false, error: 'too many watches' },
    });
    const indexDoc = { ok: false, state: 'failed' as const, entries: 0, error: 'the disk is full', detail: null };
    expect(await readStatus(contextWith({ ...HEALTHY, indexDoc }), ABOUT, NOW)).toMatchObject({
      status: 'not_ready',
      index_doc: { ok: false, state: 'failed', error: 'the disk is full' },
    });
  });

  it('stays ready while queue, embedder or cache are not ok', async () => {
    const status = {
      ...HEALTHY,
      embedder: { ...HEALTHY.embedder, ok: false, error: 'refused' },
      cache: { ok: false, state: 'broken' as const, error: 'damaged' },
    };
    const away = { ok: false, depth: 0, failed: 0, error: 'connection lost' };
    expect(await readStatus(contextWith(status, away), ABOUT, NOW)).toMatchObject({
      status: 'ready',
      queue: { ok: false, error: 'connection lost' },
      embedder: { ok: false, error: 'refused' },
      cache: { ok: false, error: 'damaged' },
    });
  });

  it('reports the embedder of this program when it fails though the indexer is content', async () => {
    const embedder = {
      health: () => ({ ok: false, provider: 'ollama', model: 'nomic', error: 'timed out' }),
    } as unknown as Embedder;
    expect((await readStatus(contextWith(HEALTHY, QUEUE, embedder), ABOUT, NOW)).embedder).toEqual({
      ok: false,
      provider: 'ollama',
      model: 'nomic',
      error: 'timed out',
    });
  });

  it('says null for a source the build does not name', async () => {
    expect((await readStatus(contextWith(HEALTHY), { ...ABOUT, source: null }, NOW)).source).toBeNull();
  });

  it('answers before there is an index', async () => {
    expect(await readStatus(withoutIndex(), ABOUT, NOW)).toMatchObject({
      status: 'not_ready',
      index: { ok: false, state: 'missing', chunks: 0, waiting: 0 },
      watcher: { ok: false },
    });
  });
});
