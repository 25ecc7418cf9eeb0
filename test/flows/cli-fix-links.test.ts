// `doctor --fix-links` on real vaults and in its own process: what it proposes, writes and leaves.
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliHome } from '../support/cli.ts';

const LEXICAL = { EMBED_PROVIDER: 'lexical' };
const HOME = '# Home\n\nSee [[Roof|the roof]] and [[Shed#Door]].\n';
const MENDED = '# Home\n\nSee [[Tiles|the roof]] and [[House/Shed#Door]].\n';
const CARD = { nodes: [{ type: 'file', file: 'House/Roof.md' }] };

interface Finding {
  readonly code: string;
  readonly path?: string;
  readonly line?: number;
  readonly message: string;
}

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
  home.write('Home.md', HOME);
  home.write('House/Roof.md', '# Roof\n\nSlates, and [home](../Home.md).\n');
  home.write('House/Shed.md', '# Shed\n\n## Door\n');
});
afterEach(() => home.close());

async function doctor(args: readonly string[] = [], env = {}) {
  const ended = await home.run(['doctor', '--json', ...args, ...home.here], { ...LEXICAL, ...env });
  const report = ended.stdout === '' ? { findings: [] } : JSON.parse(ended.stdout);
  const links = (report.findings as Finding[]).filter(({ code }) => /link/.test(code));
  return {
    code: ended.code,
    stderr: ended.stderr,
    links: links.map((one) => [one.code, one.path, one.line, one.message]),
  };
}

/** What another program does to the vault: a file renamed, and a namesake of another. */
function change(): void {
  mkdirSync(join(home.vault, 'Outside'));
  renameSync(join(home.vault, 'House/Roof.md'), join(home.vault, 'Outside/Tiles.md'));
  home.write('Garden/Shed.md', '# Another shed\n');
}

/** What happens before the server has found its vault quiet happens at the same time, for all that it knows. */
async function quiet(): Promise<void> {
  const reader = openIndexReader(join(home.data, 'index.db'));
  try {
    await vi.waitFor(() => {
      const { pass, files } = reader.fileHistory();
      expect(files).toHaveLength(3);
      expect(pass).toBeGreaterThan(Math.max(...files.map(({ changed }) => changed)));
    }, 20_000);
  } finally {
    reader.close();
  }
}

const read = (path: string) => readFileSync(join(home.vault, path), 'utf8');
const PROPOSED = [
  ['Home.md', 3, '[[Roof|the roof]] no longer leads where it led when it was written; [[Tiles|the roof]] does.'],
  ['Home.md', 3, '[[Shed#Door]] no longer leads where it led when it was written; [[House/Shed#Door]] does.'],
].map((one) => ['link_can_be_mended', ...one]);
const WRITTEN = [
  ['Home.md', 3, '[[Roof|the roof]] is [[Tiles|the roof]] now.'],
  ['Home.md', 3, '[[Shed#Door]] is [[House/Shed#Door]] now.'],
].map((one) => ['link_mended', ...one]);

describe('doctor, after other programs renamed files and took names', () => {
  it('proposes what is certain and writes nothing, until it is told to', async () => {
    expect(await doctor()).toMatchObject({ code: 0, links: [] });
    change();
    expect(await doctor()).toMatchObject({ code: 1, links: PROPOSED });
    expect(await doctor()).toMatchObject({ code: 1, links: PROPOSED });
    expect(read('Home.md')).toBe(HOME);
    expect(await doctor(['--fix-links'])).toMatchObject({ code: 0, links: WRITTEN });
    expect(read('Home.md')).toBe(MENDED);
    expect(await doctor(['--fix-links'])).toMatchObject({ code: 0, links: [] });
    expect(read('Home.md')).toBe(MENDED);
  }, 60_000);

  it('does the same beside a server, whose index has the new links then, and both are in the audit log', async () => {
    const serving = home.start(['serve', '--lexical', '--port', '0', '--json', ...home.here]);
    await serving.until(/"url":/);
    await quiet();
    change();
    expect(await doctor()).toMatchObject({ code: 1, links: PROPOSED });
    expect(await doctor(['--fix-links'])).toMatchObject({ code: 0, links: WRITTEN });
    expect(read('Home.md')).toBe(MENDED);
    expect(await doctor()).toMatchObject({ code: 0, links: [] });
    const { stdout } = await home.run(['audit', '--json', ...home.here]);
    expect(stdout).toContain('"doctor"');
  }, 60_000);

  it('mends a canvas by its paths', async () => {
    home.write('Board.canvas', JSON.stringify(CARD));
    await doctor();
    change();
    const proposed = (await doctor()).links.filter(([, path]) => path === 'Board.canvas');
    expect(proposed).toMatchObject([['link_can_be_mended', 'Board.canvas', undefined, expect.anything()]]);
    await doctor(['--fix-links']);
    expect(JSON.parse(read('Board.canvas'))).toEqual({ nodes: [{ type: 'file', file: 'Outside/Tiles.md' }] });
  }, 60_000);

  it('says of what it leaves why, once, and needs nobody for a name that has no longer form', async () => {
    home.write('Top.md', '# Top\n');
    home.write('x.md', '[[Top]] and [[Roof]]\n');
    await doctor();
    home.write('Garden/Top.md', '# Another top\n');
    home.write('House/Roof.md', '');
    renameSync(join(home.vault, 'House/Roof.md'), join(home.vault, 'House/Slates.md'));
    const { code, links } = await doctor(['--fix-links']);
    expect(code).toBe(1);
    expect(links.filter(([, path]) => path === 'x.md')).toEqual([
      [
        ...['broken_link', 'x.md', 1],
        '[[Roof]] leads nowhere. A link here is left as it is: led to "House/Roof.md", which is gone.',
      ],
    ]);
    home.write('House/Roof.md', '# Roof\n');
    expect((await doctor(['--fix-links'])).links.filter(([, path]) => path === 'x.md')).toEqual([
      [
        ...['link_left', 'x.md', 1],
        'A link here is left as it is: leads to "Top.md" at the root, whose name has no longer form; a note beside "Garden/Top.md" may open that one in Obsidian.',
      ],
    ]);
  }, 60_000);

  it('writes nothing where nothing may be written, and says so', async () => {
    await doctor();
    change();
    const { code, stderr } = await doctor(['--fix-links'], { READ_ONLY: 'true' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('server.read_only')]);
    expect(read('Home.md')).toBe(HOME);
    expect(await doctor([], { READ_ONLY: 'true' })).toMatchObject({ code: 1, links: PROPOSED });
  }, 60_000);

  it('knows nothing of what was there before an index that is built anew, and then only reports', async () => {
    await doctor();
    change();
    const { code, links } = await doctor(['--rebuild', '--fix-links']);
    expect(code).toBe(1);
    expect(links.map(([kind]) => kind).sort()).toEqual(['ambiguous_link', 'broken_link']);
    expect(read('Home.md')).toBe(HOME);
    expect(existsSync(dirname(join(home.vault, 'Outside/Tiles.md')))).toBe(true);
  }, 60_000);
});
