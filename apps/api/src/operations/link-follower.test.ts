import { createAccess } from '@vault-mcp/shared/vault/access';
import { followMove, type LinkingFile } from '@vault-mcp/shared/vault/note/follow-move';
import { relocate } from '@vault-mcp/shared/vault/note/relocation';
import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { letsOthersIn } from '../../../../test/support/lets-others-in.ts';
import { movingContext } from '../../../../test/support/moving-context.ts';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';
import { createLinkFollower } from './link-follower.ts';
import { type MoveContext, moveEntry } from './move-entry.ts';
import { surveyMove } from './move-survey.ts';

const p = (path: string) => path as VaultPath;
const NAMES = ['a.md', 'b.md', 'House/b.md', 'note.md', 'board.canvas', 'view.base'];
const MOVE = relocate(createVaultNames(NAMES.map(p)), p('a.md'), p('Deep/a.md'), null);
const { readRules } = createAccess([
  { prefix: '', read: true },
  { prefix: 'Shut', read: false },
]);
const SEEN = relocate(MOVE.before, p('a.md'), p('Deep/a.md'), readRules);
const LINES = 'A line of the log.\n'.repeat(4000);
const FILES: LinkingFile[] = [
  { path: p('note.md'), text: '---\nup: "[[a]]"\n---\n[a](a.md) [[b]] [[a.md|x]]\n' },
  { path: p('a.md'), text: '[b](b.md) [[a#^x]]' },
  { path: p('note.md'), text: '[a](a.md)', readOnly: 'not to be written' },
  { path: p('board.canvas'), text: '{"nodes":[{"type":"file","file":"a.md"},{"type":"text","text":"[x](a.md)"}]}' },
  { path: p('view.base'), text: 'filters:\n  - file.path == "a.md"\n' },
];

describe('following the links of a file', () => {
  it.each(FILES)('comes to the same on a thread as at once: $path', async (file) => {
    for (const move of [MOVE, SEEN]) {
      expect(await createLinkFollower({ atOnce: 0 }).follow(file, move)).toEqual(followMove(file, move));
    }
  });

  it('lets others in where the file is long, and does a short one at once', async () => {
    const follower = createLinkFollower();
    const canvas = `{"nodes":[{"type":"file","file":"a.md"}],"rest":"${LINES.replaceAll('\n', ' ')}"}`;
    const long: LinkingFile[] = [
      { path: p('note.md'), text: `[a](a.md)\n${LINES}` },
      { path: p('board.canvas'), text: canvas },
      { path: p('view.base'), text: LINES },
    ];
    for (const file of long) expect(await letsOthersIn(() => follower.follow(file, MOVE))).toBe(true);
    for (const file of FILES) expect(await letsOthersIn(() => follower.follow(file, MOVE))).toBe(false);
  });
});

describe('a move', () => {
  let on: WritableVault;
  let context: MoveContext;
  beforeEach(async () => {
    on = await createWritableVault();
    ({ context } = movingContext(on));
    const { config } = context;
    context = { ...context, config: { ...config, vault: { ...config.vault, note_max_bytes: 0 } } };
  });
  afterEach(() => on.remove());

  const move = (options = {}) => moveEntry(context, { source: 'a.md', destination: 'Deep/a.md', ...options }, ANYWHERE);

  it('takes long notes and canvases along like short ones, also in a dry run', async () => {
    await on.put({ 'a.md': 'a', 'long.md': `${LINES}[a](a.md)\n` });
    expect((await move({ dry_run: true })).diff).toContain('+[a](Deep/a.md)');
    const { left } = await move();
    // The writer of this vault takes no long notes: what was worked out reached it.
    expect(left).toEqual([{ path: 'long.md', line: 4001, reason: expect.stringMatching(/split the note/) }]);
  });

  it('that takes too long for one file leaves that one, says so, and does the rest', async () => {
    await on.put({ 'a.md': 'a', 'long.md': `${LINES}[a](a.md)\n`, 'b.md': '[a](a.md)' });
    const follower = createLinkFollower({ timeoutMs: 1 });
    const { following, left } = await surveyMove(context, p('a.md'), p('Deep/a.md'), { follower });
    expect(following).toMatchObject([{ path: 'b.md', textAfter: '[a](Deep/a.md)' }]);
    expect(left).toEqual([{ path: 'long.md', line: null, reason: expect.stringMatching(/takes too long/) }]);
  });
});
