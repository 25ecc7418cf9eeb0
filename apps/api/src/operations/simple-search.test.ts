import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readingContext, readingSuite } from '../../../../test/support/reading-context.ts';
import { simpleSearch } from './simple-search.ts';

const FILES = {
  'House/Heating.md': '# Heating\n\nBleed the radiators.\n',
  'Log.md': `# Log\n\n${'A line of the log.\n'.repeat(500)}`,
  'big.md': 'line of the '.repeat(6_000),
};

const vault = readingSuite(FILES, { NOTE_MAX_BYTES: '50000' });

describe('plain search', () => {
  it('finds the text in any case, the note with most of it first', async () => {
    const hits = await simpleSearch(vault.context, { query: 'LINE OF THE', context_length: 4 });
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({ filename: 'Log.md', score: 500 });
    expect(hits[0]?.matches[0]).toEqual({
      match: { start: 9, end: 20, source: 'content' },
      context: '\n\nA line of the log',
    });
  });

  it('passes over notes that are too large, finds nothing without failing, and refuses an empty query', async () => {
    expect(await simpleSearch(vault.context, { query: 'line of the line' })).toEqual([]);
    expect(await simpleSearch(vault.context, { query: 'nowhere at all' })).toEqual([]);
    await expect(simpleSearch(vault.context, { query: '  ' })).rejects.toMatchObject({ code: 'invalid_request' });
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
    await expect(simpleSearch(vault.context, { query: 'log' }, AbortSignal.abort(new Error('gone')))).rejects.toThrow(
      'gone',
    );
  });
});
