import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listedJson, withoutNoise } from './listed-schema.ts';

const schema = z.strictObject({
  count: z.number().int().min(1).describe('How many'),
  maximum: z.record(z.string(), z.unknown()).optional(),
  $schema: z.string(),
});
const listing = listedJson(schema, 'input');

describe('a listed schema', () => {
  it('keeps types, bounds that mean something, and descriptions', () => {
    expect(listing).toEqual({
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, description: 'How many' },
        maximum: { type: 'object' },
        $schema: { type: 'string' },
      },
      required: ['count', '$schema'],
    });
  });

  it('says neither of arguments nor of an answer that there is no other field', () => {
    expect(listedJson(schema, 'output')).toEqual(listing);
    expect(JSON.stringify(listing)).not.toContain('additionalProperties');
  });

  it('leaves alone what is no schema', () => {
    expect(withoutNoise([1, 'a', null])).toEqual([1, 'a', null]);
  });
});
