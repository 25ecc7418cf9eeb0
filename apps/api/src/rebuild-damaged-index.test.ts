import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rebuildDamagedIndex } from './rebuild-damaged-index.ts';

let folder: string;
let indexPath: string;
let jobs: unknown[];
let refusing: boolean;
let time: number;
let report: (error: unknown) => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vault-mcp-damaged-'));
  indexPath = join(folder, 'index.db');
  writeFileSync(indexPath, 'no database at all, but long enough to be taken for one');
  [jobs, refusing, time] = [[], false, 0];
  const add = async (name: string, payload: object) => {
    if (refusing) throw new Error('Redis is away');
    jobs.push([name, payload]);
  };
  report = rebuildDamagedIndex({ indexPath, queue: { add }, log: silentLogger(), now: () => time });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a damaged index', () => {
  it('is rebuilt once, however many requests meet the damage', () => {
    const reader = openIndexReader(indexPath, { onDamaged: report });
    for (let request = 0; request < 3; request++) expect(() => reader.counts()).toThrow(/damaged and is being rebuilt/);
    reader.close();
    expect(jobs).toEqual([['reconcile', { rebuild: true }]]);
  });

  it('is rebuilt again when the file in its place is damaged too', () => {
    report(new Error('damaged'));
    writeFileSync(`${indexPath}.new`, 'another one');
    renameSync(`${indexPath}.new`, indexPath);
    report(new Error('damaged'));
    expect(jobs).toHaveLength(2);
  });

  it('is rebuilt again when the same file is still damaged long after', () => {
    report(new Error('damaged'));
    time = 60_000;
    report(new Error('damaged'));
    expect(jobs).toHaveLength(1);
    time = 60 * 60_000;
    report(new Error('damaged'));
    expect(jobs).toHaveLength(2);
  });

  it('is asked for again at the next request when the queue was away', async () => {
    refusing = true;
    report(new Error('damaged'));
    await new Promise((resolve) => setImmediate(resolve));
    refusing = false;
    report(new Error('damaged'));
    expect(jobs).toHaveLength(1);
  });
});
