import { AppError } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import type { NoteTask } from './note-tasks.ts';
import { createNoteThread } from './note-thread.ts';

/** A thread that answers with its task's text, or never. */
const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads';
    if (workerData.text === 'endless') setInterval(() => {}, 1000);
    else if (workerData.text === 'greedy') for (const kept = []; ; ) kept.push([...'kept'.repeat(1000)]);
    else parentPort.postMessage({ result: workerData.text });
  `)}`,
);
const task = (text: string): NoteTask => ({ about: 'question', text, question: { about: 'outline' } });
const thread = (options: { waitMs?: number; timeoutMs?: number; maxMb?: number } = {}) => {
  const made = createNoteThread({ advice: 'split it.', atOnce: 0, entry: ENTRY, ...options });
  return (text: string, signal?: AbortSignal) => made.run(task(text), 1, signal);
};

describe('work on long notes', () => {
  it('is done one after the other, in order', async () => {
    const run = thread();
    const done: unknown[] = [];
    await Promise.all(['a', 'b', 'c'].map((text) => run(text).then((result) => done.push(result))));
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('is not begun when its turn does not come in time, and the next one is', async () => {
    const run = thread({ waitMs: 20 });
    const first = new AbortController();
    const endless = run('endless', first.signal);
    await expect(run('late')).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/not begun: try again/),
    });
    first.abort();
    await expect(endless).rejects.toMatchObject({ code: 'locked' });
    await expect(run('next')).resolves.toBe('next');
  });

  it('is left out when its caller leaves before its turn, and ended when the caller leaves during it', async () => {
    const run = thread();
    const [working, waiting] = [new AbortController(), new AbortController()];
    const endless = run('endless', working.signal);
    const skipped = run('endless', waiting.signal);
    const next = run('next');
    waiting.abort();
    await expect(skipped).rejects.toMatchObject({ code: 'locked', message: expect.stringMatching(/caller left/) });
    working.abort();
    await expect(endless).rejects.toMatchObject({ code: 'locked' });
    await expect(next).resolves.toBe('next');
    await expect(run('a', waiting.signal)).rejects.toMatchObject({ code: 'locked' });
  });

  it('ends with the reason that a server gives for stopping', async () => {
    const run = thread();
    const stopping = new AbortController();
    const [endless, waiting] = [run('endless', stopping.signal), run('a', stopping.signal)];
    const reason = new AppError('locked', 'The server is stopping.');
    stopping.abort(reason);
    await expect(endless).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('that takes too long is ended, with what to do about the note', async () => {
    const message = expect.stringMatching(/split it\.$/);
    await expect(thread({ timeoutMs: 20 })('endless')).rejects.toMatchObject({ code: 'note_too_large', message });
  });

  it('that takes too much memory is ended by itself, with what to do about the note, and the next one is done', async () => {
    const run = thread({ maxMb: 24 });
    const message = expect.stringMatching(/more than 24 MiB .*split it\.$/);
    await expect(run('greedy')).rejects.toMatchObject({ code: 'note_too_large', message });
    await expect(run('next')).resolves.toBe('next');
  });
});
