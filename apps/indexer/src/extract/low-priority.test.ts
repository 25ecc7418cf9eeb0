/** What the system says of a running extraction; only Linux has where to read it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { scannedPdf } from '../../../../test/fixtures/pdf-files.ts';
import type { ExtractRequest } from './extraction.ts';
import { sandboxEntry } from './sandbox.ts';

const onLinux = process.platform === 'linux';
const hasChrt = spawnSync('chrt', ['--version'], { stdio: 'ignore' }).status === 0;
const SCHED_IDLE = 5;
const REQUEST: ExtractRequest = {
  ...{ suffix: '.pdf', byteLength: null, maxBytes: 0 },
  ...{ ocr: true, languages: 'eng', softSeconds: 600, pageSeconds: 600 },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'low-priority-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Thread {
  readonly program: string;
  readonly group: number;
  readonly nice: number;
  /** See sched(7). */
  readonly policy: number;
}

/** @param stat a file of proc(5); the program's name stands in brackets and may hold anything */
function threadOf(stat: string): Thread | null {
  try {
    const [, program = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(stat, 'latin1')) ?? [];
    const fields = rest.split(' ').map(Number);
    return { program, group: fields[2] ?? 0, nice: fields[16] ?? 0, policy: fields[38] ?? 0 };
  } catch {
    return null;
  }
}

/** Every thread of a process and of what it started, as far as they have not ended. */
function threadsOfGroup(leader: number): Thread[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids
    .filter((id) => threadOf(`/proc/${id}/stat`)?.group === leader)
    .flatMap((id) => (existsSync(`/proc/${id}/task`) ? readdirSync(`/proc/${id}/task`) : []).map((task) => [id, task]))
    .flatMap(([id, task]) => threadOf(`/proc/${id}/task/${task}/stat`) ?? []);
}

/** What a session counts for beside others; null where the kernel does not group them. */
function sessionNice(pid: number | 'self'): number | null {
  const file = `/proc/${pid}/autogroup`;
  const found = existsSync(file) ? /nice (-?\d+)/.exec(readFileSync(file, 'latin1')) : null;
  return found ? Number(found[1]) : null;
}

/** @param nice what it is started at */
function afterGivingWay(nice: number): { nice: number } {
  const module = sandboxEntry().replace('sandbox-process.js', 'low-priority.js');
  const script = `import { giveWay } from ${JSON.stringify(module)}; import { getPriority } from 'node:os';
    giveWay(); console.log(JSON.stringify({ nice: getPriority() }));`;
  const command = [`-n`, `${nice}`, process.execPath, '--input-type=module', '-e', script];
  return JSON.parse(execFileSync('nice', command, { encoding: 'utf8' }));
}

describe.skipIf(!onLinux)('an extraction', () => {
  it('gives way with each of its threads, with tesseract, and as a session, which alone counts beside other sessions', async () => {
    const scan = join(folder, 'scan.pdf');
    writeFileSync(scan, await scannedPdf(Array.from({ length: 6 }, () => 'A page of a long scan. '.repeat(40))));
    const document = openSync(scan, 'r');
    const child = spawn(process.execPath, [sandboxEntry()], {
      // As sandbox.ts starts it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe', document],
    });
    closeSync(document);
    const exited = once(child, 'exit');
    const pid = child.pid as number;
    try {
      child.stdin?.write(`${JSON.stringify(REQUEST)}\n`);
      (child.stdio[3] as Readable).resume();
      const threads = await vi.waitUntil(
        () => {
          const found = threadsOfGroup(pid);
          return found.some(({ program }) => program === 'tesseract') && found;
        },
        { timeout: 60_000, interval: 20 },
      );
      expect(threads.length).toBeGreaterThan(5);
      // The tests themselves may have been told to give way, and more.
      expect(Math.min(...threads.map(({ nice }) => nice))).toBeGreaterThanOrEqual(10);
      expect([null, 10]).toContain(sessionNice(pid));
      if (hasChrt) expect(threads.filter(({ policy }) => policy !== SCHED_IDLE)).toEqual([]);
    } finally {
      process.kill(-pid, 'SIGKILL');
      await exited;
    }
  });

  it('gives no less way than it was told to', () => {
    expect(afterGivingWay(15).nice).toBeGreaterThanOrEqual(15);
  });

  it('speaks for no session but its own', () => {
    const before = sessionNice('self');
    afterGivingWay(0);
    expect(sessionNice('self')).toBe(before);
  });
});
