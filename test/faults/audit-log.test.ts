/** Several processes on one audit log: the api, the CLI and a stdio server share a data folder. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const PROGRAM = join(import.meta.dirname, '../support/audit-process.mjs');
const ROWS = 1000;

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder('audit');
});
afterEach(() => folder.remove());

describe('three processes that start together', () => {
  it('lose no row and keep each in its order', async () => {
    const path = join(folder.path, 'audit.db');
    const agents = ['one', 'two', 'three'];
    const children = agents.map((agent) => fork(PROGRAM, [path, agent, String(ROWS)], { execArgv: [] }));
    await Promise.all(children.map((child) => once(child, 'message')));
    const done = children.map((child) => once(child, 'message'));
    for (const child of children) child.send('go');
    for (const [health] of await Promise.all(done)) expect(health).toMatchObject({ waiting: 0, lost: 0 });
    const log = openAuditLog(path, { retentionDays: 0, logger: silentLogger() });
    const expected = Array.from({ length: ROWS }, (_, i) => `op-${ROWS - 1 - i}`);
    for (const agent of agents) {
      expect(log.read({ agent, limit: 2 * ROWS }).map(({ operation }) => operation)).toEqual(expected);
    }
    log.close();
  });
});
