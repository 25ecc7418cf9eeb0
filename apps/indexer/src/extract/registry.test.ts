import { EXTRACTABLE_SUFFIXES } from '@vault-mcp/shared/config/sections/vault';
import { expect, it } from 'vitest';
import { EXTRACTORS, extractorFor } from './registry.ts';

it('can read exactly the suffixes that the configuration accepts', () => {
  expect(Object.keys(EXTRACTORS).sort()).toEqual([...EXTRACTABLE_SUFFIXES].sort());
});

it('loads the extractor of a suffix in any case', async () => {
  expect(await extractorFor('.PDF')()).toBeTypeOf('function');
});

it.each(['.docx', '', 'pdf', 'constructor', '__proto__'])('refuses %j, naming what can be read', (suffix) => {
  expect(() => extractorFor(suffix)).toThrow(
    expect.objectContaining({ code: 'unsupported_suffix', message: expect.stringContaining('can be read: .pdf') }),
  );
});
