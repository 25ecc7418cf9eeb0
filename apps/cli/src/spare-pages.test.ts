import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/support/indexed-vault.ts';
import { createWritableVault, type WritableVault } from '../../../test/support/writable-vault.ts';
import { sparePages } from './spare-pages.ts';

const GENERATED = '---\ngenerated_by: vault-mcp\n---\n\n# Index\n';

let on: WritableVault;
beforeEach(async () => {
  on = await createWritableVault();
});
afterEach(() => on.remove());

const spare = (catalog = true) => {
  const config = testConfig(on.outside);
  return sparePages({
    ...config,
    catalog: { ...config.catalog, enabled: catalog },
    vault: { ...config.vault, path: on.root },
  });
};

describe('spare index pages', () => {
  it('are none where there is one page, or none', async () => {
    expect(await spare()).toEqual([]);
    await on.put({ 'INDEX.md': GENERATED });
    expect(await spare()).toEqual([]);
  });

  it('are the generated ones beside the page, whosever that is', async (test) => {
    await on.put({ 'index.md': GENERATED });
    if (!on.vault.caseSensitive) test.skip();
    await on.put({ 'INDEX.md': GENERATED });
    expect(await spare()).toEqual(['INDEX.md']);
    expect(await spare(false)).toEqual([]);
    await on.put({ 'INDEX.md': '# Mine\n' });
    expect(await spare()).toEqual(['index.md']);
    await symlink(join(on.root, 'INDEX.md'), join(on.root, 'Index.md'));
    expect(await spare()).toEqual([]);
  });
});
