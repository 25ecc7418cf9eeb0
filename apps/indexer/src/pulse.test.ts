import { execFile } from 'node:child_process';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { silentLogger } from '@vault-mcp/shared/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../test/support/temp-folder.ts';
import { type Pulse, startPulse } from './pulse.ts';

const CHECK = join(import.meta.dirname, '../dist/health-check.js');

let folder: TempFolder;
let file: string;
let pulse: Pulse | undefined;
beforeEach(async () => {
  folder = await createTempFolder('pulse');
  file = join(folder.path, 'pulse');
});
afterEach(async () => {
  pulse?.stop();
  await folder.remove();
});

const start = (isWell: () => Promise<boolean>) => {
  pulse = startPulse({ file, isWell, logger: silentLogger(), beatMs: 10 });
};
/** As the image runs it. */
const check = () =>
  promisify(execFile)(process.execPath, [CHECK, file]).then(
    () => 'well',
    ({ stderr }: { stderr: string }) => stderr.trim(),
  );
const age = (seconds: number) => utimes(file, new Date(), new Date(Date.now() - seconds * 1000));

describe('the health of an indexer', () => {
  it('is good while it says that it is well', async () => {
    start(async () => true);
    await vi.waitFor(async () => expect(await check()).toBe('well'), 10_000);
  });

  it('is bad until it has said so for the first time', async () => {
    start(async () => false);
    await sleep(30);
    expect(await check()).toBe('not well so far');
  });

  it.each([
    ['has stopped saying so', async () => false],
    ['cannot tell any more', () => Promise.reject(new Error('Redis cannot be reached.'))],
    ['does not come to answer', () => new Promise<boolean>(() => {})],
  ])('is bad soon after it %s', async (_what, then) => {
    let isWell: () => Promise<boolean> = async () => true;
    start(() => isWell());
    await vi.waitFor(async () => expect(await check()).toBe('well'), 10_000);
    isWell = then;
    await sleep(50);
    await age(20);
    await sleep(50);
    expect(await check()).toMatch(/^last known to be well 2\d s ago$/);
  });
});
