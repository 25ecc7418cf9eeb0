import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../../../test/support/tokens-of.ts';
import { createRuler } from './tokens.ts';

describe('tokens', () => {
  it('are 3.6 characters, or one CJK character', () => {
    expect(tokensOf('')).toBe(0);
    expect(tokensOf('x'.repeat(36))).toBe(10);
    expect(tokensOf('東京タワーは서울')).toBe(8);
    expect(tokensOf('𠮷🦊')).toBe(2);
  });

  it('are measured alike over any range', () => {
    const text = 'Plain 東京 text 🦊 with\r\nmore';
    const ruler = createRuler(text);
    for (let from = 0; from <= text.length; from++) {
      for (let to = from; to <= text.length; to++) {
        expect(Math.ceil(ruler.tokens(from, to))).toBe(tokensOf(text.slice(from, to)));
      }
    }
  });

  it('advance and retreat to the furthest offset that still fits', () => {
    const text = 'ab東京cd';
    const ruler = createRuler(text);
    expect(ruler.advance(2, 1)).toBe(3);
    expect(ruler.advance(2, 1.9)).toBe(3);
    expect(ruler.advance(0, 100)).toBe(text.length);
    expect(ruler.retreat(4, 1)).toBe(3);
    expect(ruler.retreat(text.length, 100)).toBe(0);
    expect(ruler.retreat(4, 0)).toBe(4);
  });
});
