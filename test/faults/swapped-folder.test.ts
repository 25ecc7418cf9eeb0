/**
 * A folder of the vault that another process swaps for a link to a folder outside and back, as fast as it can, while
 * both surfaces read, write, move and delete in it. Only Linux opens folder by folder (see open-leaf.ts), so that it
 * holds there alone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HostileVault, layTraps } from '../support/hostile-vault.ts';
import { type McpWire, mcpWire } from '../support/mcp-wire.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { contentOf } from '../support/writable-vault.ts';

const PROGRAM = join(import.meta.dirname, '../support/vault-process.mjs');
const ROUNDS = 100;
const LONG = 600_000;

describe.skipIf(process.platform !== 'linux')(
  'a folder that is swapped for a link while both surfaces work in it',
  () => {
    let served: ServedVault;
    let traps: HostileVault;
    let wire: McpWire;
    let swapper: ChildProcess;
    beforeAll(async () => {
      // The names that the folder outside has too, so that every call has something to find on either side.
      served = await serveVault({ 'House/a.md': '# A\n\n## Part\n\nx\n', 'House/Deep/canary.md': '# C\n' });
      traps = layTraps(dirname(served.vaultPath));
      wire = await mcpWire(served, { agent: 'operator' });
      const outside = join(dirname(served.vaultPath), 'outside');
      const data = served.context.config.data.path;
      swapper = fork(PROGRAM, [served.vaultPath, data, 'swap', outside], { execArgv: [] });
      await once(swapper, 'message');
    });
    afterAll(async () => {
      swapper.kill('SIGKILL');
      await wire.close();
      await served.close();
    });

    it('lets nothing out: what is behind the link is neither read, changed nor found by search', {
      timeout: LONG,
    }, async () => {
      swapper.send('go');
      const outcomes = new Map<string, number>();
      for (let round = 0; round < ROUNDS; round++) {
        for (const name of ['in-1.md', 'in-2.md']) writeFileSync(join(served.vaultPath, name), '# In\n');
        for (const answer of await Promise.all([...overRest(round), ...overMcp(round)])) {
          expect(traps.leak(answer)).toBeNull();
          const outcome = outcomeOf(answer);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }
      const stopped = once(swapper, 'message');
      swapper.send('stop');
      await stopped;
      await vi.waitFor(async () => expect((await served.context.queue.stats()).depth).toBe(0), { timeout: 60_000 });
      const found = await served.get('/search?q=kanarienvogel&k=50', { headers: { accept: 'application/json' } });
      expect(traps.leak(await found.text())).toBeNull();
      expect(traps.damage()).toEqual([]);
      const visible = Object.entries(await contentOf(served.vaultPath)).filter(
        ([path]) => !/(^|\/)\.(?!aside|trash)/.test(path),
      );
      expect(visible.filter(([path, text]) => path !== '.trash/kept.md' && traps.leak(text) !== null)).toEqual([]);
      expect([...outcomes.keys()].filter((code) => code !== 'ok' && !Object.hasOwn(ERROR_STATUS, code))).toEqual([]);
      expect(outcomes.get('internal_error')).toBeUndefined();
      // Else no call ever met the link, or none ever the folder, and this has proven nothing.
      expect(outcomes.get('ok')).toBeGreaterThan(ROUNDS);
      expect(outcomes.get('invalid_path')).toBeGreaterThan(ROUNDS);
    });

    function overRest(round: number): Promise<string>[] {
      const send = async (method: string, path: string, type?: string, body?: string) => {
        const init = { method, ...(type === undefined ? {} : { headers: { 'content-type': type }, body: body ?? '' }) };
        return (await served.get(path, init)).text();
      };
      const json = (method: string, path: string, body: unknown) =>
        send(method, path, 'application/json', JSON.stringify(body));
      return [
        ...['', '?raw', '?map', '?section=Part'].map((form) => send('GET', `/vault/House/canary.md${form}`)),
        ...['', '?recursive'].map((form) => send('GET', `/vault/House${form}`)),
        send('GET', '/vault/House/canary.pdf?raw'),
        send('GET', '/search?q=canary&prefix=House'),
        send('PUT', '/vault/House/a.md', 'text/markdown', `# A\n\n## Part\n\n${round}\n`),
        send('PUT', `/vault/House/New-${round}/new.md`, 'text/markdown', '# New\n'),
        send('PUT', `/vault/House/New-${round}/Files/new.pdf?wait=0`, 'application/pdf', 'no PDF'),
        send('PUT', '/vault/House/Files/a.pdf?wait=0&overwrite', 'application/pdf', `no PDF ${round % 3}`),
        send('POST', '/vault/House/a.md', 'text/markdown', `${round}\n`),
        json('PATCH', '/vault/House/a.md', { target: 'Part', operation: 'replace', content: `${round}` }),
        send('DELETE', `/vault/House/canary.md${round % 2 === 0 ? '?permanent' : ''}`),
        send('PUT', '/vault/House/Deep/canary.md', 'text/markdown', '# C\n'),
        send('DELETE', `/folder/House/Deep?recursive${round % 2 === 0 ? '&permanent' : ''}`),
        send('PUT', `/folder/House/Made-${round}/Inner`),
        json('POST', '/move', { source: 'in-1.md', destination: `House/moved-${round}.md` }),
        json('POST', '/move', { source: 'House/canary.md', destination: `out-${round}.md` }),
        json('POST', '/move', { source: 'House/Deep', destination: `Out-${round}` }),
      ];
    }

    function overMcp(round: number): Promise<string>[] {
      const ask = async (method: string, params: unknown) => JSON.stringify(await wire.request(method, params));
      const tool = (name: string, args: Record<string, unknown>) => ask('tools/call', { name, arguments: args });
      return [
        tool('vault_read', { path: 'House/canary.md' }),
        tool('vault_list', { path: 'House', recursive: true }),
        tool('vault_map', { path: 'House/canary.md' }),
        ask('resources/read', { uri: 'vault://note/House/canary.md' }),
        ask('resources/list', {}),
        tool('vault_write', { path: 'House/canary.md', content: '# Canary\n\nalpha\n', overwrite: true }),
        tool('vault_append', { path: `House/log-${round}.md`, content: 'x', create_if_missing: true }),
        tool('vault_replace_text', { path: 'House/canary.md', find: 'alpha', replace: 'beta' }),
        tool('vault_set_body', { path: 'House/a.md', content: '# A\n\n## Part\n\nx\n' }),
        tool('vault_set_frontmatter', { path: 'House/a.md', key: 'type', value: 'x', create_if_missing: true }),
        tool('vault_move', { source: 'in-2.md', destination: `House/Deep/moved-${round}.md` }),
        tool('vault_move', { source: 'House', destination: `House-${round}`, dry_run: true }),
        tool('vault_create_folder', { path: `House/Deep/Made-${round}` }),
        tool('vault_delete', { path: `House/log-${round - 1}.md`, permanent: true }),
        tool('vault_delete_folder', { path: `House/New-${round - 1}`, recursive: true }),
      ];
    }

    /** `ok`, or a refusal's code. */
    function outcomeOf(answer: string): string {
      return /"(?:text|message)":"([a-z_]+): /.exec(answer)?.[1] ?? /^\{"code":"(\w+)"/.exec(answer)?.[1] ?? 'ok';
    }
  },
);
