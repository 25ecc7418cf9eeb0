import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../test/support/index-records.ts';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { readRaw } from './read-raw.ts';

const FILES = {
  'House/Files/Scan.pdf': 'a scan',
  'House/Files/New.pdf': 'just added',
  'House/plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'Log.md': '# Log\n',
};

const vault = readingSuite(FILES);

describe('raw bytes', () => {
  async function bytesOf(path: string, range?: string) {
    const raw = await readRaw(vault.context, range === undefined ? { path } : { path, range });
    const parts: Buffer[] = [];
    for await (const part of await raw.open()) parts.push(part as Buffer);
    return { raw, text: Buffer.concat(parts).toString('latin1') };
  }

  it('come with type, size, length and etag', async () => {
    const { raw, text } = await bytesOf('House/plan.svg');
    expect(raw).toMatchObject({ content_type: 'image/svg+xml', size: text.length, length: text.length, range: null });
    expect(raw.etag).toBe(sha256(text));
    expect((await bytesOf('House/Files/Scan.pdf')).raw.content_type).toBe('application/pdf');
    expect((await bytesOf('Log.md')).raw.content_type).toBe('text/markdown; charset=utf-8');
  });

  it('come in the range asked for', async () => {
    const { raw, text } = await bytesOf('House/Files/Scan.pdf', 'bytes=2-3');
    expect(text).toBe('sc');
    expect(raw).toMatchObject({ range: { start: 2, end: 3 }, length: 2, size: 6 });
    await expect(readRaw(vault.context, { path: 'House/Files/Scan.pdf', range: 'bytes=6-' })).rejects.toMatchObject({
      code: 'range_not_satisfiable',
    });
  });

  it('have another etag once the file has other bytes', async () => {
    const before = await readRaw(vault.context, { path: 'House/Files/New.pdf' });
    vault.put('House/Files/New.pdf', 'JUST ADDED');
    const after = await readRaw(vault.context, { path: 'House/Files/New.pdf' });
    expect([before.etag, after.etag]).toEqual([sha256('just added'), sha256('JUST ADDED')]);
  });

  it('are not given of a file that was replaced after its length was told', async () => {
    const raw = await readRaw(vault.context, { path: 'House/Files/Scan.pdf' });
    vault.put('House/Files/Scan.pdf', 'a longer scan');
    await expect(raw.open()).rejects.toMatchObject({ code: 'locked' });
  });

  it('are refused of a folder', async () => {
    await expect(readRaw(vault.context, { path: 'House' })).rejects.toMatchObject({ code: 'is_directory' });
  });
});
