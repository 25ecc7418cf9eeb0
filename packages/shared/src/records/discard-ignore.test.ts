import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiscardingVault, type DiscardingVault, discarded } from '../../../../test/support/discarding-vault.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { type Logger, silentLogger } from '../log.ts';

let vault: DiscardingVault;
let warnings: string[];
beforeEach(async () => {
  vault = await createDiscardingVault();
  warnings = [];
});
afterEach(() => vault.remove());

/** As a process does after its start. */
async function discardOne(id: string): Promise<void> {
  const logger = Object.assign(silentLogger(), { warn: (_: unknown, text: string) => warnings.push(text) }) as Logger;
  const log = await vault.open({ logger });
  await log.append(discarded(id));
}

describe('the vault’s .gitignore', () => {
  it.each([
    ['none', null, '/.discarded*\n'],
    ['an empty one', '', '/.discarded*\n'],
    ['one that ends in a line end', 'node_modules\n', 'node_modules\n/.discarded*\n'],
    ['one that does not', 'node_modules', 'node_modules\n/.discarded*\n'],
    ['one of Windows', '*.tmp\r\nx\r\n', '*.tmp\r\nx\r\n/.discarded*\r\n'],
    ['one of Windows without its last line end', '*.tmp\r\nx', '*.tmp\r\nx\r\n/.discarded*\r\n'],
    ['one that has a longer line', '/.discarded*.old\n', '/.discarded*.old\n/.discarded*\n'],
    ['one that has the line in a comment', '# /.discarded*\n', '# /.discarded*\n/.discarded*\n'],
    ['one that has the line', '/.discarded*\n*.tmp\n', '/.discarded*\n*.tmp\n'],
    ['one that has the line at its end, without line end', '*.tmp\n/.discarded*', '*.tmp\n/.discarded*'],
    ['one of Windows that has the line', '/.discarded*\r\n*.tmp\r\n', '/.discarded*\r\n*.tmp\r\n'],
    ['one that is no UTF-8', Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('\xff\xfe\n/.discarded*\n', 'latin1')],
  ])('names the log once: %s', async (_what, before, after) => {
    if (before !== null) writeFileSync(vault.file('.gitignore'), before);
    await discardOne('one');
    await discardOne('two');
    expect(readFileSync(vault.file('.gitignore'))).toEqual(Buffer.from(after));
    expect(warnings).toEqual([]);
  });

  it('is left alone where it is a link, and the entry is written all the same', async () => {
    writeFileSync(vault.file('../elsewhere'), 'theirs\n');
    symlinkSync('../elsewhere', vault.file('.gitignore'));
    await discardOne('one');
    expect(readFileSync(vault.file('../elsewhere'), 'utf8')).toBe('theirs\n');
    expect(lstatSync(vault.file('.gitignore')).isSymbolicLink()).toBe(true);
    expect(readFileSync(vault.file(), 'utf8')).toContain('"id":"one"');
    expect(warnings).toEqual([expect.stringContaining('add the line /.discarded* to .gitignore')]);
  });

  it('is left alone where it is a folder', async () => {
    mkdirSync(vault.file('.gitignore'));
    await discardOne('one');
    expect(readFileSync(vault.file(), 'utf8')).toContain('"id":"one"');
    expect(warnings).toHaveLength(1);
  });

  it.skipIf(!canRunUnprivileged)('that may not be written keeps no entry from being written', () => {
    writeFileSync(vault.file('.gitignore'), 'theirs\n', { mode: 0o444 });
    const script = `
      import { silentLogger } from '@vault-mcp/shared/log';
      import { openPathLocks } from '@vault-mcp/shared/vault/lock';
      import { openVault } from '@vault-mcp/shared/vault/vault';
      import { openDiscardLog } from '@vault-mcp/shared/records/discards';
      const [, root, data] = process.argv;
      const locks = await openPathLocks(data);
      const warnings = [];
      const logger = Object.assign(silentLogger(), { warn: (_, text) => warnings.push(text) });
      const log = openDiscardLog(await openVault(root, { docSuffixes: [] }), locks, { logger });
      const n = await log.append({ id: 'one', kind: 'discarded', agent: 'claude' });
      console.log(JSON.stringify({ n, warnings: warnings.length }));
      locks.close();
    `;
    expect(runUnprivileged(script, [vault.root, vault.file('../other-data')])).toEqual({ n: 1, warnings: 1 });
    expect(readFileSync(vault.file('.gitignore'), 'utf8')).toBe('theirs\n');
  });
});
