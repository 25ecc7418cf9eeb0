import { AppError } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { listNotes } from './list-notes.ts';

const NOTES = [
  'A/B/deep.md',
  'A/B-side/x.md',
  'A/one.md',
  'A/two.MD',
  'Ä/ö.md',
  'A.md.folder/inside.md',
  'B.md',
  'a.md',
  'z/last.md',
];
const vault = readingSuite({
  ...Object.fromEntries(NOTES.map((path) => [path, 'x'])),
  '.hidden/no.md': 'x',
  'A/.no.md': 'x',
  'A/picture.png': 'x',
  'A/paper.pdf': 'x',
});

async function pages(limit: number): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await listNotes(vault.context, { limit, cursor });
    found.push(page.notes.map(({ path }) => path));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe('the notes of a vault', () => {
  it('are listed once each, with size and time, and nothing else is', async () => {
    const { notes, next_cursor } = await listNotes(vault.context, { limit: 100 });
    expect(notes.map(({ path }) => path).sort()).toEqual([...NOTES].sort());
    expect(notes[0]).toMatchObject({ size: 1, modified: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(next_cursor).toBeNull();
  });

  it.each([1, 2, 3, 4, 8, 9])('come in the same order in pages of %i', async (limit) => {
    const whole = await pages(100);
    const paged = await pages(limit);
    expect(paged.flat()).toEqual(whole.flat());
    for (const page of paged.slice(0, -1)) expect(page).toHaveLength(limit);
  });

  it('go on after a note that has gone meanwhile', async () => {
    const whole = (await pages(100)).flat();
    const cursor = (path: string) => Buffer.from(`note:${path}`).toString('base64url');
    const { notes } = await listNotes(vault.context, { limit: 100, cursor: cursor('A/oof.md') });
    expect(notes.map(({ path }) => path)).toEqual(whole.slice(whole.indexOf('A/two.MD')));
  });

  it.each(['nonsense', '', Buffer.from('after:x').toString('base64url')])(
    'refuse a cursor of others: %j',
    async (cursor) => {
      const refusal = expect.objectContaining({ code: 'invalid_request' });
      await expect(listNotes(vault.context, { limit: 1, cursor })).rejects.toEqual(refusal);
      await expect(listNotes(vault.context, { limit: 1, cursor })).rejects.toBeInstanceOf(AppError);
    },
  );
});
