import { describe, expect, it } from 'vitest';
import { withOptions } from './write-options.ts';

describe('options that stand in two places of a request', () => {
  it('are taken from either', () => {
    const input = { path: 'N.md', dry_run: true };
    expect(withOptions(input, { wait: 'indexed', timeout: 2 })).toEqual({ ...input, wait: 'indexed', timeout: 2 });
    expect(withOptions(input, {})).toEqual(input);
  });

  it('may be said twice, but not differently', () => {
    expect(withOptions({ dry_run: false }, { dry_run: false })).toEqual({ dry_run: false });
    const refusal = expect.objectContaining({
      code: 'invalid_request',
      message: expect.stringMatching(/dry_run.*twice/),
    });
    expect(() => withOptions({ dry_run: true }, { dry_run: false })).toThrow(refusal);
  });

  it('name If-Match as what it is there', () => {
    expect(() => withOptions({ expected_etag: 'a' }, { expected_etag: 'b' })).toThrow(/expected_etag.*If-Match/);
  });
});
