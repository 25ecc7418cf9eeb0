import { describe, expect, it } from 'vitest';
import { createEmbeddingCounter } from './embedding-figures.ts';

describe('what embedding has come to', () => {
  it('counts calls by how long they took and how they ended, and the texts that got a vector', () => {
    const counter = createEmbeddingCounter();
    counter.count({ seconds: 0.05, texts: 2, answered: true });
    counter.count({ seconds: 500, texts: 1, answered: true });
    counter.count({ seconds: 3, texts: 0, answered: false });
    const { texts, calls } = counter.figures();
    expect(texts).toBe(3);
    expect(calls.ok.sum).toBeCloseTo(500.05);
    expect(calls.ok.counts.reduce((all, one) => all + one, 0)).toBe(2);
    expect(calls.ok.counts[calls.ok.bounds.indexOf(0.05)]).toBe(1);
    expect(calls.ok.counts.at(-1)).toBe(1);
    expect(calls.failed.counts[calls.failed.bounds.indexOf(5)]).toBe(1);
  });

  it('counts nothing where no embedder was asked, and has one more count than bounds', () => {
    const counter = createEmbeddingCounter();
    counter.count({ seconds: undefined, texts: 0, answered: false });
    const { texts, calls } = counter.figures();
    expect([texts, calls.ok.sum, calls.failed.sum]).toEqual([0, 0, 0]);
    expect(calls.ok.counts).toEqual(new Array(calls.ok.bounds.length + 1).fill(0));
  });

  it('is not changed by what is counted after it was read', () => {
    const counter = createEmbeddingCounter();
    const before = counter.figures();
    counter.count({ seconds: 1, texts: 1, answered: true });
    expect(before.calls.ok.counts.every((count) => count === 0)).toBe(true);
  });
});
