// The closed table of error codes: declared once, the same in openapi.yaml, and every code really produced somewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const openapi = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'));
const errorSchema = openapi.components.schemas.Error;

/** Codes that belong to writing, filing and scopes: in the table from the start, produced once those are served. */
const NOT_PRODUCED_YET = [
  'already_exists',
  'not_empty',
  'out_of_scope',
  'kind_change',
  'no_such_text',
  'ambiguous_text',
  'no_frontmatter',
  'invalid_value',
  'empty_document',
  'wrong_parent_folder',
  'extraction_failed',
  'locked',
  'precondition_failed',
  'insufficient_storage',
];

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Codes some source passes on as a literal; the table's own file does not count. */
function producedCodes(): Set<string> {
  const folders = ['packages/shared/src', 'apps/api/src', 'apps/indexer/src', 'apps/cli/src'];
  const texts = folders.flatMap((folder) => sources(join(ROOT, folder)));
  const produced = texts.filter((text) => !text.includes('export const ERROR_STATUS')).join('\n');
  return new Set(Object.keys(ERROR_STATUS).filter((code) => produced.includes(`'${code}'`)));
}

describe('the error table', () => {
  it('is the same in openapi.yaml', () => {
    expect([...errorSchema.properties.code.enum].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
    expect(errorSchema['x-status']).toEqual(ERROR_STATUS);
  });

  it('describes an error as a code and prose, and nothing else', () => {
    expect(errorSchema.required.toSorted()).toEqual(['code', 'error']);
    expect(errorSchema.additionalProperties).toBe(false);
  });

  it('holds no code that nothing produces, but for those of calls to come', () => {
    const produced = producedCodes();
    // internal_error is what toAppError makes of anything else, in the table's own file.
    const missing = Object.keys(ERROR_STATUS).filter((code) => code !== 'internal_error' && !produced.has(code));
    expect(missing.filter((code) => !NOT_PRODUCED_YET.includes(code))).toEqual([]);
  });
});
