import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ANYWHERE, STAMP, writingSuite } from '../../../../test/support/writing-context.ts';
import { setFrontmatter, type setFrontmatterInput } from './set-frontmatter.ts';

const NOTE = '---\n# kept\ntitle: "A" # why\ntags:\n  - x\n---\nBody.\n';
const vault = writingSuite({ 'N.md': NOTE, 'Bare.md': 'Body.\n', 'Broken.md': '---\na: b: c\n---\nBody.\n' });
const set = (input: Omit<z.infer<typeof setFrontmatterInput>, 'path'>, path = 'N.md') =>
  setFrontmatter(vault.context, { path, ...input }, ANYWHERE);
const text = async (path = 'N.md') => (await vault.everything())[path];

describe('setting a frontmatter key', () => {
  it('touches the lines of that key only, and sets the timestamp', async () => {
    await set({ key: 'title', value: 'no' });
    const stamped = NOTE.replace('  - x\n', `  - x\ntimestamp: ${STAMP}\n`);
    expect(await text()).toBe(stamped.replace('"A"', '"no"'));
  });

  it.each([[false], [0], [''], [['a', 'b']], [{ a: { b: 1 } }]])('takes %j', async (value) => {
    await expect(set({ key: 'other', value })).resolves.toMatchObject({ changed: true });
  });

  it('deletes a key, and finds nothing wrong in one that is not there', async () => {
    await set({ key: 'tags', delete: true });
    expect(await text()).toBe(`---\n# kept\ntitle: "A" # why\ntimestamp: ${STAMP}\n---\nBody.\n`);
    await expect(set({ key: 'absent', delete: true })).resolves.toMatchObject({ changed: false });
  });

  it('adds to what a key holds, under the lock and on its lines only', async () => {
    await Promise.all(['b', 'c'].map((tag) => set({ key: 'tags', operation: 'append', value: [tag] })));
    const [head = '', items = ''] = (await text())?.split('tags:\n') ?? [];
    expect(head).toBe(NOTE.split('tags:\n')[0]);
    expect([...items.matchAll(/- (\w)/g)].map((match) => match[1])).toEqual(expect.arrayContaining(['x', 'b', 'c']));
    await set({ key: 'other', operation: 'prepend', value: 'new' });
    expect(await text()).toContain('other: new\n');
    await vault.refused(() => set({ key: 'tags', operation: 'append', value: 'y' }), 'invalid_value', /\["new"\]/);
    await vault.refused(() => set({ key: 'tags', operation: 'append', delete: true }), 'invalid_request');
  });

  it('makes a block only when asked to', async () => {
    await vault.refused(() => set({ key: 'a', value: 1 }, 'Bare.md'), 'no_frontmatter', /create_if_missing/);
    await set({ key: 'a', value: 1, create_if_missing: true }, 'Bare.md');
    expect(await text('Bare.md')).toBe(`---\ntimestamp: ${STAMP}\na: 1\n---\nBody.\n`);
  });

  it.each(['9007199254740993', '-9007199254740993', '1e21', '1e400', '[1, {"a": 9007199254740993}]'])(
    'refuses %s, which JSON cannot carry, and takes it as text',
    async (json) => {
      await vault.refused(() => set({ key: 'id', value: JSON.parse(json) }), 'invalid_value', /not finite|in quotes/);
      await expect(set({ key: 'id', value: json })).resolves.toMatchObject({ changed: true });
    },
  );

  it('takes the largest whole numbers that JSON can carry', async () => {
    await set({ key: 'id', value: [9007199254740991, -9007199254740991, 0.1] });
    expect(await text()).toContain('id:\n  - 9007199254740991\n  - -9007199254740991\n  - 0.1\n');
  });

  it('refuses null, a block that cannot be read, and unclear wishes', async () => {
    await vault.refused(() => set({ key: 'title', value: null }), 'invalid_value', /delete/);
    await vault.refused(() => set({ key: 'title', value: 'x' }, 'Broken.md'), 'invalid_value');
    await vault.refused(() => set({ key: '__proto__', value: 'x' }), 'invalid_value');
    await vault.refused(() => set({ key: 'title' }), 'invalid_request');
    await vault.refused(() => set({ key: 'title', value: 'x', delete: true }), 'invalid_request');
  });
});
