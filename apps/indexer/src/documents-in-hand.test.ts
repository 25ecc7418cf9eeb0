import type { JobInHand } from '@vault-mcp/shared/queue/producer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchDocumentsInHand } from './documents-in-hand.ts';

const SHA = 'a'.repeat(64);
const job = (progress: JobInHand['progress'] = null): JobInHand => ({
  name: 'extract-document',
  payload: { path: 'Files/scan.pdf', sha256: SHA },
  progress,
});

describe('the documents that are being read', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** @param looks what the queue says, one look after the other, the last for ever */
  function watching(...looks: (readonly JobInHand[] | Promise<never>)[]) {
    const changes: string[] = [];
    let asked = 0;
    const queue = {
      async inHand() {
        return looks[Math.min(asked++, looks.length - 1)] ?? [];
      },
    };
    const documents = watchDocumentsInHand(queue, () =>
      changes.push(
        documents
          .now()
          .map(({ step, page, pages }) => `${step} ${page}/${pages}`)
          .join(),
      ),
    );
    return { changes, documents, asked: () => asked };
  }

  it('are told page by page, and no more once they have been read', async () => {
    const { changes, documents } = watching(
      [job()],
      [job({ step: 'ocr', page: 3, pages: 9 })],
      [job({ step: 'ocr', page: 3, pages: 9 })],
      [],
    );
    expect(documents.now()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(documents.now()).toEqual([{ path: 'Files/scan.pdf', sha256: SHA, step: 'text', page: 0, pages: 0 }]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(changes).toEqual(['text 0/0', 'ocr 3/9', '']);
  });

  it('are not those whose text has come, though the job is not quite over, until it is in hand again', async () => {
    const { documents } = watching([job()], [job()], [], [job()]);
    await vi.advanceTimersByTimeAsync(1_000);
    documents.read(SHA);
    expect(documents.now()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(documents.now()).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(documents.now()).toHaveLength(1);
  });

  it('are none of a version whose jobs are other ones', async () => {
    const { changes } = watching([{ name: 'extract-document', payload: { uri: 'x' }, progress: null }]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(changes).toEqual([]);
  });

  it('are not asked for again while a queue takes its time to tell', async () => {
    const { asked, documents } = watching(new Promise<never>(() => {}));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked(), documents.now()]).toEqual([1, []]);
  });

  it('are none once a queue has not told for ten seconds, and are asked for again', async () => {
    const { asked, changes, documents } = watching([job()], new Promise<never>(() => {}), [
      job({ step: 'ocr', page: 3, pages: 9 }),
    ]);
    await vi.advanceTimersByTimeAsync(11_000);
    expect([asked(), changes]).toEqual([2, ['text 0/0']]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([changes.at(-1), documents.now()]).toEqual(['', []]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([asked(), changes.at(-1)]).toEqual([3, 'ocr 3/9']);
  });

  it('are not looked for after the stop', async () => {
    const { changes, documents, asked } = watching([job()]);
    documents.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([asked(), changes]).toEqual([0, []]);
  });
});
