import { describe, expect, it } from 'vitest';
import { announceIndex } from './announce-index.ts';
import type { IndexProgress } from './indexing-progress.ts';

const COUNTS = { notes: 2, documents: 1, quarantined: 0, chunks: 4, embedded: 4, pending: 0, failed: 0 };
const WHOLE: IndexProgress = {
  state: 'ready',
  error: null,
  waiting: 0,
  idle: true,
  counts: COUNTS,
  embedder: { ok: true, provider: 'builtin', model: 'm', error: null },
};
const PROGRESS = { show() {}, end() {} };

/** What is said when the index is seen in these states, one after the other, the last for ever. */
async function said(...looks: (IndexProgress | Error)[]): Promise<string[]> {
  const lines: string[] = [];
  let taken = 0;
  const read = async (): Promise<IndexProgress> => {
    const look = looks[Math.min(taken++, looks.length - 1)];
    if (look instanceof Error) throw look;
    return look ?? WHOLE;
  };
  const { signal } = new AbortController();
  await announceIndex({ read, progress: PROGRESS, say: (line) => void lines.push(line), signal, everyMs: 0 });
  return lines;
}

describe('what a server says of its index', () => {
  it('says when words find everything, and when all is done', async () => {
    const building: IndexProgress = { ...WHOLE, state: 'building', waiting: 2, idle: false };
    const textDone: IndexProgress = { ...WHOLE, idle: false, counts: { ...COUNTS, embedded: 1, pending: 3 } };
    expect(await said(building, textDone, WHOLE)).toEqual([
      'Words find 2 notes now; search by meaning follows.',
      'Ready: 2 notes, 1 document, 4 chunks (4 with vectors).',
    ]);
  });

  it('says one line where nothing was left to do', async () => {
    expect(await said(WHOLE)).toEqual(['Ready: 2 notes, 1 document, 4 chunks (4 with vectors).']);
  });

  it('says that search goes by words while the embedder is away, and why', async () => {
    const embedder = { ...WHOLE.embedder, ok: false, provider: 'ollama', error: 'connection refused' };
    const lines = await said({ ...WHOLE, embedder, counts: { ...COUNTS, embedded: 0, pending: 4 } });
    expect(lines.at(-1)).toBe('Search goes by words alone until the embedder (ollama) answers: connection refused');
  });

  it('points to doctor where a file is in quarantine', async () => {
    const lines = await said({ ...WHOLE, counts: { ...COUNTS, quarantined: 1 } });
    expect(lines.at(-1)).toMatch(/vault-mcp doctor/);
  });

  it('points to doctor where a scan was not read', async () => {
    const lines = await said({ ...WHOLE, documents: { pending: 0, needsOcr: 2, reading: [] } });
    expect(lines.slice(-2)).toEqual(['2 scans were not read.', expect.stringMatching(/vault-mcp doctor/)]);
  });

  it('says why an index could not be built', async () => {
    expect(await said({ ...WHOLE, state: 'failed', error: 'The disk is full.' })).toEqual([
      'The index could not be built: The disk is full.',
    ]);
  });

  it('does not fail where nothing can be told', async () => {
    expect(await said(new Error('no queue'))).toEqual(['How far the index has come cannot be told: no queue']);
  });

  it('falls silent when the server stops', async () => {
    const lines: string[] = [];
    const read = async (): Promise<IndexProgress> => ({ ...WHOLE, state: 'building', waiting: 1 });
    const stop = new AbortController();
    const end = announceIndex({ read, progress: PROGRESS, say: (line) => void lines.push(line), signal: stop.signal });
    stop.abort('SIGINT');
    await end;
    expect(lines).toEqual([]);
  });
});
