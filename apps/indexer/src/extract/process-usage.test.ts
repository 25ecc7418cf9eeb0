import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { processUsage } from './process-usage.ts';

const withProc = it.skipIf(!existsSync('/proc/self/stat'));

async function usageOf(
  script: string,
  until: (usage: NonNullable<Awaited<ReturnType<typeof processUsage>>>) => boolean,
) {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  try {
    return await vi.waitUntil(
      async () => {
        const usage = await processUsage(child.pid ?? 0);
        return usage && until(usage) ? usage : null;
      },
      { timeout: 60_000 },
    );
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

withProc('sees a process at work spend the processor’s time', async () => {
  expect(await usageOf('for (;;);', ({ processorSeconds }) => processorSeconds > 1)).toBeTruthy();
});

withProc('sees what is held outside JavaScript’s own heap', async () => {
  const held = 200 * 1024 ** 2;
  const script = `globalThis.kept = Buffer.alloc(${held}, 1); setInterval(() => {}, 1000)`;
  expect((await usageOf(script, ({ residentBytes }) => residentBytes > held)).processorSeconds).toBeLessThan(60);
});

it('knows nothing of a process that is not there', async () => {
  expect(await processUsage(2 ** 30)).toBeNull();
});
