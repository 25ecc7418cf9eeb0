import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLater } from './later.ts';

describe('work put off', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is done once however often it is asked for, and waits twice as long each time, up to a bound', () => {
    let done = 0;
    const later = createLater(() => done++, { firstMs: 10, maxMs: 35 });
    later.ask();
    later.ask();
    vi.advanceTimersByTime(10);
    expect(done).toBe(1);
    for (const wait of [20, 35, 35]) {
      later.ask();
      vi.advanceTimersByTime(wait - 1);
      const before = done;
      vi.advanceTimersByTime(1);
      expect(done).toBe(before + 1);
    }
    later.succeeded();
    later.ask();
    vi.advanceTimersByTime(10);
    expect(done).toBe(5);
  });

  it('is not done once stopped', () => {
    let done = 0;
    const later = createLater(() => done++, { firstMs: 10, maxMs: 10 });
    later.ask();
    later.stop();
    later.ask();
    vi.advanceTimersByTime(100);
    expect(done).toBe(0);
  });
});
