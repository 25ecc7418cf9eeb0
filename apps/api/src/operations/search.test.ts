import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import { EVERYTHING } from '@vault-mcp/shared/vault/access';
import { describe, expect, it } from 'vitest';
import type { OperationContext } from '../context.ts';
import { search } from './search.ts';

/** A context whose index holds two folders and nothing under any other prefix. */
function contextOf() {
  const index = { generation: 1, folders: ['House', 'Car'], listings: 0 };
  const reader: Partial<IndexReader> = {
    generation: () => index.generation,
    prefixHasFiles: () => false,
    indexedFolders: (limit) => {
      index.listings++;
      return index.folders.slice(0, limit);
    },
  };
  const vault = { access: EVERYTHING };
  return { index, context: { reader, vault, config: { search: {} } } as unknown as OperationContext };
}

describe('a prefix that nothing is indexed under', () => {
  it('is refused with the folders that are, listed once for as long as the index stays as it is', async () => {
    const { index, context } = contextOf();
    const refusal = { code: 'not_found', message: expect.stringContaining('House, Car') };
    for (const prefix of ['Garden', 'Attic']) {
      await expect(search(context, { query: 'x', prefix })).rejects.toMatchObject(refusal);
    }
    expect(index.listings).toBe(1);
    Object.assign(index, { generation: 2, folders: ['Garage'] });
    await expect(search(context, { query: 'x', prefix: 'Attic' })).rejects.toThrow('Garage');
  });

  it('names a bounded number of folders and says that there are more', async () => {
    const { index, context } = contextOf();
    index.folders = Array.from({ length: 60 }, (_, n) => `Folder ${n}.`);
    await expect(search(context, { query: 'x', prefix: 'Attic' })).rejects.toThrow(/Folder 39\. and more/);
  });
});

describe('a tag', () => {
  it.each(['#', ' ## ', ''])(
    'that names none is refused, since it would find nothing without a word: %j',
    async (tag) => {
      const { context } = contextOf();
      const refusal = { code: 'invalid_request', message: expect.stringContaining('names no tag') };
      await expect(search(context, { query: 'x', tag })).rejects.toMatchObject(refusal);
    },
  );
});
