import { describe, expect, test } from 'vitest';
import { characterLimit, contextTokensOf } from './model-context.ts';

describe('the context in an answer of /api/show', () => {
  test.each([
    [
      'the model file’s num_ctx below the architecture’s',
      { model_info: { 'bert.context_length': 8192 }, parameters: 'stop "x"\nnum_ctx    2048' },
      2048,
    ],
    [
      'the architecture’s, which num_ctx cannot raise',
      { model_info: { 'bert.context_length': 512 }, parameters: 'num_ctx 8192' },
      512,
    ],
    ['the architecture’s alone', { model_info: { 'general.name': 'x', 'bert.context_length': 512 } }, 512],
    [
      'unknown for numbers that are none',
      { model_info: { 'bert.context_length': -1 }, parameters: 'num_ctx many' },
      null,
    ],
    ['unknown for an empty answer', {}, null],
    ['unknown for something else', 'nonsense', null],
    ['unknown for null', null, null],
  ])('is %s', (_, show, tokens) => {
    expect(contextTokensOf(show)).toBe(tokens);
  });
});

describe('the character limit', () => {
  test('leaves a text that fits alone', () => {
    expect(characterLimit('short', 512)).toBe(5);
  });

  test('is tighter for Japanese than for English', () => {
    const english = characterLimit('word '.repeat(4000), 512);
    const japanese = characterLimit('漢'.repeat(20_000), 512);
    expect(english).toBeGreaterThan(1500);
    expect(japanese).toBeLessThanOrEqual(512);
  });
});
