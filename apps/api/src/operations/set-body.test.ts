import { describe, expect, it } from 'vitest';
import { ANYWHERE, STAMP, writingSuite } from '../../../../test/support/writing-context.ts';
import { setBody } from './set-body.ts';

const BLOCK = '---\ntitle: "A" # why\ntimestamp: x\n---\n';
const vault = writingSuite({ 'N.md': `${BLOCK}\nOld.\n`, 'Broken.md': '---\na: b: c\n---\nOld.\n' });

describe('setting the body', () => {
  it('keeps the frontmatter byte for byte but for the timestamp', async () => {
    await setBody(vault.context, { path: 'N.md', content: 'New.' }, ANYWHERE);
    expect((await vault.everything())['N.md']).toBe(`${BLOCK.replace('x\n', `${STAMP}\n`)}\nNew.\n`);
  });

  it('works below a block that cannot be read', async () => {
    await setBody(vault.context, { path: 'Broken.md', content: 'New.\n' }, ANYWHERE);
    expect((await vault.everything())['Broken.md']).toBe('---\na: b: c\n---\nNew.\n');
  });
});
