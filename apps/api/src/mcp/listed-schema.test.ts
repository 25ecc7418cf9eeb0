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
  it('keeps types, bounds that mean something, descriptions, and that no other field is taken', () => {
    expect(listing).toEqual({
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, description: 'How many' },
        maximum: { type: 'object' },
        $schema: { type: 'string' },
      },
      required: ['count', '$schema'],
      additionalProperties: false,
    });
  });

  it('does not say of an answer that it has no other field', () => {
    const { additionalProperties: _closed, ...open } = listing;
    expect(listedJson(schema, 'output')).toEqual(open);
  });

  it('leaves alone what is no schema', () => {
    expect(withoutNoise([1, 'a', null], 'input')).toEqual([1, 'a', null]);
  });
});
