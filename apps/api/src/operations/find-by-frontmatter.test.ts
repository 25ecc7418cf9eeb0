import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { findByFrontmatter, findByFrontmatterInput } from './find-by-frontmatter.ts';
import { parseInput } from './input.ts';

const suite = readingSuite(
  {
    'House/Roof.md': '---\nstatus: open\ntags: [house, urgent]\n---\n# Roof\n',
    'House/Roof (conflicted copy).md': '---\nstatus: open\n---\n',
    'House/Cellar.md': '---\r\nstatus: done\r\n---\r\n',
    'Archive/Old.md': '\ufeff---\nstatus: open\n---\n',
    'Plain.md': 'status: open\n',
    'Broken.md': '---\nstatus: [open\n---\n',
    'Large.md': `---\nstatus: open\n---\n${'x'.repeat(2000)}`,
    'Files/a.pdf': '',
    '.hidden/secret.md': '---\nstatus: open\n---\n',
  },
  { NOTE_MAX_BYTES: '1024', INDEX_EXCLUDE_DIRS: 'Archive', SEARCH_EXCLUDE_DIRS: 'Archive' },
);
const find = (input: Record<string, unknown>) =>
  findByFrontmatter(suite.context, parseInput(findByFrontmatterInput, input));
const found = async (input: Record<string, unknown>) => (await find(input)).notes.map(({ filename }) => filename);

describe('notes by their frontmatter', () => {
  it('are those with the value, with no index and also where the index does not look', async () => {
    expect(await found({ key: 'status', value: 'open' })).toEqual(['Archive/Old.md', 'House/Roof.md']);
  });

  it('are those whose list holds it', async () => {
    expect(await found({ key: 'tags', value: 'urgent' })).toEqual(['House/Roof.md']);
  });

  it('are all that have the key when no value is named', async () => {
    expect(await found({ key: 'status' })).toEqual(['Archive/Old.md', 'House/Cellar.md', 'House/Roof.md']);
  });

  it.each(['House', 'House/', '/House'])('are those of one folder: %s', async (dir) => {
    expect(await found({ key: 'status', value: 'open', dir })).toEqual(['House/Roof.md']);
  });

  it('come with what could not be asked, and why', async () => {
    expect((await find({ key: 'status' })).left_out).toEqual([
      { path: 'Large.md', reason: expect.stringContaining('1024 bytes') },
      { path: 'Broken.md', reason: expect.stringContaining('frontmatter') },
    ]);
  });

  it('are not the generated index page, however large it is, and are a person’s own', async () => {
    const page = (mark: string, size: number) => `---\ngenerated_by: ${mark}\n---\n${'x'.repeat(size)}`;
    const seen = async () => {
      const { notes, left_out } = await find({ key: 'generated_by' });
      return [notes, left_out.map(({ path }) => path)];
    };
    const others = ['Large.md', 'Broken.md'];
    try {
      for (const size of [10, 2_000]) {
        suite.put('index.md', page('vault-mcp', size));
        expect(await seen()).toEqual([[], others]);
      }
      suite.put('index.md', page('me', 10));
      expect(await seen()).toEqual([[{ filename: 'index.md' }], others]);
      suite.put('index.md', page('me', 2_000));
      expect(await seen()).toEqual([[], ['Large.md', 'index.md', 'Broken.md']]);
    } finally {
      rmSync(join(suite.context.vault.root, 'index.md'));
    }
  });

  it('are found as soon as they are written, by whomever', async () => {
    for (const status of ['new!', 'old!', 'new!']) {
      suite.put('House/Shed.md', `---\nstate: ${status}\n---\n`);
      expect(await found({ key: 'state', value: status })).toEqual(['House/Shed.md']);
    }
  });

  it.each([
    ['a folder that is not there', 'Nowhere', 'not_found'],
    ['a note', 'Plain.md', 'not_a_directory'],
    ['a document', 'Files/a.pdf', 'not_a_directory'],
    ['below a note', 'Plain.md/x', 'not_a_directory'],
    ['a hidden folder', '.hidden', 'invalid_path'],
    ['outside', '../..', 'invalid_path'],
    ['a link', 'linked', 'invalid_path'],
  ])('are not looked for in %s', async (_what, dir, code) => {
    const link = join(suite.context.vault.root, 'linked');
    if (dir === 'linked') symlinkSync('/etc', link);
    await expect(find({ key: 'status', dir })).rejects.toMatchObject({ code });
  });

  it.each([
    [{}, /key is required/],
    [{ key: '' }, /key must not be empty/],
    [{ key: 'a', vaule: 'b' }, /did you mean "value"/],
  ])('are not looked for without a right question: %j', async (input, message) => {
    await expect(async () => find(input)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    });
  });
});
