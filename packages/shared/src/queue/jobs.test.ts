/** The job table's keys, order and retries: what deduplication and both adapters rest on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JOBS, type JobName, retryDelayMs, ticketFor } from './jobs.ts';

const paths = fc.string({ minLength: 1, unit: 'binary' });

describe('the job table', () => {
  it('gives every path a key that Redis takes as an id: no colon, never all digits', () => {
    fc.assert(
      fc.property(paths, fc.constantFrom('news' as const, 'scan' as const), (path, source) => {
        expect(ticketFor('sync-path', { path, source }).key).toMatch(/^[ws]-[0-9a-f]{64}$/);
      }),
    );
  });

  it('gives two paths the same key only when they are the same', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const key = (path: string) => ticketFor('sync-path', { path, source: 'news' }).key;
        expect(key(a) === key(b)).toBe(a === b);
      }),
    );
  });

  it('tells news from a scan of the same path, so that neither swallows the other', () => {
    const news = ticketFor('sync-path', { path: 'a.md', source: 'news' });
    const scan = ticketFor('sync-path', { path: 'a.md', source: 'scan' });
    expect(news.key).not.toBe(scan.key);
    expect(news.priority).toBeLessThan(scan.priority);
  });

  it('tells a stored vector from the failure stored for the same text before', () => {
    const failed = ticketFor('store-vectors', { space: 's', vectors: [{ key: 'k', error: 'too long' }] });
    const stored = ticketFor('store-vectors', { space: 's', vectors: [{ key: 'k', vector: 'AACAPw==' }] });
    expect(failed.key).not.toBe(stored.key);
  });

  it('takes the same vectors for the same job, however long they took', () => {
    const took = (seconds?: number) =>
      ticketFor('store-vectors', {
        space: 's',
        vectors: [{ key: 'k', vector: 'AACAPw==' }],
        ...(seconds === undefined ? {} : { seconds }),
      }).key;
    expect(new Set([took(), took(0.5), took(2)]).size).toBe(1);
  });

  it('keys an embedding batch by space and chunk keys, not by its texts', () => {
    const batch = (space: string, text: string) =>
      ticketFor('embed-chunks', { space, items: [{ key: 'k', text }] }).key;
    expect(batch('s', 'one')).toBe(batch('s', 'two'));
    expect(batch('s', 'one')).not.toBe(batch('t', 'one'));
  });

  it('has documents that nobody has looked at read before those that came back for want of OCR, each once', () => {
    const document = { path: 'a.pdf', sha256: 'a'.repeat(64) };
    const [first, again] = [document, { ...document, needs_ocr: true }].map((job) =>
      ticketFor('extract-document', job),
    );
    expect(first?.priority).toBeLessThan(again?.priority ?? 0);
    expect(first?.key).toBe(again?.key);
  });

  it('lists only valid priorities, attempts and rising, bounded delays', () => {
    for (const name of Object.keys(JOBS) as JobName[]) {
      const delays = Array.from({ length: 40 }, (_, made) => retryDelayMs(name, made + 1));
      expect(delays, name).toEqual([...delays].sort((a, b) => a - b));
      expect(delays.at(-1), name).toBe(JOBS[name].retries.maxMs);
      expect(JOBS[name].retries.attempts, name).toBeGreaterThan(1);
    }
  });

  it.each([
    ['sync-path', { path: '', source: 'news' }],
    ['sync-path', { path: 'a.md', source: 'rumour' }],
    ['reconcile', { rebuild: 'yes' }],
    ['store-vectors', { space: 's', vectors: [{ key: 'k' }] }],
    ['store-vectors', { space: 's', vectors: [{ key: 'k', vector: 'not base64!' }] }],
    ['store-extraction', { path: 'a.pdf', sha256: 'abc', status: 'extracted' }],
    ['extract-document', { path: 'a.pdf', sha256: 'A'.repeat(64) }],
    ['embed-chunks', { space: 's', items: [] }],
  ] as const)('does not parse a %s of %j', (name, payload) => {
    expect(JOBS[name].payload.safeParse(payload).success).toBe(false);
  });
});
