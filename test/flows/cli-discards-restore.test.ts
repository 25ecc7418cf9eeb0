// `vault-mcp discards restore` on the compiled program: alone, and through the server that holds the data folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { discarded } from '../support/discarding-vault.ts';
import { OTHERS } from '../support/gate-vault.ts';

const ENV = { EMBED_PROVIDER: 'lexical', GATE_DISTANCE_CEILING: '0.5', GATE_BM25_CEILING: '-2' };
const ADA = 'Ada Lovelace wrote the first program for the analytical engine of Charles Babbage.';
const FACT = { title: "Ada's program", body: `${ADA} In 1843.`, type: 'fact', namespace: 'Facts', frontmatter: {} };
const JELLY = { title: 'Quince jelly', body: 'It sets with pectin.', type: 'recipe', namespace: 'Kitchen' };

let home: CliHome;
beforeEach(async () => {
  home = new CliHome();
  home.write('Facts/ada.md', `# Ada\u001b[31m Lovelace\n\n${ADA}\n`);
  for (const [path, text] of Object.entries(OTHERS)) home.write(path, text as string);
  const locks = await openPathLocks(home.data);
  const log = openDiscardLog(await openVault(home.vault, { docSuffixes: [] }), locks, { logger: silentLogger() });
  await log.append(discarded('a', { candidate: JELLY }));
  await log.append(discarded('b', { candidate: FACT }));
  locks.close();
});
afterEach(() => home.close());

const run = (...args: string[]) => home.run(['discards', ...args, ...home.here], ENV);
const note = (path: string) => readFileSync(join(home.vault, path), 'utf8');

/** The command that was offered, as a shell would take it apart. */
function offered(stdout: string): string[] {
  const [, n = '', token = '', decision = ''] =
    /discards restore (\d+) --token (\S+) --decision '(.*)'\n/.exec(stdout) ?? [];
  return ['restore', n, '--token', token, '--decision', decision];
}

describe('discards restore', () => {
  it('makes a note where nothing is similar, once', async () => {
    const restored = await run('restore', '1');
    expect(restored).toMatchObject({ code: 0, stdout: 'Discard 1 is in Kitchen/quince-jelly.md now (create).\n' });
    expect(note('Kitchen/quince-jelly.md')).toMatch(/title: Quince jelly\n(.+\n)*---\nIt sets with pectin\.\n$/);
    expect((await run('list')).stdout).toMatch(/^1 \|.*\| restored as Kitchen\/quince-jelly\.md$/m);
    expect(await run('restore', '1')).toMatchObject({ code: 3, stderr: expect.stringMatching(/was restored as/) });
    const { stdout } = await home.run(['audit', '--operation', 'restore-discard', ...home.here]);
    expect(stdout.match(/cli {3}restore-discard {4}\S+/g)).toEqual([
      expect.stringMatching(/already_exists$/),
      expect.stringMatching(/ok$/),
    ]);
  });

  it('shows what is similar, and does what it then is told', async () => {
    const shown = await run('restore', '2');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(
      /^1 note says something similar to discard 2:\n\nFacts\/ada\.md \| Ada␛\[31m Lovelace/,
    );
    const done = await run(...offered(shown.stdout));
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Discard 2 is in Facts\/ada-s-program\.md/) });
    expect(done.stdout).toMatch(/\nIt stands for Facts\/ada\.md\.\n$/);
    expect(note('Facts/ada-s-program.md')).toContain('supersedes:\n  - "[[Facts/ada]]"');
  });

  it('goes through the server that holds the data folder', async () => {
    const server = home.start(['serve', '--port', '0', ...home.here], ENV);
    await server.until(/"?http:\/\/127\.0\.0\.1:\d+/);
    let restored = await run('restore', '1', '--json');
    // Until it has read all notes, it says so.
    while (/still building/.test(restored.stderr)) restored = await run('restore', '1', '--json');
    expect(JSON.parse(restored.stdout)).toMatchObject({ status: 'done', path: 'Kitchen/quince-jelly.md', restores: 1 });
    const { stdout } = await home.run(['audit', '--operation', 'restore-discard', '--outcome', 'ok', ...home.here]);
    expect(stdout).toMatch(/rest {2}restore-discard/);
  });

  it('refuses what is no decision, and changes nothing', async () => {
    expect(await run('restore', '1', '--decision', 'create')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/It must be JSON/),
    });
    expect((await run('restore', '1', '--decision', '{"action":"paint"}')).code).toBe(2);
    expect((await run('restore', '9')).code).toBe(3);
    expect((await run('list')).stdout).not.toMatch(/restored/);
  });
});
