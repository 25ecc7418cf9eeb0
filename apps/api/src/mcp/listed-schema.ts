/**
 * A tool's schema as `tools/list` shows it: every session of an agent pays for these characters, so what says nothing
 * to it is left out. Danger: only what restates a default may go; the types, names and descriptions are the contract.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** zod bounds every integer by what a double can hold; no caller needs to be told. */
const SAFE_INTEGER_BOUNDS: ReadonlySet<unknown> = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

function isNoise(key: string, value: unknown): boolean {
  if (key === '$schema' || key === 'propertyNames') return true;
  if (key === 'maximum' || key === 'minimum') return SAFE_INTEGER_BOUNDS.has(value);
  return key === 'additionalProperties' && typeof value === 'object' && Object.keys(value as object).length === 0;
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

type Validate<O> = StandardSchemaWithJSON<unknown, O>['~standard']['validate'];

/**
 * @param validate what the SDK is to check with; the listing is always the schema's own
 */
export function listed<O>(schema: z.ZodObject, validate: Validate<O>): StandardSchemaWithJSON<unknown, O> {
  const { jsonSchema } = schema['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  const slim = (io: 'input' | 'output') => (options: Parameters<typeof jsonSchema.input>[0]) =>
    withoutNoise(jsonSchema[io](options)) as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'vault-mcp',
      jsonSchema: { input: slim('input'), output: slim('output') },
      validate,
    },
  };
}
