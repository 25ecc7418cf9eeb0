// What `vault-mcp doctor` says of discards and proposals, on the compiled program and records as other programs left them.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intentOf } from '@vault-mcp/api/memory/gate/intent';
import { silentLogger } from '@vault-mcp/shared/log';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { sha256Hex } from '@vault-mcp/shared/vault/note/text';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { openVault } from '@vault-mcp/shared/vault/vault';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { discarded } from '../support/discarding-vault.ts';

const CODES = /^(discards|proposals|gate)/;
const TEA = { title: 'Tea', type: 'fact', namespace: 'Facts', body: 'Tea is hot.', frontmatter: {} };
const PROPOSED = { kind: 'propose', agent: 'a', candidateHash: 'h', request: TEA } as const;
const NOTE = '---\ntype: fact\ntitle: Tea\n---\n\nTea is hot.\n';

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n');
});
afterEach(() => home.close());

interface Said {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
}

/** How it ended, and what it said of memory. */
async function doctor(env: Record<string, string> = {}): Promise<{ code: number | null; said: Said[] }> {
  const lexical = env.EMBED_PROVIDER === undefined ? ['--lexical'] : [];
  const { code, stdout } = await home.run(['doctor', ...lexical, '--json', ...home.here], env);
  const { findings } = JSON.parse(stdout) as { findings: Said[] };
  return { code, said: findings.filter((finding) => CODES.test(finding.code)) };
}

/** As a process leaves it that is killed: the row in its hands, and what it had got to. */
async function leave(request: object, intent?: object): Promise<void> {
  const locks = await openPathLocks(home.data);
  const proposals = openProposals(join(home.data, 'memory.db'), { owner: locks.owner, logger: silentLogger() });
  const { id } = proposals.begin({ ...PROPOSED, request }).row;
  if (intent !== undefined) proposals.plan(id, intent);
  proposals.close();
  locks.close();
}

const creating = intentOf({
  action: 'create',
  create: { path: 'Facts/tea.md' as VaultPath, text: NOTE, sha256: sha256Hex(Buffer.from(NOTE)), inPlaceOf: null },
});

describe('doctor', () => {
  it('has nothing to say where nothing was proposed, and makes no record by looking', async () => {
    expect(await doctor()).toEqual({ code: 0, said: [] });
    expect(existsSync(join(home.data, 'memory.db'))).toBe(false);
    expect(existsSync(join(home.vault, '.discarded.log'))).toBe(false);
  });

  it('counts discards and what waits, which need nobody', async () => {
    const locks = await openPathLocks(home.data);
    const log = openDiscardLog(await openVault(home.vault, { docSuffixes: [] }), locks, { logger: silentLogger() });
    for (const id of ['a', 'b', 'c']) await log.append(discarded(id));
    await log.markRestored(1, 'a.md');
    const proposals = openProposals(join(home.data, 'memory.db'), { owner: locks.owner, logger: silentLogger() });
    proposals.offer(proposals.begin(PROPOSED).row.id, { seen: [], expiresMs: Date.now() + 600_000 });
    proposals.begin(PROPOSED);
    // Ours is alive, so it is our business.
    expect((await doctor()).said.map(({ code }) => code)).toEqual(['discards', 'proposals_open']);
    proposals.close();
    locks.close();
  });

  it('completes what a crash left of proposals, says so, and has nothing left to do the next time', async () => {
    await leave({ ...TEA, title: 'Undecided' });
    await leave(TEA, creating);
    const { code, said } = await doctor();
    expect(code).toBe(0);
    expect(said.map(({ message }) => message)).toEqual([
      'holds 1 discard: vault-mcp discards list shows them.',
      'This run brought 2 proposals that were left half done to an end: 1 as decided, 1 into the discard log.',
    ]);
    expect(readFileSync(join(home.vault, 'Facts/tea.md'), 'utf8')).toBe(NOTE);
    expect(readFileSync(join(home.vault, '.discarded.log'), 'utf8')).toMatch(/"kind":"interrupted".*Undecided/);
    const search = await home.run(['search', '--lexical', '--json', ...home.here, 'tea']);
    expect(search.stdout).toContain('Facts/tea.md');
    expect((await doctor()).said.map((finding) => finding.code)).toEqual(['discards']);
  });

  it('completes it beside a running server too', async () => {
    const server = home.start(['serve', '--lexical', '--port', '0', ...home.here]);
    await server.until(/http:/);
    await leave(TEA, creating);
    expect((await doctor()).said.map((finding) => finding.code)).toEqual(['proposals_completed']);
    expect(readFileSync(join(home.vault, 'Facts/tea.md'), 'utf8')).toBe(NOTE);
  });

  it('asks a person for what it cannot complete, and keeps it', async () => {
    await leave(TEA, { ...creating, v: 99 });
    for (const _ of ['a first time', 'and again']) {
      const { code, said } = await doctor();
      expect(code).toBe(1);
      expect(said).toMatchObject([{ code: 'proposals_cut_short', severity: 'error' }]);
    }
  });

  it('writes nothing where nothing is to be written, and says who will', async () => {
    await leave(TEA, creating);
    const { code, said } = await doctor({ READ_ONLY: 'true' });
    expect(code).toBe(0);
    expect(said).toMatchObject([
      { code: 'proposals_cut_short', message: '1 proposal was cut short; a server that may write completes it.' },
    ]);
    expect(existsSync(join(home.vault, 'Facts'))).toBe(false);
  });

  it('says that the gate has no ceilings for the embedder, until they are set', async () => {
    const env = { EMBED_PROVIDER: 'ollama', OLLAMA_URL: 'http://127.0.0.1:9/v1', EMBED_MAX_ATTEMPTS: '1' };
    expect((await doctor(env)).said).toMatchObject([
      {
        code: 'gate_uncalibrated',
        severity: 'info',
        fix: expect.stringMatching(/^Run vault-mcp gate calibrate, and set/),
      },
    ]);
    expect((await doctor({ ...env, READ_ONLY: 'true' })).said).toEqual([]);
    expect((await doctor({ ...env, GATE_DISTANCE_CEILING: '0.2', GATE_BM25_CEILING: '-9' })).said).toEqual([]);
  });

  it('names what cannot be read, which needs a person', async () => {
    appendFileSync(join(home.vault, '.discarded.log'), '{"v":1,\n');
    const path = join(home.data, 'memory.db');
    const proposals = openProposals(path, { owner: 'somebody', logger: silentLogger() });
    const { row } = proposals.begin(PROPOSED);
    proposals.close();
    const db = new Database(path);
    db.prepare("UPDATE proposal SET request = '{' WHERE id = ?").run(row.id);
    db.close();
    const { code, said } = await doctor();
    expect(code).toBe(1);
    expect(said.map(({ code: name, severity }) => [name, severity])).toEqual([
      ['discards_damaged', 'warning'],
      ['proposals_damaged', 'error'],
    ]);
  });
});
