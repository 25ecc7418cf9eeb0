import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobProgress } from './jobs.ts';
import { createProgressReport } from './progress-report.ts';

const at = (page: number): JobProgress => ({ step: 'ocr', page, pages: 500 });

describe('what is told of how far a job has come', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** What was handed on, one entry each time. */
  function recorded(send: (progress: JobProgress) => Promise<unknown> = async () => {}) {
    const sent: number[] = [];
    const progress = createProgressReport((said) => {
      sent.push(said.page);
      return send(said);
    }, 1_000);
    return { ...progress, sent };
  }

  it('is the first at once, and of what follows within a second the last', async () => {
    const { report, sent } = recorded();
    for (const page of [1, 2, 3, 4]) report(at(page));
    expect(sent).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([1, 4]);
  });

  it('is told at once again after a rest, and nothing is repeated meanwhile', async () => {
    const { report, sent } = recorded();
    report(at(1));
    await vi.advanceTimersByTimeAsync(10_000);
    report(at(2));
    expect(sent).toEqual([1, 2]);
  });

  it('is nothing once the job has ended', async () => {
    const { report, stop, sent } = recorded();
    report(at(1));
    report(at(2));
    stop();
    report(at(3));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([1]);
  });

  it('goes on where it could not be told once', async () => {
    const { report, sent } = recorded(() => Promise.reject(new Error('Redis is away')));
    report(at(1));
    report(at(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([1, 2]);
  });
});
