import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNewsDebounce } from './news.ts';

describe('news about a path', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is passed on once, after the path has been quiet', () => {
    const seen: string[] = [];
    const debounce = createNewsDebounce({ quietMs: 100, emit: (path) => seen.push(path) });
    debounce.note('a.md');
    vi.advanceTimersByTime(60);
    debounce.note('a.md');
    vi.advanceTimersByTime(60);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(40);
    expect(seen).toEqual(['a.md']);
  });

  it('is kept apart by path', () => {
    const seen: string[] = [];
    const debounce = createNewsDebounce({ quietMs: 100, emit: (path) => seen.push(path) });
    debounce.note('a.md');
    debounce.note('b.md');
    vi.advanceTimersByTime(100);
    expect(seen).toEqual(['a.md', 'b.md']);
  });

  it('is passed on in the end even when the path never rests', () => {
    const seen: string[] = [];
    const debounce = createNewsDebounce({ quietMs: 100, maxWaitMs: 300, emit: (path) => seen.push(path) });
    for (let at = 0; at < 350; at += 50) {
      debounce.note('a.md');
      vi.advanceTimersByTime(50);
    }
    expect(seen).toEqual(['a.md']);
  });

  it('comes at once when flushed, and not at all when stopped', () => {
    const seen: string[] = [];
    const debounce = createNewsDebounce({ quietMs: 100, emit: (path) => seen.push(path) });
    debounce.note('a.md');
    debounce.flush();
    expect(seen).toEqual(['a.md']);
    debounce.note('b.md');
    debounce.stop();
    debounce.note('c.md');
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual(['a.md']);
  });
});
