import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireWriterLock, WriterLockedError } from './writer-lock.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'writer-lock-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

describe("the writer's lock", () => {
  it('refuses a second holder and names the first', () => {
    const lock = acquireWriterLock(data);
    expect(() => acquireWriterLock(data)).toThrowError(WriterLockedError);
    expect(() => acquireWriterLock(data)).toThrowError(new RegExp(`process ${process.pid} on`));
    lock.release();
    acquireWriterLock(data).release();
    expect(existsSync(join(data, 'locks', 'writer.json'))).toBe(false);
  });

  it('refuses plainly when the holder could not write its name', () => {
    const lock = acquireWriterLock(data);
    writeFileSync(join(data, 'locks', 'writer.json'), '{"pid":');
    expect(() => acquireWriterLock(data)).toThrowError(/another process/);
    lock.release();
  });

  it('names its folder the same each time, and a copy of it otherwise', () => {
    const first = acquireWriterLock(data);
    first.release();
    const again = acquireWriterLock(data);
    expect(again.folder).toBe(first.folder);
    again.release();
    const copy = join(data, 'copy');
    cpSync(join(data, 'locks'), join(copy, 'locks'), { recursive: true });
    const copied = acquireWriterLock(copy);
    expect(copied.folder).not.toBe(first.folder);
    copied.release();
  });

  it('is free again when its holder is killed', async () => {
    // From the compiled module: a child process runs no TypeScript on Node 20.
    const compiled = pathToFileURL(join(import.meta.dirname, '../../dist/index-db/writer-lock.js')).href;
    const script = join(data, 'hold.mjs');
    writeFileSync(
      script,
      `import { acquireWriterLock } from ${JSON.stringify(compiled)}; globalThis.held = acquireWriterLock(process.argv[2]); process.send('held'); setInterval(() => {}, 1000);`,
    );
    const child = fork(script, [data]);
    await once(child, 'message');
    expect(() => acquireWriterLock(data)).toThrowError(new RegExp(`process ${child.pid} on`));
    child.kill('SIGKILL');
    await once(child, 'exit');
    acquireWriterLock(data).release();
  });
});
