import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movingContext } from '../../../../test/support/moving-context.ts';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';
import { type MoveContext, moveEntry } from './move-entry.ts';

let on: WritableVault;
let context: MoveContext;
beforeEach(async () => {
  on = await createWritableVault();
  ({ context } = movingContext(on));
});
afterEach(() => on.remove());

const LINKS = '# Index\n\n- [A](a.md)\n- [[a]]\n';
const move = () => moveEntry(context, { source: 'a.md', destination: 'Deep/b.md' }, ANYWHERE);

describe('moving a note that the index page links to', () => {
  it('leaves a generated page to its generator', async () => {
    const page = `---\ngenerated_by: vault-mcp\n---\n${LINKS}`;
    await on.put({ 'a.md': '# A\n', 'index.md': page });
    expect(await move()).toMatchObject({ links_updated: 0, notes_updated: 0, left: [] });
    expect(await on.read('index.md')).toBe(page);
  });

  it.each(['index.md', 'INDEX.md'])('names each link of a person’s own, which is protected: %s', async (name) => {
    await on.put({ 'a.md': '# A\n', [name]: LINKS });
    expect(await move()).toMatchObject({
      links_updated: 0,
      left: [
        { path: name, line: 3, reason: expect.stringContaining('protected') },
        { path: name, line: 4, reason: expect.stringContaining('protected') },
      ],
    });
    expect(await on.read(name)).toBe(LINKS);
  });
});
