import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from './input.ts';

const schema = z.strictObject({
  q: z.string().min(1).max(5).describe('What to find.'),
  wait: z.enum(['indexed']).optional(),
  tags: z.array(z.string().min(2)).min(1).optional(),
  k: z.number().int().min(1).max(20).optional(),
  kind: z.enum(['note', 'document']).optional(),
  explain: z.boolean().default(false),
});

function refusal(value: unknown): string {
  try {
    parseInput(schema, value);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return (error as Error).message;
  }
  throw new Error('was not refused');
}

describe('input of an operation', () => {
  it('is filled with defaults', () => {
    expect(parseInput(schema, { q: 'abc' })).toEqual({ q: 'abc', explain: false });
  });

  it.each([
    [undefined, 'q is required (What to find).'],
    [{}, 'q is required (What to find).'],
    [{ q: 'a', wait: 'x' }, 'wait must be "indexed", or left out.'],
    [{ q: 'a', tags: [] }, 'tags must not be empty.'],
    [{ q: 'a', tags: ['x'] }, 'tags.0 must hold at least 2 characters.'],
    ['text', 'Send an object with the parameters q, wait, tags, k, kind, explain.'],
    [{ q: 1 }, 'q must be a string.'],
    [{ q: 'a', k: 'x' }, 'k must be a number.'],
    [{ q: 'a', k: 1.5 }, 'k must be a whole number.'],
    [{ q: 'a', k: 99 }, 'k must be at most 20.'],
    [{ q: '' }, 'q must not be empty.'],
    [{ q: 'a', kind: 'x' }, 'kind must be one of note, document.'],
    [{ q: 'a', expand_links: true }, 'Unknown parameter "expand_links"; there are q, wait, tags, k, kind, explain.'],
    [
      { q: 'a', explian: true },
      'Unknown parameter "explian" (did you mean "explain"?); there are q, wait, tags, k, kind, explain.',
    ],
  ])('%j is refused in prose', (value, message) => {
    expect(refusal(value)).toBe(message);
  });

  it.each([
    [
      { decision: { acton: 'x' } },
      'Unknown parameter "acton" (did you mean "action"?) in decision; there are action, why.',
    ],
    [{ merges: [{ body: 'b', reason: 'x' }] }, 'Unknown parameter "reason" in merges.0; there are body.'],
    [{ ceiling: 0 }, 'ceiling must be above 0.'],
  ])('%j is refused by what stands in the object in question', (value, message) => {
    const nested = z.strictObject({
      decision: z.strictObject({ action: z.string().optional(), why: z.string().optional() }).optional(),
      merges: z.array(z.strictObject({ body: z.string() })).optional(),
      ceiling: z.number().gt(0).optional(),
    });
    expect(() => parseInput(nested, value)).toThrow(expect.objectContaining({ message }));
  });

  it('names every field that does not fit, and never what was sent in it', () => {
    const message = refusal({ q: 'secret-value', k: 'another-secret' });
    expect(message).toBe('q must hold at most 5 characters; k must be a number.');
  });
});
