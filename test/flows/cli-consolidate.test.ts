// `vault-mcp consolidate` on the compiled program: alone, and through the server that holds the data folder.
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { CEILING, FILES, MERGE, NAMES } from '../support/consolidation-suite.ts';

const ENV = { EMBED_PROVIDER: 'lexical' };

let home: CliHome;
let before: string[];
beforeEach(() => {
  home = new CliHome();
  for (const [path, text] of Object.entries(FILES)) home.write(path, text);
  before = readdirSync(join(home.vault, 'House'));
});
afterEach(() => home.close());

const run = (...args: string[]) => home.run(['consolidate', '--ceiling', `${CEILING}`, ...args, ...home.here], ENV);
const note = (path: string) => readFileSync(join(home.vault, path), 'utf8');

function mergesFile(merges: unknown): string {
  const path = join(home.root, 'merges.json');
  writeFileSync(path, JSON.stringify(merges));
  return path;
}

describe('consolidate', () => {
  it('shows the clusters and what to do, and changes nothing', async () => {
    const shown = await run();
    expect(shown).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/Unexpected/) });
    expect(shown.stdout).toMatch(/^Compared 7 notes, and 1 superseded left out: 2 clusters within 0\.3/);
    expect(shown.stdout).toMatch(/\n3 notes in House, at most 0\.\d{3} apart:\n {2}House\/boiler again\.md/);
    expect(shown.stdout).toMatch(/: --write, with --merges FILE/);
    expect(readdirSync(join(home.vault, 'House'))).toEqual(before);
  });

  it('makes one note of those that it is told to, and leaves a row in the audit log', async () => {
    const done = await run('--write', '--merges', mergesFile([MERGE]));
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nMerged 1, 1 left\.\n/) });
    expect(done.stdout).toMatch(/\n {2}became House\/boiler-2\.md \| Boiler\n/);
    expect(note('House/boiler-2.md')).toContain('Serviced in May, thrice.');
    for (const path of NAMES) expect(note(path)).toContain('superseded_by: "[[House/boiler-2]]"');
    const again = await run('--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ dry_run: true, superseded: 4, remaining: 1 });
    const { stdout } = await home.run(['audit', '--operation', 'consolidate', ...home.here]);
    expect(stdout.match(/cli {3}consolidate {8}ok/g)).toHaveLength(2);
  });

  it('takes members as --json lists them, and leaves one that was edited since as it is', async () => {
    const shown = JSON.parse((await run('--json')).stdout) as { clusters: { members: unknown[] }[] };
    const edited = `${note(NAMES[0] ?? '')}\nIt cost 90 euros.\n`;
    writeFileSync(join(home.vault, NAMES[0] ?? ''), edited);
    const merges = mergesFile([{ ...MERGE, members: shown.clusters[1]?.members }]);
    const done = await run('--write', '--merges', merges);
    expect(done).toMatchObject({ code: 1, stdout: expect.stringContaining(`Left as it is: ${NAMES[0]}: it `) });
    expect([note(NAMES[0] ?? ''), note(NAMES[1] ?? '')]).toEqual([edited, expect.stringContaining('superseded_by')]);
  });

  it('ends with 1 where something is left to a person, and says it first', async () => {
    const wrong = { ...MERGE, members: ['House/apples.md', 'House/garden.md'] };
    const done = await run('--write', '--merges', mergesFile([wrong]));
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/\n\nNot merged \(invalid_value\): House\/apples\.md, House\/garden\.md\./);
  });

  it('goes through the server that holds the data folder, whose embedder decides', async () => {
    const server = home.start(['serve', '--port', '0', ...home.here], ENV);
    await server.until(/"?http:\/\/127\.0\.0\.1:\d+/);
    let shown = await run('--json');
    // Until it has read all notes, it says so.
    while (/still building/.test(shown.stderr) || !/"compared":7,.*"degraded":\[\]/.test(shown.stdout)) {
      expect([0, 3]).toContain(shown.code);
      shown = await run('--json');
    }
    const done = await run('--write', '--merges', mergesFile([MERGE]));
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/became House\/boiler-2\.md/) });
    expect((await run('--lexical')).stderr).toMatch(/its embedder decides/);
    const { stdout } = await home.run(['audit', '--operation', 'consolidate', '--outcome', 'ok', ...home.here]);
    expect(stdout).toMatch(/rest {2}consolidate/);
  });

  it('ends when it is stopped while a chat model is at work, having changed nothing', async () => {
    const chat = createServer();
    const asked = once(chat, 'request');
    chat.listen(0, '127.0.0.1');
    await once(chat, 'listening');
    const url = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
    const env = { ...ENV, GATE_MODEL: 'm', GATE_URL: url };
    const running = home.start(['consolidate', '--ceiling', `${CEILING}`, '--write', ...home.here], env);
    await asked;
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 3, stderr: expect.stringMatching(/Stopped before the end/) });
    expect(readdirSync(join(home.vault, 'House'))).toEqual(before);
    chat.closeAllConnections();
    chat.close();
  });

  it.each([
    ['a ceiling of nothing', ['--ceiling', '0'], /above 0/],
    ['a file that is not there', ['--merges', 'nowhere.json'], /nowhere\.json: ENOENT/],
    ['merges that are none', ['--merges', '{}'], /merges/],
    ['a wish to write where nobody merges', ['--write'], /gate\.model/],
  ])('refuses %s, and does nothing', async (_what, args, message) => {
    const told = args.map((arg) => (arg === '{}' ? mergesFile({}) : arg));
    const { code, stderr } = await run(...told);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(readdirSync(join(home.vault, 'House'))).toEqual(before);
  });
});
