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

withProc('sees what a process works itself apart from what it had others do', async () => {
  const work =
    'const { spawnSync } = require("node:child_process"); const work = "const t = process.cpuUsage(); while (process.cpuUsage(t).user < 1e6) for (let i = 0; i < 1e6; i++);"';
  const script = `${work}; spawnSync(process.execPath, ["-e", work]); setInterval(() => {}, 1000);`;
  const usage = await usageOf(script, ({ familySeconds }) => familySeconds > 1);
  expect(usage.familySeconds - usage.processorSeconds).toBeGreaterThan(0.9);
});

withProc('counts as the process itself does', async () => {
  const before = process.cpuUsage();
  const usage = await processUsage('self');
  const [least, most] = [before, process.cpuUsage()].map(({ user, system }) => (user + system) / 1e6);
  // Two figures, each cut to a hundredth.
  expect(usage?.processorSeconds).toBeGreaterThan((least ?? 0) - 0.03);
  expect(usage?.processorSeconds).toBeLessThan((most ?? 0) + 0.03);
});

withProc('sees what is held outside JavaScript’s own heap', async () => {
  const held = 200 * 1024 ** 2;
  const script = `globalThis.kept = Buffer.alloc(${held}, 1); setInterval(() => {}, 1000)`;
  expect((await usageOf(script, ({ residentBytes }) => residentBytes > held)).residentBytes).toBeLessThan(held * 2);
});

it('knows nothing of a process that is not there', async () => {
  expect(await processUsage(2 ** 30)).toBeNull();
});
