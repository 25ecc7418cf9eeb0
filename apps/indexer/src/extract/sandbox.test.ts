import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { scannedPdf } from '../../../../test/fixtures/pdf-files.ts';
import type { ExtractRequest } from './extraction.ts';
import { runSandbox, type SandboxOutcome, sandboxEntry } from './sandbox.ts';
import { DEFAULT_LIMITS, type SandboxLimits } from './sandbox-limits.ts';

const REQUEST: ExtractRequest = {
  suffix: '.pdf',
  byteLength: 0,
  maxBytes: 0,
  ocr: false,
  languages: 'eng',
  softSeconds: 60,
  pageSeconds: 70,
};

const RESULT = `{"result":{"status":"extracted","text":"x","pages":1,"has_text_layer":true,"extracted_chars":1,"detail":"","ocr_pages":0,"unfinished":null,"sha256":"00"}}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script of our own in place of the extraction program. */
async function run(script: string, limits: Partial<SandboxLimits> = {}, signal?: AbortSignal): Promise<SandboxOutcome> {
  const entry = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(entry, `import { writeSync, writeFileSync } from 'node:fs';\n${script}`);
  const options = { limits: { ...DEFAULT_LIMITS, ...limits }, entry, environment: { FOLDER: folder } };
  return await runSandbox(REQUEST, { bytes: Buffer.alloc(0) }, signal ? { ...options, signal } : options);
}

/** A zombie counts as gone: it runs no more. */
function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'latin1'));
}

async function untilGone(pid: number): Promise<void> {
  await vi.waitUntil(() => !isRunning(pid), { timeout: 60_000 });
}

describe('a program that answers', () => {
  it('has its answer passed on', async () => {
    const outcome = await run(`writeSync(3, ${JSON.stringify(`${RESULT}\n`)}); process.exit(0);`);
    expect(outcome).toMatchObject({ kind: 'result', extraction: { status: 'extracted', text: 'x' } });
  });

  it('gets a bare environment: nothing of ours, above all no key', async () => {
    process.env.VAULT_MCP_API_KEY = 'secret-for-this-test';
    try {
      await run(`writeFileSync(process.env.FOLDER + '/env.json', JSON.stringify(process.env)); process.exit(0);`);
    } finally {
      delete process.env.VAULT_MCP_API_KEY;
    }
    const environment = JSON.parse(readFileSync(join(folder, 'env.json'), 'utf8'));
    expect(Object.keys(environment).sort()).toEqual(['FOLDER', 'HOME', 'LANG', 'PATH']);
  });

  it('may say on standard output and error whatever it likes', async () => {
    const noise = `process.stdout.write('{}'.repeat(1e6)); process.stderr.write('Error: '.repeat(1e6));`;
    const outcome = await run(`${noise} writeSync(3, ${JSON.stringify(`${RESULT}\n`)}); process.exit(0);`);
    expect(outcome.kind).toBe('result');
  });
});

describe('a program that misbehaves', () => {
  it('is ended when one step takes too long', async () => {
    const outcome = await run('for (;;);', { stepSeconds: 0.3 });
    expect(outcome).toEqual({
      kind: 'ended',
      reason:
        'Reading it was stopped: it took longer than 0.3 seconds over one page. Print it to a new PDF, or split it, and file that.',
    });
  });

  it('is not ended over a page by the clock while others have the processor, only when it hangs for long', async () => {
    const busy = `setTimeout(() => { writeSync(3, ${JSON.stringify(`${RESULT}\n`)}); process.exit(0); }, 1500);`;
    expect(await run(busy, { stepSeconds: 1 })).toMatchObject({ kind: 'result' });
    expect(await run('setInterval(() => {}, 1000);', { textClockSeconds: 0.5 })).toMatchObject({
      kind: 'ended',
      reason: expect.stringContaining('longer than 0.5 seconds over one page'),
    });
  });

  it('has longer by the clock for a page of OCR, which another program does', async () => {
    const script = `writeSync(3, '{"progress":{"page":1,"pages":1,"step":"ocr"}}\\n');
      setTimeout(() => { writeSync(3, ${JSON.stringify(`${RESULT}\n`)}); process.exit(0); }, 1500);`;
    expect(await run(script, { textClockSeconds: 0.5 })).toMatchObject({ kind: 'result' });
    expect(await run(script, { ocrClockSeconds: 0.5 })).toMatchObject({ kind: 'ended' });
  });

  it.each([
    ['is ended', 'setInterval(() => {}, 1000);', 'it took longer than 1 seconds in all'],
    ['dies', `process.kill(process.pid, 'SIGSEGV');`, 'ended unexpectedly (SIGSEGV)'],
  ])('that %s leaves what it had said so far, marked as unfinished', async (_how, end, reason) => {
    const provisional = RESULT.replace('"result"', '"provisional"');
    const outcome = await run(`writeSync(3, ${JSON.stringify(`${provisional}\n`)}); ${end}`, { totalSeconds: 1 });
    expect(outcome).toMatchObject({
      kind: 'result',
      extraction: { status: 'extracted', text: 'x', unfinished: 'ended', detail: expect.stringContaining(reason) },
    });
  });

  it('has a step’s time anew for each page it reports', async () => {
    const pages = `const worked = (from) => { const { user, system } = process.cpuUsage(from); return user + system; };
      for (let page = 1; page <= 4; page++) {
        writeSync(3, JSON.stringify({ progress: { page, pages: 4, step: 'text' } }) + '\\n');
        const from = process.cpuUsage(); while (worked(from) < 400_000);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }`;
    const outcome = await run(`${pages} writeSync(3, ${JSON.stringify(`${RESULT}\n`)}); process.exit(0);`, {
      stepSeconds: 1,
    });
    expect(outcome).toMatchObject({ kind: 'result' });
  });

  it('is ended when the whole takes too long, however much progress it reports', async () => {
    const outcome = await run(`setInterval(() => writeSync(3, '{"progress":{"page":1,"pages":9}}\\n'), 20);`, {
      stepSeconds: 20,
      totalSeconds: 1,
    });
    expect(outcome).toMatchObject({
      kind: 'ended',
      reason: expect.stringMatching(/longer than 1 seconds in all\..*vault\.doc_max_seconds/),
    });
  });

  it('is ended when it grows too large', async () => {
    const outcome = await run('const kept = []; setInterval(() => kept.push(Buffer.alloc(2 ** 24, 1)), 5);', {
      residentBytes: 300 * 1024 ** 2,
    });
    expect(outcome).toMatchObject({
      kind: 'ended',
      reason: expect.stringMatching(/more than 300 MiB of memory\..*vault\.doc_max_memory_mib/),
    });
  });

  it('has met a limit as well when its own heap runs out', async () => {
    const outcome = await run('const kept = []; for (;;) kept.push({ a: [kept.length] });', { heapMebibytes: 24 });
    expect(outcome).toMatchObject({
      kind: 'ended',
      reason: expect.stringMatching(/^Reading it was stopped: it needed more of 1024 MiB.*vault\.doc_max_memory_mib/),
    });
  });

  it('is ended when it answers too much', async () => {
    const outcome = await run(`for (;;) writeSync(3, 'x'.repeat(65536));`, { outputBytes: 1024 ** 2 });
    expect(outcome).toMatchObject({ kind: 'ended', reason: expect.stringContaining('answered more than can be kept') });
  });

  it('is ended when it answers nonsense', async () => {
    const outcome = await run(`writeSync(3, 'nonsense\\n'); setInterval(() => {}, 1000);`);
    expect(outcome).toMatchObject({ kind: 'ended', reason: expect.stringContaining('something that is no result') });
  });

  it.each([
    ['exits', 'process.exit(7);', 'exit code 7'],
    ['is killed', `process.kill(process.pid, 'SIGSEGV');`, 'SIGSEGV'],
    ['throws', `throw new TypeError('of no use');`, 'TypeError: of no use'],
    ['exits without an answer', 'process.exit(0);', 'exit code 0'],
    ['lacks a part', `await import('/opt/secret-place/part.mjs');`, "Cannot find module '…'"],
    ['says so', `writeSync(3, '{"error":{"code":null,"message":"at /opt/secret-place/x.mjs:1:1"}}\\n');`, ': at …)'],
  ])('is reported when it %s', async (_how, script, reason) => {
    const outcome = await run(script);
    expect(outcome).toMatchObject({ kind: 'ended', reason: expect.stringContaining(reason) });
    expect((outcome as { reason: string }).reason).not.toContain('secret-place');
  });
});

describe('a caller that gives up', () => {
  it('gets its reason back, and neither the program nor its helpers go on', async () => {
    const caller = new AbortController();
    const running = run(
      `const { spawn } = await import('node:child_process');
       const helper = spawn('sleep', ['600'], { stdio: 'inherit' });
       writeFileSync(process.env.FOLDER + '/pids.json', JSON.stringify([process.pid, helper.pid]));
       for (;;);`,
      {},
      caller.signal,
    );
    const noted = join(folder, 'pids.json');
    const pids: number[] = await vi.waitUntil(
      () => existsSync(noted) && JSON.parse(readFileSync(noted, 'utf8') || 'null'),
      {
        timeout: 60_000,
      },
    );
    caller.abort(new Error('shutting down'));
    await expect(running).rejects.toThrow('shutting down');
    for (const pid of pids) await untilGone(pid);
  });

  it('by dying is noticed by the extraction program, which then ends as well', async () => {
    const scan = join(folder, 'long-scan.pdf');
    writeFileSync(scan, await scannedPdf(Array.from({ length: 8 }, () => 'A page of a long scan')));
    const document = openSync(scan, 'r');
    const child = spawn(process.execPath, [sandboxEntry()], { stdio: ['pipe', 'ignore', 'ignore', 'pipe', document] });
    closeSync(document);
    const exited = once(child, 'exit');
    const answers = child.stdio[3] as Readable;
    const request: ExtractRequest = { ...REQUEST, byteLength: null, ocr: true };
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    const said: string[] = [];
    answers.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(answers, 'data');
    child.stdin?.end();
    expect(await exited).toEqual([1, null]);
    expect(said.join('')).not.toContain('"result"');
  });

  it('starts nothing when it gave up before', async () => {
    await expect(run('', {}, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });
});

it('starts the compiled program, under test as well', () => {
  expect(sandboxEntry()).toMatch(/dist[\\/]extract[\\/]sandbox-process\.js$/);
});
