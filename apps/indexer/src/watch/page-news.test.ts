import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPageNews, type PageNews } from './page-news.ts';

describe('news of the index page', () => {
  let looks: number;
  let news: PageNews;
  beforeEach(() => {
    vi.useFakeTimers();
    looks = 0;
    news = createPageNews(
      () => looks++,
      () => Date.now(),
    );
  });
  afterEach(() => {
    news.stop();
    vi.useRealTimers();
  });

  it('lead to a look at once, then to one every second while they last, and to one after the last', () => {
    news.ask();
    expect(looks).toBe(1);
    for (let ms = 0; ms < 10_000; ms += 100) {
      vi.advanceTimersByTime(100);
      news.ask();
    }
    expect(looks).toBe(11);
    vi.advanceTimersByTime(60_000);
    expect(looks).toBe(12);
    news.ask();
    expect(looks).toBe(13);
  });

  it('are made up for by a look later, and later still, while looks fail', () => {
    news.ask();
    for (const wait of [5000, 10_000, 20_000]) {
      news.looked(false, 1);
      const before = looks;
      vi.advanceTimersByTime(wait - 1);
      expect(looks).toBe(before);
      vi.advanceTimersByTime(1);
      expect(looks).toBe(before + 1);
    }
    news.looked(true, 1);
    vi.advanceTimersByTime(600_000);
    expect(looks).toBe(4);
    news.looked(false, 1);
    vi.advanceTimersByTime(5000);
    expect(looks).toBe(5);
  });

  it('lead to looks further apart where a look takes long', () => {
    news.ask();
    news.looked(true, 700);
    news.ask();
    vi.advanceTimersByTime(6999);
    expect(looks).toBe(1);
    vi.advanceTimersByTime(1);
    expect(looks).toBe(2);
    news.looked(true, 20);
    news.ask();
    vi.advanceTimersByTime(1000);
    expect(looks).toBe(3);
  });

  it('lead to nothing any more once stopped', () => {
    news.ask();
    news.ask();
    news.looked(false, 1);
    news.stop();
    news.ask();
    vi.advanceTimersByTime(600_000);
    expect(looks).toBe(1);
  });
});
