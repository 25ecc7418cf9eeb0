// The agents' keys on the command line, on the compiled program: made, shown once, listed, taken away, and followed by a server.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n\nThe boiler was serviced in March.\n');
});
afterEach(() => home.close());

const key = (...args: string[]) => home.run(['key', ...args, ...home.here]);
const file = () => join(home.data, 'agent-keys.json');
const kept = () => JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>;
const digest = (made: string) => createHash('sha256').update(made).digest('hex');

async function added(agent: string, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await key('add', agent, '--json', ...more);
  expect(stderr).toMatch(/no agents\.policy: this key reads and writes the whole vault/);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { key: string }).key;
}

describe('key add', () => {
  it('shows the key once, with what to paste into a client, and keeps its digest for its owner alone', async () => {
    const { code, stdout } = await key('add', 'scribe');
    expect(code).toBe(0);
    const made = /^Key of scribe: ([\w-]{43})$/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain(`Authorization: Bearer ${made}`);
    expect(kept()).toEqual({ scribe: digest(made) });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect((await key('list')).stdout).not.toContain(made);
  });

  it('takes another key’s place only when told to', async () => {
    const first = await added('scribe');
    const refused = await key('add', 'scribe');
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/"scribe" has a key already.*--replace/);
    expect(kept()).toEqual({ scribe: digest(first) });
    const second = await added('scribe', '--replace');
    expect(second).not.toBe(first);
    expect(kept()).toEqual({ scribe: digest(second) });
  });

  it.each([
    ['a b', /no name for an agent/],
    ['operator', /reserved/],
    ['Nobody', /reserved/],
  ])('refuses the name %j, and makes no file', async (name, expected) => {
    const { code, stdout, stderr } = await key('add', name);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
    expect(existsSync(file())).toBe(false);
  });

  it('refuses a name that differs from another by case alone', async () => {
    await added('scribe');
    expect(await key('add', 'Scribe')).toMatchObject({ code: 2, stderr: expect.stringMatching(/case alone/) });
  });

  it('at the same time as another loses neither', async () => {
    await Promise.all(['one', 'two', 'three'].map((name) => added(name)));
    expect(Object.keys(kept())).toEqual(['one', 'three', 'two']);
  });

  it('takes its options before or behind its name', async () => {
    const { code, stdout } = await home.run(['key', ...home.here, '--json', 'add', 'scribe']);
    expect([code, Object.keys(JSON.parse(stdout) as object)]).toEqual([0, ['agent', 'key', 'file', 'url']]);
  });
});

describe('key list', () => {
  it('names who has a key, with the beginning of its digest and nothing more', async () => {
    expect(await key('list')).toMatchObject({ code: 0, stdout: expect.stringMatching(/No agent has a key/) });
    const made = await added('scribe');
    const { code, stdout } = await key('list', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      file: file(),
      agents: [{ agent: 'scribe', digest: digest(made).slice(0, 8), in_policy: null }],
    });
  });

  it('ends with 2 where the file is damaged, and so does whatever would change it', async () => {
    await added('scribe');
    writeFileSync(file(), '{"scribe": ');
    for (const args of [['list'], ['add', 'reader'], ['revoke', 'scribe']]) {
      expect(await key(...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/cannot be used/),
      });
    }
    expect(readFileSync(file(), 'utf8')).toBe('{"scribe": ');
  });

  it('ends with 2 over keys that a server would not start over, as does doctor', async () => {
    const shown = await home.run(['key', '--json', ...home.here]);
    const operators = digest((JSON.parse(shown.stdout) as { key: string }).key);
    writeFileSync(file(), JSON.stringify({ scribe: operators }));
    const refused = /"scribe" is also the operator's.*key add scribe --replace/;
    expect(await key('list')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(refused) });
    expect((await home.run(['doctor', ...home.here])).stdout).toMatch(refused);
    await added('scribe', '--replace');
    expect((await key('list')).code).toBe(0);
  });
});

describe('key revoke', () => {
  it('takes the key of one agent away, and refuses to of one that has none', async () => {
    await added('scribe');
    const reader = await added('reader');
    expect(await key('revoke', 'scribe')).toMatchObject({ code: 0 });
    expect(kept()).toEqual({ reader: digest(reader) });
    expect(await key('revoke', 'scribe')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"scribe" has no key/),
    });
  });
});

it('a server does not start over keys that cannot be used, and says what to do', async () => {
  await added('scribe');
  writeFileSync(file(), '{"scribe": ');
  const { code, stdout, stderr } = await home.run(['serve', '--lexical', '--port', '0', ...home.here]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/agent-keys\.json cannot be used.*vault-mcp key add/);
});

it('a running server lets an agent in by a key made meanwhile, until it is revoked; the records name each step', async () => {
  const port = String(await freePort());
  const server = home.start(['serve', '--lexical', '--port', port, ...home.here]);
  await server.until(/http:/);
  const made = await added('scribe');
  const asked = async () => {
    const headers = { authorization: `Bearer ${made}` };
    return (await fetch(`http://127.0.0.1:${port}/vault/Heating.md`, { headers })).status;
  };
  await vi.waitFor(async () => expect(await asked()).toBe(200), { timeout: 20_000, interval: 200 });
  expect((await key('revoke', 'scribe')).code).toBe(0);
  await vi.waitFor(async () => expect(await asked()).toBe(401), { timeout: 20_000, interval: 200 });
  const rows = (await home.run(['audit', '--json', ...home.here])).stdout;
  for (const step of ['key-add', 'key-revoke', '"scribe"']) expect(rows).toContain(step);
  expect(rows).not.toContain(made);
});

/** The home's configuration, for a run's environment. */
function withPolicy(policy: object): Record<string, string> {
  const path = join(home.root, 'config.yaml');
  writeFileSync(path, JSON.stringify({ agents: { policy } }));
  return { VAULT_MCP_CONFIG: path };
}

describe('under a policy', () => {
  const POLICY = { scribe: [{ prefix: 'Garden', read: true }], owner: [{ prefix: '', read: true }] };
  beforeEach(() => home.write('Garden/Pear.md', '# Pear\n\nNo boiler here.\n'));

  it('a key of an agent that the policy lacks is made with a remark, and listed as what needs somebody', async () => {
    const env = withPolicy(POLICY);
    const run = (...args: string[]) => home.run(['key', ...args, ...home.here], env);
    expect((await run('add', 'scribe')).stderr).toBe('');
    expect(await run('list')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('add', 'stranger')).stderr).toMatch(/agents\.policy lacks "stranger"/);
    const { code, stdout, stderr } = await run('list');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/lacks 1 agent that has a key/)]);
    expect(stdout).toMatch(/^stranger {2}[0-9a-f]{8} {2}not in agents\.policy$/m);
  });

  it('what is shown to paste for the operator’s key names an agent too, and nothing for an agent’s own', async () => {
    const env = withPolicy(POLICY);
    const shown = async (...args: string[]) => (await home.run(['key', ...args, ...home.here], env)).stdout;
    expect(await shown()).toMatch(/-H "X-Vault-Agent: scribe".*"X-Vault-Agent":"scribe"/s);
    expect(await shown('add', 'scribe')).not.toMatch(/X-Vault-Agent/);
  });

  const here = (args: string[], env: Record<string, string>) => home.run([...args, '--lexical', ...home.here], env);
  /** What each search finds, and how those that may not be are refused. */
  async function expectRights(env: Record<string, string>): Promise<void> {
    const boiler = ['search', 'boiler', '--json'];
    const found = async (agent: string) => {
      const { stdout } = await here([...boiler, '--agent', agent], env);
      return (JSON.parse(stdout) as { results: { path: string }[] }).results.map(({ path }) => path).sort();
    };
    expect(await found('scribe')).toEqual(['Garden/Pear.md']);
    expect(await found('owner')).toEqual(['Garden/Pear.md', 'Heating.md']);
    expect(await here(boiler, env)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/--agent scribe/),
    });
    expect(await here([...boiler, '--agent', 'stranger'], env)).toMatchObject({ code: 2, stdout: '' });
  }

  it('a search is somebody’s, and finds what they may read', () => expectRights(withPolicy(POLICY)));

  it('so it is through a running server', async () => {
    const env = withPolicy(POLICY);
    const server = home.start(['serve', '--lexical', '--port', String(await freePort()), ...home.here], env);
    await server.until(/http:/);
    await expectRights(env);
  });

  it('MCP on standard input and output is somebody’s', async () => {
    const env = withPolicy(POLICY);
    for (const args of [['mcp'], ['mcp', '--agent', 'stranger']]) {
      expect(await here(args, env)).toMatchObject({ code: 2, stdout: '' });
    }
  });
});

describe('--agent', () => {
  it('searches in the name of an agent, and refuses an ill one', async () => {
    const found = await home.run(['search', 'boiler', '--agent', 'scribe', '--lexical', ...home.here]);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('Heating.md') });
    expect((await home.run(['audit', '--json', ...home.here])).stdout).toContain('"scribe"');
    for (const command of [['search', 'boiler'], ['mcp']]) {
      const refused = await home.run([...command, '--agent', 'operator', ...home.here]);
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/"operator" is reserved/) });
    }
  });
});
