import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadingContext, readingContext } from '../../../../test/support/reading-context.ts';
import type { OperationContext } from '../context.ts';
import { simpleSearch } from './simple-search.ts';

const FILES = {
  'House/Heating.md': '# Heating\n\nBleed the radiators.\n',
  'Log.md': `# Log\n\n${'A line of the log.\n'.repeat(500)}`,
  'big.md': 'line of the '.repeat(6_000),
};

let vault: ReadingContext;
let context: OperationContext;
beforeAll(async () => {
  vault = await readingContext(FILES, { NOTE_MAX_BYTES: '50000' });
  ({ context } = vault);
});
afterAll(() => vault.remove());

describe('plain search', () => {
  it('finds the text in any case, the note with most of it first', async () => {
    const hits = await simpleSearch(context, { query: 'LINE OF THE', context_length: 4 });
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({ filename: 'Log.md', score: 500 });
    expect(hits[0]?.matches[0]).toEqual({
      match: { start: 9, end: 20, source: 'content' },
      context: '\n\nA line of the log',
    });
  });

  it('passes over notes that are too large, finds nothing without failing, and refuses an empty query', async () => {
    expect(await simpleSearch(context, { query: 'line of the line' })).toEqual([]);
    expect(await simpleSearch(context, { query: 'nowhere at all' })).toEqual([]);
    await expect(simpleSearch(context, { query: '  ' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('fails, rather than finding nothing, when the vault itself cannot be read', async () => {
    const gone = await readingContext(FILES);
    await rm(gone.context.vault.root, { recursive: true });
    await expect(simpleSearch(gone.context, { query: 'log' })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('cannot be read'),
    });
    await gone.remove();
  });

  it('stops when the caller has gone', async () => {
    await expect(simpleSearch(context, { query: 'log' }, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
