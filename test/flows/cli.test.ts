/** The command line as a person meets it, on the compiled program: what it answers, how it ends, what it says when it cannot. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';

const COMMANDS = ['serve', 'search', 'reindex', 'doctor', 'watch', 'key', 'audit', 'mcp'];

let home: CliHome;

beforeEach(() => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n\nThe boiler was serviced in March. Part number AB-1234.\n');
  home.write(
    'Garden/Tomatoes.md',
    '---\ntype: plan\ntags: [garden]\n---\n# Tomatoes\n\nSow them indoors, plant out after frost.\n',
  );
});
afterEach(() => home.close());

describe('help', () => {
  it('lists every command and the exit codes', async () => {
    const { code, stdout } = await home.run(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /);
  });

  it('of each command names --json and the exit codes', async () => {
    for (const command of COMMANDS) {
      const { code, stdout } = await home.run([command, '--help']);
      expect(code, command).toBe(0);
      expect(stdout, command).toMatch(/--json/);
      expect(stdout, command).toMatch(/Exit codes:/);
    }
  });
});

describe('a wrong call', () => {
  it.each([
    ['an unknown command', ['serach']],
    ['an unknown option', ['search', 'x', '--colour']],
    ['a search for nothing', ['search']],
    ['a port that is none', ['serve', '--port', '99999']],
    ['a kind that is none', ['search', 'x', '--kind', 'image']],
  ])('(%s) ends with 2 and says so on standard error alone', async (_what, args) => {
    const { code, stdout, stderr } = await home.run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/error: .*\n/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('lists all that is wrong with the configuration, a line each', async () => {
    const env = { SEARCH_DEFAULT_K: '99', WATCH_POLLING: 'often', VAULT_MCP_COLOUR: 'red' };
    const { code, stderr } = await home.run(['search', 'x', ...home.here], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/SEARCH_DEFAULT_K: search\.default_k must be .*\n.*WATCH_POLLING: .*\n.*VAULT_MCP_COLOUR: /);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each([
    ['a vault that is missing', ['--vault', 'absent', '--data', 'data'], /absent cannot be opened: it does not exist/],
    ['a vault that is a file', ['--vault', 'notes/Heating.md', '--data', 'data'], /is a file; name its folder/],
    ['data inside the vault', ['--vault', 'notes', '--data', 'notes/data'], /inside the vault/],
    ['no vault at all', [], /--vault DIR or VAULT_PATH/],
  ])('(%s) ends with 2 in one line', async (_what, args, expected) => {
    for (const command of [['search', 'x'], ['doctor'], ['reindex'], ['mcp']]) {
      const { code, stdout, stderr } = await home.run([...command, ...args]);
      expect(stderr).toMatch(expected);
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: '' });
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });
});

describe('reindex', () => {
  it('indexes the vault and says what it holds', async () => {
    const { code, stdout, stderr } = await home.run(['reindex', '--lexical', '--json', ...home.here]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      server: null,
      state: 'ready',
      index: { notes: 2, documents: 0, quarantined: 0, pending: 0, failed: 0 },
      embedder: { provider: 'lexical' },
    });
  });

  it('answers in one line of prose otherwise', async () => {
    const { code, stdout } = await home.run(['reindex', '--lexical', ...home.here]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 notes, 0 documents, \d+ chunks \(\d+ with vectors\)\n$/);
  });

  it('ends with 1 when a file could not be indexed, and doctor names it', async () => {
    home.write('huge.md', `# Huge\n\n${'word '.repeat(50)}`);
    const env = { NOTE_MAX_BYTES: '200' };
    expect((await home.run(['reindex', '--lexical', ...home.here], env)).code).toBe(1);
    const { code, stdout } = await home.run(['doctor', '--json', ...home.here], { ...env, EMBED_PROVIDER: 'lexical' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual([
      expect.objectContaining({ code: 'file_quarantined', severity: 'error', path: 'huge.md' }),
    ]);
  });

  it('ends with 1 and keeps the words searchable when the embedder is dead', async () => {
    const env = { EMBED_PROVIDER: 'ollama', OLLAMA_URL: 'http://127.0.0.1:9/v1', EMBED_MAX_ATTEMPTS: '1' };
    const { code, stdout } = await home.run(['reindex', ...home.here], env);
    expect(stdout).toMatch(/2 notes.*waiting/);
    expect(stdout).toMatch(/gives no vectors now/);
    expect(code).toBe(1);
    const found = await home.run(['search', 'boiler', '--json', ...home.here], env);
    expect(JSON.parse(found.stdout).results[0].path).toBe('Heating.md');
    expect(JSON.parse(found.stdout).degraded).toContain('embedder_unreachable');
  });
});

describe('search without a server', () => {
  it('builds the index the first time, then answers from it', async () => {
    const { code, stdout } = await home.run(['search', 'boiler', 'service', '--lexical', '--json', ...home.here]);
    expect(code).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer.results[0]).toMatchObject({ path: 'Heating.md', title: 'Heating', kind: 'note' });
    const again = await home.run(['search', 'AB-1234', '--lexical', ...home.here]);
    expect(again.stdout).toMatch(/^\[1\] Heating\.md, line \d+/);
  });

  it('makes a damaged index anew instead of sending anybody away', async () => {
    await home.run(['reindex', '--lexical', ...home.here]);
    for (const file of ['index.db-wal', 'index.db-shm']) rmSync(join(home.data, file), { force: true });
    writeFileSync(join(home.data, 'index.db'), Buffer.alloc(8192, 0x55));
    const { code, stdout } = await home.run(['search', 'boiler', '--lexical', ...home.here]);
    expect(stdout).toMatch(/^\[1\] Heating\.md/);
    expect(code).toBe(0);
  });

  it('finds by meaning too, with the built-in model', async () => {
    await home.run(['reindex', ...home.here]);
    const { stdout } = await home.run(['search', 'when can seedlings go outside', '--json', '-k', '1', ...home.here]);
    const answer = JSON.parse(stdout);
    expect(answer.degraded).toEqual([]);
    expect(answer.results[0].path).toBe('Garden/Tomatoes.md');
  });

  it('narrows by prefix, type, tag and kind', async () => {
    await home.run(['reindex', '--lexical', ...home.here]);
    const paths = async (...filters: string[]) => {
      const { stdout } = await home.run(['search', 'boiler tomatoes', '--lexical', '--json', ...filters, ...home.here]);
      return JSON.parse(stdout).results.map(({ path }: { path: string }) => path);
    };
    expect((await paths()).sort()).toEqual(['Garden/Tomatoes.md', 'Heating.md']);
    expect(await paths('--prefix', 'garden')).toEqual(['Garden/Tomatoes.md']);
    expect(await paths('--type', 'plan')).toEqual(['Garden/Tomatoes.md']);
    expect(await paths('--tag', 'garden')).toEqual(['Garden/Tomatoes.md']);
    expect(await paths('--kind', 'document')).toEqual([]);
  });

  it('ends with 1 when nothing is found, and with 3 and the folders for a prefix that names nothing', async () => {
    await home.run(['reindex', '--lexical', ...home.here]);
    expect((await home.run(['search', 'zeppelin', '--lexical', ...home.here])).code).toBe(1);
    const missed = await home.run(['search', 'boiler', '--lexical', '--prefix', 'Attic', ...home.here]);
    expect(missed.stderr).toMatch(/Nothing is indexed under "Attic".*Garden/);
    expect(missed.code).toBe(3);
  });

  it('brings the index up to date when asked', async () => {
    await home.run(['reindex', '--lexical', ...home.here]);
    home.write('Attic.md', '# Attic\n\nThe zeppelin model is in the third box.\n');
    const search = ['search', 'zeppelin', '--lexical', ...home.here];
    expect((await home.run(search)).code).toBe(1);
    expect((await home.run([...search, '--sync'], { EMBED_PROVIDER: 'lexical' })).stdout).toMatch(/Attic\.md/);
  });

  it('explains on request', async () => {
    const { stdout } = await home.run(['search', 'boiler', '--lexical', '--explain', '--json', ...home.here]);
    const answer = JSON.parse(stdout);
    expect(answer.explain).toMatchObject({ rrf_k: 10 });
    expect(answer.results[0].explain).toHaveProperty('lexical_rank', 1);
  });
});

describe('doctor', () => {
  const lexical = { EMBED_PROVIDER: 'lexical' };

  it('says that nothing needs anybody when that is so', async () => {
    const { code, stdout } = await home.run(['doctor', '--lexical', ...home.here]);
    expect(stdout).toMatch(/Index +ready: 2 notes/);
    expect(stdout).toMatch(/Embedder +lexical .*: answers/);
    expect(stdout).toMatch(/Nothing needs you\.\n$/);
    expect(code).toBe(0);
  });

  it('reconciles first, so that it speaks of the vault as it is', async () => {
    await home.run(['reindex', '--lexical', ...home.here]);
    home.write('New.md', '# New\n');
    const { stdout } = await home.run(['doctor', '--json', ...home.here], lexical);
    expect(JSON.parse(stdout).progress.counts.notes).toBe(3);
  });

  it('names a dead embedder', async () => {
    const env = { EMBED_PROVIDER: 'ollama', OLLAMA_URL: 'http://127.0.0.1:9/v1', EMBED_MAX_ATTEMPTS: '1' };
    const { code, stdout } = await home.run(['doctor', '--json', ...home.here], env);
    expect(code).toBe(1);
    const codes = JSON.parse(stdout).findings.map((finding: { code: string }) => finding.code);
    expect(codes).toContain('embedder_unreachable');
  });

  it('rebuilds an index whose file is damaged', async () => {
    await home.run(['reindex', '--lexical', ...home.here]);
    writeFileSync(join(home.data, 'index.db'), Buffer.alloc(8192, 0x55));
    const { code, stdout } = await home.run(['doctor', '--rebuild', '--json', ...home.here], lexical);
    expect(JSON.parse(stdout).progress).toMatchObject({ state: 'ready', counts: { notes: 2 } });
    expect(code).toBe(0);
  });
});

describe('key', () => {
  it('makes one once and shows it with what to paste', async () => {
    const first = await home.run(['key', ...home.here]);
    expect(first.code).toBe(0);
    const key = /^Key: (\S{43})$/m.exec(first.stdout)?.[1] ?? '';
    expect(first.stdout).toContain(`curl -H "Authorization: Bearer ${key}" "http://127.0.0.1:8080/search?q=`);
    expect(first.stdout).toContain('"mcpServers"');
    expect(statSync(join(home.data, 'api-key')).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await home.run(['key', '--json', ...home.here])).stdout)).toMatchObject({
      key,
      source: 'stored',
    });
  });

  it('makes a new one on request', async () => {
    const key = async (...more: string[]) =>
      JSON.parse((await home.run(['key', '--json', ...more, ...home.here])).stdout).key;
    const first = await key();
    const second = await key('--rotate');
    expect(second).not.toBe(first);
    expect(await key()).toBe(second);
  });

  it('leaves the environment’s key to the environment', async () => {
    const env = { VAULT_MCP_API_KEY: 'chosen-by-me' };
    expect((await home.run(['key', ...home.here], env)).stdout).toMatch(
      /^Key: chosen-by-me\nFrom VAULT_MCP_API_KEY\.$/m,
    );
    const rotated = await home.run(['key', '--rotate', ...home.here], env);
    expect(rotated.code).toBe(2);
    expect(rotated.stderr).toMatch(/VAULT_MCP_API_KEY; change it there/);
  });
});

describe('watch', () => {
  it('follows the vault until it is stopped, and holds the index meanwhile', async () => {
    const watching = home.start(['watch', '--lexical', '--json', ...home.here], { WATCH_DEBOUNCE_SECONDS: '0.1' });
    await watching.until(/"state":"ready".*"notes":2/);

    const other = await home.run(['reindex', '--lexical', ...home.here]);
    expect(other.code).toBe(3);
    expect(other.stderr).toMatch(new RegExp(`being written by process ${watching.child.pid} `));

    home.write('Attic.md', '# Attic\n\nThird box.\n');
    await watching.until(/"notes":3/);
    watching.child.kill('SIGINT');
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('index.chunks');
  });
});
