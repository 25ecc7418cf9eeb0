/**
 * A tool's schema as `tools/list` shows it: every session of an agent pays for these characters, so what says nothing
 * to it is left out. Danger: only what restates a default may go; the types, names and descriptions are the contract.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** zod bounds every integer by what a double can hold; no caller needs to be told. */
const SAFE_INTEGER_BOUNDS: ReadonlySet<unknown> = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

type Direction = 'input' | 'output';

function isNoise(key: string, value: unknown): boolean {
  if (key === '$schema' || key === 'propertyNames') return true;
  if (key === 'minLength') return value === 1; // That a text must not be empty goes without saying.
  if (key === 'maximum' || key === 'minimum') return SAFE_INTEGER_BOUNDS.has(value);
  if (key !== 'additionalProperties') return false;
  // Whoever sends another field is told so, with the nearest there is; that no other is answered is no use to who reads.
  return value === false || (typeof value === 'object' && Object.keys(value as object).length === 0);
}

/** The same JSON schema without its noise. Names of fields are never taken for keywords. */
export function withoutNoise(schema: unknown, fieldNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutNoise(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => fieldNames || !isNoise(key, value));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutNoise(value, !fieldNames && key === 'properties')]),
  );
}

type ObjectSchema = Record<string, unknown> & { readonly type: 'object' };

/** The schema as it is listed. */
export function listedJson(schema: z.ZodObject, io: Direction): ObjectSchema {
  const { jsonSchema } = schema['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  return { type: 'object', ...(withoutNoise(jsonSchema[io]({ target: 'draft-2020-12' })) as object) };
}
