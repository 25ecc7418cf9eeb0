// `vault-mcp audit` on the compiled program: the calls of every surface, and a log that this version must not touch.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';

let home: CliHome;

beforeEach(() => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n\nThe boiler was serviced in March.\n');
});
afterEach(() => home.close());

describe('audit', () => {
  it('shows the calls of every surface, newest first, without their words', async () => {
    expect((await home.run(['audit', ...home.here])).stdout).toBe('No such calls.\n');
    await home.run(['search', 'boiler', '--lexical', ...home.here]);
    await home.run(['search', 'boiler', '--lexical', '--prefix', 'Nowhere', ...home.here]);
    const { code, stdout } = await home.run(['audit', ...home.here]);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^\S+Z cli search not_found [\d.]+ ms operator [0-9a-f]{16}$/),
      expect.stringMatching(/^\S+Z cli search ok [\d.]+ ms operator [0-9a-f]{16}$/),
      '',
    ]);
    expect(stdout).not.toMatch(/boiler/);
  });

  it('narrows, and answers in JSON', async () => {
    await home.run(['reindex', '--lexical', ...home.here]);
    await home.run(['search', 'boiler', '--lexical', ...home.here]);
    const { stdout } = await home.run(['audit', '--json', '--operation', 'reindex', ...home.here]);
    expect(JSON.parse(stdout)).toEqual({
      calls: [
        {
          ...{ surface: 'cli', operation: 'reindex', agent: 'operator', outcome: 'ok', id: 1 },
          time: expect.stringMatching(/Z$/),
          args_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
          duration_ms: expect.any(Number),
        },
      ],
    });
    expect((await home.run(['audit', '--since', '2999-01-01', ...home.here])).code).toBe(1);
    expect((await home.run(['audit', '--since', 'yesterday', ...home.here])).code).toBe(2);
  });

  it('of a newer version ends every command in one line, and is left as it is', async () => {
    await home.run(['search', 'boiler', '--lexical', ...home.here]);
    const db = new Database(join(home.data, 'audit.db'));
    db.pragma('user_version = 99');
    db.close();
    for (const command of [['audit'], ['search', 'boiler', '--lexical'], ['serve', '--port', '0', '--lexical']]) {
      const { code, stdout, stderr } = await home.run([...command, ...home.here]);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(/^vault-mcp: \S+audit\.db was written by a newer version .*\n$/);
    }
  });
});
