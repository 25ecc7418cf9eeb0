// The closed table of error codes: declared once, the same in openapi.yaml, and no code that no source produces.
// docs.test.ts holds docs/errors.md to it, errors-answered.test.ts has each code answered by the running server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/doc-pages.ts';
import { produces, productSources } from '../support/product-sources.ts';

const openapi = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'));
const errorSchema = openapi.components.schemas.Error;

describe('the error table', () => {
  it('is the same in openapi.yaml', () => {
    expect([...errorSchema.properties.code.enum].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
    expect(errorSchema['x-status']).toEqual(ERROR_STATUS);
  });

  it('describes an error as a code and prose, and nothing else', () => {
    expect(errorSchema.required.toSorted()).toEqual(['code', 'error']);
    expect(errorSchema.additionalProperties).toBe(false);
  });

  it('holds no code that nothing produces', () => {
    const sources = productSources();
    expect(Object.keys(ERROR_STATUS).filter((code) => !produces(sources, code))).toEqual([]);
  });
});

describe('producing a code', () => {
  it('is to make an error with it, not to compare with it', () => {
    expect(produces("throw new AppError(\n  'not_found',", 'not_found')).toBe(true);
    expect(produces("if (error.code === 'not_found') return;", 'not_found')).toBe(false);
  });
});
