import type { FileRow } from '@vault-mcp/shared/index-db/rows';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { linksInFile } from './links-in-file.ts';

const suite = readingSuite({ 'a.md': 'See [[b]].\n' });

describe('the links of one note', () => {
  it('are read from the file when its row is replaced between being found and being read', async () => {
    const { vault, config } = suite.context;
    const file = await vault.locate('a.md' as VaultPath);
    const row: FileRow = {
      ...{ id: 1, path: file.path, kind: 'note', sha256: 's', title: 'a', description: '', type: null, tags: [] },
      ...{ supersededBy: null, state: 'indexed', reason: null, stat: file.stat },
    };
    const reader = { fileByPath: () => row, linksOf: () => undefined };
    const links = await linksInFile({ vault, config, reader }, file);
    expect(links).toMatchObject([{ target: 'b', line: 1 }]);
  });
});
