import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { walkLinkCandidates } from './link-candidates.ts';
import { parseVaultPath } from './path.ts';

let on: WritableVault;
beforeEach(async () => {
  on = await createWritableVault();
});
afterEach(() => on.remove());

async function candidates(always: string): Promise<string[]> {
  const paths: string[] = [];
  const onProblem = ({ path }: { path: string }) => void paths.push(`problem: ${path}`);
  const options = { ignore: ['*conflict*'], always: parseVaultPath(always), onProblem };
  for await (const { path, kind } of walkLinkCandidates(on.vault, options)) paths.push(`${kind} ${path}`);
  return paths;
}

describe('what a link can mean', () => {
  it('is every visible file, but for ignored copies that do not move themselves', async () => {
    await on.put({
      '.trash/gone.md': '',
      'Deep/p.png': '',
      'Deep/scan.pdf': '',
      'Deep/a Conflict.md': '',
      'House/b conflict.md': '',
      'top.md': '',
    });
    await symlink('top.md', join(on.root, 'linked.md'));
    const always = ['attachment Deep/p.png', 'document Deep/scan.pdf', 'note top.md'];
    expect((await candidates('top.md')).sort()).toEqual(always);
    expect((await candidates('House')).sort()).toEqual([...always, 'note House/b conflict.md'].sort());
  });
});
