// `vault-mcp discards` on the compiled program, over the log as other programs left it.
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { discarded } from '../support/discarding-vault.ts';

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n');
});
afterEach(() => home.close());

/** As a server does. */
async function discard(...ids: string[]): Promise<void> {
  const locks = await openPathLocks(home.data);
  const log = openDiscardLog(await openVault(home.vault, { docSuffixes: [] }), locks, {
    logger: silentLogger(),
    maxBytes: 2000,
  });
  for (const id of ids)
    await log.append(discarded(id, { candidate: { title: `Title ${id}`, body: 'Red\u001b[31m\n' } }));
  locks.close();
}

const run = (...args: string[]) => home.run(['discards', ...args, ...home.here]);

describe('discards', () => {
  it('lists the newest first, over all files, each on a line', async () => {
    const ids = Array.from({ length: 620 }, (_, i) => `id-${i}`);
    await discard(...ids);
    const few = await run('list', '--limit', '2');
    expect(few.code).toBe(0);
    expect(few.stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^620 \| \S+Z \| discarded \(claude\) \| Title id-619$/),
      expect.stringMatching(/^619 \| /),
    ]);
    expect(few.stdout).toMatch(/There are older ones: --limit 4\n$/);
    const all = JSON.parse((await run('list', '--limit', '1000', '--json')).stdout) as { entries: { n: number }[] };
    expect(all.entries.map(({ n }) => n)).toEqual(ids.map((_, i) => 620 - i));
  });

  it('shows one whole, with nothing in it that steers the terminal', async () => {
    await discard('a');
    const { code, stdout } = await run('show', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Discard 1 of \S+Z: discarded, by claude\.\n\nProposed: Title a\n {4}Red␛\[31m\n/);
    expect(JSON.parse((await run('show', '1', '--json')).stdout)).toMatchObject({
      candidate: { title: 'Title a', body: 'Red\u001b[31m\n' },
      restored: null,
    });
    expect(await run('show', '2')).toMatchObject({ code: 3, stderr: expect.stringMatching(/There is no discard 2/) });
    expect((await run('show', 'first')).code).toBe(2);
  });

  it('leaves a row in the audit log, and makes no log by looking', async () => {
    expect(await run('list')).toMatchObject({ code: 0, stdout: 'Nothing was discarded.\n' });
    expect(existsSync(join(home.vault, '.discarded.log'))).toBe(false);
    const { stdout } = await home.run(['audit', '--operation', 'list-discards', ...home.here]);
    expect(stdout).toMatch(/cli {3}list-discards {6}ok/);
  });

  it('says that lines cannot be read, and ends with 1', async () => {
    await discard('a');
    appendFileSync(join(home.vault, '.discarded.log'), '{"v":1,');
    const { code, stdout } = await run('list');
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n1 line of \.discarded\.log cannot be read\.\n$/);
  });
});
