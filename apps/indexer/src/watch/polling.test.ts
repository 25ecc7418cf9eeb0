import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decidePolling } from './polling.ts';

describe('deciding whether to poll', () => {
  it.each([
    ['NFS', 0x6969],
    ['SMB2', 0xfe534d42],
    ['the same, as a negative number', 0xfe534d42 | 0],
    ['FUSE', 0x65735546],
  ])('polls on %s', async (_name, type) => {
    expect((await decidePolling('/vault', 'auto', async () => type)).polling).toBe(true);
  });

  it('trusts events on a local file system', async () => {
    expect((await decidePolling('/vault', 'auto', async () => 0xef53)).polling).toBe(false);
  });

  it('asks the real file system when left to itself', async () => {
    const { type } = await statfs(tmpdir());
    expect(await decidePolling(tmpdir(), 'auto')).toEqual(await decidePolling(tmpdir(), 'auto', async () => type));
    await expect(decidePolling(join(tmpdir(), 'nowhere', 'at-all'), 'auto')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([true, false])('does as it is told: %s', async (setting) => {
    const never = () => Promise.reject(new Error('not asked'));
    expect((await decidePolling('/vault', setting, never)).polling).toBe(setting);
  });
});
