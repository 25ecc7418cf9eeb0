import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import { replaceText, type replaceTextInput } from './replace-text.ts';

const NOTE = '---\ntitle: Ten\n---\n# A\n\nTen and ten.\n\n# B\n\nTen.\n';
const vault = writingSuite({ 'N.md': NOTE });
const replace = (input: Omit<z.infer<typeof replaceTextInput>, 'path'>) =>
  replaceText(vault.context, { path: 'N.md', ...input }, ANYWHERE);
const text = async () => (await vault.everything())['N.md']?.replace(/timestamp.*\n/, '');

describe('replacing text', () => {
  it('changes the one place that was meant', async () => {
    await replace({ find: 'and ten', replace: 'or $& eleven' });
    expect(await text()).toBe(NOTE.replace('and ten', 'or $$& eleven'));
  });

  it('names the lines when there are more places, or none', async () => {
    await vault.refused(() => replace({ find: 'Ten', replace: 'X' }), 'ambiguous_text', /lines 6, 10/);
    await vault.refused(() => replace({ find: 'Nine', replace: 'X' }), 'no_such_text');
    await vault.refused(() => replace({ find: 'Ten', replace: 'X', count: 3 }), 'ambiguous_text');
  });

  it('changes all of as many as were expected', async () => {
    await replace({ find: 'Ten', replace: 'Nine', count: 2 });
    expect(await text()).toBe('---\ntitle: Ten\n---\n# A\n\nNine and ten.\n\n# B\n\nNine.\n');
  });

  it('makes no text that is longer than a note may be', async () => {
    vault.put('Long.md', 'x'.repeat(1000));
    const most = vault.context.config.vault.note_max_bytes;
    const call = { path: 'Long.md', find: 'x', replace: 'y'.repeat(most / 1000 + 1), count: 1000 };
    await vault.refused(() => replaceText(vault.context, call, ANYWHERE), 'note_too_large', /most/);
  });

  it('looks in one section, or in the frontmatter, when asked to', async () => {
    await replace({ find: 'Ten', replace: 'Nine', section: 'B' });
    await replace({ find: 'title: Ten', replace: 'title: Nine', include_frontmatter: true });
    expect(await text()).toBe('---\ntitle: Nine\n---\n# A\n\nTen and ten.\n\n# B\n\nNine.\n');
    await vault.refused(() => replace({ find: 'Ten', replace: '', section: 'C' }), 'no_such_heading');
  });
});
