// Scripts of a vault whose caller hangs up: over a real connection, with real programs.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkOf } from '../support/check-program.ts';
import { hasProcessTable, processesNaming } from '../support/process-family.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const ENDLESS = ['while True: time.sleep(0.05)'];
const FILES = {
  'Home.md': '# Home\n',
  '.scripts/endless.py': checkOf('endless', ENDLESS),
  '.scripts/extract_callouts.py': ['import time', ...ENDLESS].join('\n'),
};

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault(FILES, { 'maintenance.scripts': true });
}, 60_000);
afterAll(() => served.close());

const running = (file: string) => processesNaming(`${join(served.vaultPath, '.scripts', file)}\0--json`);
const WAIT = { timeout: 20_000, interval: 20 };

describe.skipIf(!hasProcessTable)('a script that is run for a call', () => {
  it.each([
    ['/maintenance', 'endless.py'],
    ['/callouts', 'extract_callouts.py'],
  ])(
    'is ended when the caller hangs up: %s',
    async (path, file) => {
      const caller = new AbortController();
      const answer = served.get(path, { signal: caller.signal });
      const hungUp = expect(answer).rejects.toThrow(/abort/i);
      await vi.waitFor(() => expect(running(file)).not.toEqual([]), WAIT);
      caller.abort();
      await hungUp;
      // Long before its time is up.
      await vi.waitFor(() => expect(running(file)).toEqual([]), WAIT);
    },
    60_000,
  );
});
