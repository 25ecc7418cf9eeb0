import { describe, expect, it } from 'vitest';
import { describeCounts, type IndexProgress, waitForIndex } from './indexing-progress.ts';
import type { Progress } from './progress.ts';

const WHOLE: IndexProgress = {
  state: 'ready',
  error: null,
  waiting: 0,
  idle: true,
  counts: { notes: 2, documents: 0, quarantined: 0, chunks: 4, embedded: 4, pending: 0, failed: 0 },
  embedder: { ok: true, provider: 'builtin', model: 'm', error: null },
};

const look = (changes: Partial<IndexProgress>, pending = 0): IndexProgress => ({
  ...WHOLE,
  ...changes,
  counts: { ...WHOLE.counts, pending, embedded: 4 - pending },
});

/** Plays looks one after the other, the last for ever; tells how many were taken and what was shown. */
function played(...looks: IndexProgress[]) {
  const shown: string[] = [];
  let taken = 0;
  const progress: Progress = {
    show: (label, done, total) => void shown.push(`${label.trim()} ${done}/${total}`),
    end: () => void shown.push('end'),
  };
  const read = async (): Promise<IndexProgress> => looks[Math.min(taken++, looks.length - 1)] ?? WHOLE;
  return { read, progress, shown, taken: () => taken };
}

describe('waiting for the index', () => {
  it('ends when every note is findable by words, if that is enough', async () => {
    const play = played(look({ state: 'building', waiting: 5 }), look({ state: 'building', waiting: 2 }), look({}, 3));
    const end = await waitForIndex({ ...play, until: 'text', everyMs: 0 });
    expect(end.counts.pending).toBe(3);
    expect(play.shown).toEqual(['Reading notes 0/5', 'Reading notes 3/5', 'end']);
  });

  it('else goes on until every chunk has its vector', async () => {
    const play = played(look({ idle: false }, 3), look({ idle: false }, 1), look({}));
    await waitForIndex({ ...play, until: 'vectors', everyMs: 0 });
    expect(play.shown).toEqual(['Vectors 1/4', 'Vectors 3/4', 'end']);
  });

  it('shows the pages of a document that is being read meanwhile, and goes on until there is none', async () => {
    const at = (page: number) => {
      const reading = [{ path: 'Files/scan.pdf', step: 'ocr' as const, page, pages: 9 }];
      return look({ idle: false, documents: { pending: 1, needsOcr: 0, reading } }, 1);
    };
    const play = played(at(1), at(4), look({}));
    await waitForIndex({ ...play, until: 'vectors', everyMs: 0 });
    expect(play.shown).toEqual(['OCR of Files/scan.pdf 0/9', 'OCR of Files/scan.pdf 3/9', 'end']);
  });

  it('does not end on an old ready index while a reconcile is queued', async () => {
    const play = played(look({ idle: false, waiting: null }), look({ idle: false, waiting: null }), look({}));
    await waitForIndex({ ...play, until: 'vectors', everyMs: 0 });
    expect(play.taken()).toBe(3);
  });

  it('ends when nobody works on the missing vectors any more', async () => {
    const play = played(look({ embedder: { ...WHOLE.embedder, ok: false, error: 'dead' } }, 4));
    const end = await waitForIndex({ ...play, until: 'vectors', everyMs: 0 });
    expect(end.counts.pending).toBe(4);
  });

  it('ends when the embedder stays away, though its batches are queued for another try', async () => {
    const away = { ...WHOLE.embedder, ok: false, error: 'connection refused' };
    const play = played(look({ idle: false, embedder: away }, 4));
    const end = await waitForIndex({ ...play, until: 'vectors', everyMs: 0 });
    expect(end).toMatchObject({ counts: { pending: 4 }, embedder: { error: 'connection refused' } });
  });

  it('goes on when the embedder was away for a moment only', async () => {
    const away = { ...WHOLE.embedder, ok: false, error: 'connection refused' };
    const play = played(look({ idle: false, embedder: away }, 4), look({ idle: false }, 2), look({}));
    expect((await waitForIndex({ ...play, until: 'vectors', everyMs: 0 })).counts.pending).toBe(0);
  });

  it('is not fooled by a moment of rest between two batches', async () => {
    const play = played(look({}, 4), look({}, 4), look({ idle: false }, 2), look({}, 2), look({}));
    const end = await waitForIndex({ ...play, until: 'vectors', everyMs: 0 });
    expect(end.counts.pending).toBe(0);
  });

  it('ends at once when the index could not be built', async () => {
    const play = played(look({ state: 'failed', error: 'no permission', idle: false }));
    const end = await waitForIndex({ ...play, until: 'vectors', everyMs: 0 });
    expect(end.error).toBe('no permission');
  });

  it('stops when told to, and takes the bar away', async () => {
    const play = played(look({ state: 'building', waiting: 1 }));
    const signal = AbortSignal.timeout(20);
    await expect(waitForIndex({ ...play, until: 'text', everyMs: 5, signal })).rejects.toThrow();
    expect(play.shown.at(-1)).toBe('end');
  });
});

it('describes what the index holds in one line, naming only what is there', () => {
  expect(describeCounts(WHOLE.counts)).toBe('2 notes, 0 documents, 4 chunks (4 with vectors)');
  expect(describeCounts({ ...WHOLE.counts, embedded: 1, pending: 2, failed: 1, quarantined: 1 })).toBe(
    '2 notes, 0 documents, 4 chunks (1 with vectors, 2 waiting, 1 failed), 1 file in quarantine',
  );
});
