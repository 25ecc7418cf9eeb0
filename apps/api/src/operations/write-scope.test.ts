import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { decodeRequestPath, type VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { writeScope } from './write-scope.ts';

const vault = readingSuite({
  'Projects/Plan.md': 'x',
  'Projects/paper.pdf': 'x',
  'Projects/picture.png': 'x',
  'index.md': 'x',
});

describe('what writes are confined to', () => {
  it.each([
    ['Projects', 'Projects'],
    ['Projects/', 'Projects'],
    ['Projects/Plan.md', 'Projects/Plan.md'],
  ])('may be %s', async (raw, path) => {
    expect(await writeScope(vault.context, decodeRequestPath(raw))).toBe(path);
  });

  it('is spelt as on the disk', async () => {
    vault.put('Cafe\u0301/x.md', 'x');
    expect(await writeScope(vault.context, 'Caf\u00e9' as VaultPath)).toBe('Cafe\u0301');
    expect(await writeScope(vault.context, 'Caf\u00e9/X.MD' as VaultPath).catch(({ code }) => code)).toBe('not_found');
    expect(await writeScope(vault.context, 'Caf\u00e9/x.md' as VaultPath)).toBe('Cafe\u0301/x.md');
  });

  it.each([
    ['', 'invalid_path'],
    ['index.md', 'invalid_path'],
    ['INDEX.MD', 'invalid_path'],
    ['Nowhere', 'not_found'],
    ['Nowhere/New.md', 'not_found'],
    ['New.md', 'not_found'],
    ['Projects/To be made.md', 'not_found'],
    ['Projects/Plan.md/New.md', 'not_a_directory'],
    ['Projects/paper.pdf', 'is_document'],
    ['Projects/picture.png', 'unsupported_suffix'],
    ['Projects/new.pdf', 'not_found'],
    [`Projects/${'x'.repeat(260)}.md`, 'invalid_path'],
  ])('is never %j', async (path, code) => {
    await expect(writeScope(vault.context, path as VaultPath)).rejects.toMatchObject({ code });
  });

  it('is never reached through a symbolic link', async () => {
    symlinkSync(join(vault.context.vault.root, 'Projects'), join(vault.context.vault.root, 'Link'));
    await expect(writeScope(vault.context, 'Link' as VaultPath)).rejects.toMatchObject({ code: 'invalid_path' });
    await expect(writeScope(vault.context, 'Link/New.md' as VaultPath)).rejects.toMatchObject({ code: 'invalid_path' });
  });
});
