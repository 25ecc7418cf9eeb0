// What doctor says of links, on real vaults and in its own process: what it offers, pasted, makes it content.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';

const LEXICAL = { EMBED_PROVIDER: 'lexical' };
const LINK_CODES = ['broken_link', 'ambiguous_link', 'links_unknown', 'links_unread'];

interface LinkFinding {
  readonly code: string;
  readonly severity: string;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  readonly written: string;
  readonly paste: readonly string[];
  readonly fix?: string;
}

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
  home.write('Home.md', '# Home\n\n[[Roof|the roof]], [[Pear tre#Pruning]], ![[Wanda]].\n');
  home.write('House/Roof.md', '# Roof\n\nUp to [home](../Homme.md "back").\n');
  home.write('Garden/Roof.md', '---\nup: "[[Garden/Home]]"\n---\n# The shed\n');
  home.write('Garden/Pear tree.md', '# Pear tree\n\nPlanted by [[Wanda]].\n');
  home.write('People/Wanda Ek.md', '---\naliases: [Wanda]\n---\n# Wanda Ek\n');
});
afterEach(() => home.close());

async function doctor(
  ...args: string[]
): Promise<{ code: number | null; links: LinkFinding[]; server: string | null }> {
  const { code, stdout, stderr } = await home.run(['doctor', '--json', ...args, ...home.here], LEXICAL);
  expect(stderr).toBe('');
  const { findings, server } = JSON.parse(stdout);
  return { code, links: findings.filter((one: LinkFinding) => LINK_CODES.includes(one.code)), server };
}

/** Puts a text in the place of a link, as a person would. */
function paste({ path, written }: LinkFinding, text: string): void {
  const note = readFileSync(join(home.vault, path), 'utf8');
  expect(note).toContain(written);
  home.write(
    path,
    note.replace(written, () => text),
  );
}

const brief = (links: readonly LinkFinding[]) => links.map(({ path, line, paste: texts }) => [path, line, ...texts]);

const OFFERED = [
  ['Garden/Pear tree.md', 3, '[[Wanda Ek|Wanda]]'],
  ['Garden/Roof.md', 2, '[[Home]]'],
  ['Home.md', 3, '[[Pear tree#Pruning]]'],
  ['Home.md', 3, '![[Wanda Ek]]'],
  ['House/Roof.md', 3, '[home](../Home.md "back")'],
  ['Home.md', 3, '[[House/Roof|the roof]]', '[[Garden/Roof|the roof]]'],
];

describe('doctor', () => {
  it('names links that lead nowhere or could mean several files, and is content with what it offers', async () => {
    const { code, links } = await doctor();
    expect(code).toBe(1);
    expect(brief(links)).toEqual(OFFERED);
    expect(links.map(({ severity }) => severity)).toEqual(Array(6).fill('warning'));
    for (const link of links) paste(link, link.paste[0] ?? '');
    expect(await doctor()).toMatchObject({ code: 0, links: [] });
  });

  it('names notes whose successors lead to none, and is content once they lead to one', async () => {
    const asked = async () => {
      const { code, stdout } = await home.run(['doctor', '--json', ...home.here], LEXICAL);
      const codes = JSON.parse(stdout).findings.map((one: LinkFinding) => `${one.code} ${one.path}`);
      return { code, codes: codes.filter((each: string) => each.startsWith('superseded')) };
    };
    for (const { path, written, paste: texts } of (await doctor()).links) {
      paste({ path, written } as LinkFinding, texts[0] ?? '');
    }
    home.write('Was/A.md', '---\nsuperseded_by: "[[Was/B]]"\n---\n');
    home.write('Was/B.md', '---\nsuperseded_by: "[[Was/A]]"\n---\n');
    home.write('Was/C.md', '---\nsuperseded_by: Was/D.md\n---\n');
    expect(await asked()).toEqual({ code: 1, codes: ['superseded_cycle Was/A.md', 'superseded_dangling Was/C.md'] });
    home.write('Was/B.md', 'It holds.\n');
    home.write('Was/D.md', 'It does.\n');
    expect(await asked()).toEqual({ code: 0, codes: [] });
  });

  it('says the same where a server holds the index, without being told of the files', async () => {
    const args = ['serve', '--lexical', '--port', '0', '--json', ...home.here];
    const serving = home.start(args);
    await serving.until(/"url":/);
    const { code, links, server } = await doctor();
    expect(server).toMatch(/^http:/);
    expect([code, brief(links)]).toEqual([1, OFFERED]);
    for (const link of links) paste(link, link.paste.at(-1) ?? '');
    expect(await doctor()).toMatchObject({ code: 0, links: [], server });
  }, 60_000);

  it('tells a person in lines to copy, each text on one of its own', async () => {
    const { stdout } = await home.run(['doctor', '--lexical', ...home.here]);
    expect(stdout).toContain(
      [
        'warning  Home.md:3  [[Roof|the roof]] could mean any of 2 files; Obsidian opens the first. Paste one of:',
        '         [[House/Roof|the roof]]',
        '         [[Garden/Roof|the roof]]',
        '',
        '6 findings need you.',
      ].join('\n'),
    );
    expect(stdout).toContain(
      'Paste:\n         [[Pear tree#Pruning]]\n         Or make the note "Pear tre.md", or write ',
    );
  });

  it('says which note to make where nothing is near, and is content once it is there', async () => {
    for (const { path } of (await doctor()).links) home.write(path, '# Nothing\n');
    home.write('Home.md', '# Home\n\n[[House/Slates|gone]]\n');
    const { code, links } = await doctor();
    const advice = 'Nothing has a name like it: make the note "House/Slates.md", or write "gone" without a link.';
    expect([code, links]).toMatchObject([1, [{ code: 'broken_link', paste: [], fix: advice }]]);
    home.write('House/Slates.md', '# Slates\n');
    expect((await doctor()).code).toBe(0);
  });

  it('looks at canvases too', async () => {
    for (const link of (await doctor()).links) paste(link, link.paste[0] ?? '');
    const nodes = [
      { type: 'file', file: 'Garden/Pear-tree.md' },
      { type: 'text', text: '[[Roof]]' },
    ];
    home.write('Board.canvas', JSON.stringify({ nodes, edges: [] }, null, 1));
    const { code, links } = await doctor();
    expect([code, brief(links)]).toEqual([
      1,
      [
        ['Board.canvas', undefined, '"file": "Garden/Pear tree.md"'],
        ['Board.canvas', undefined, '[[House/Roof]]', '[[Garden/Roof]]'],
      ],
    ]);
    for (const link of links) paste(link, link.paste[0] ?? '');
    expect((await doctor()).code).toBe(0);
  });

  it('names what it cannot read of them, and so does not call it well', async () => {
    for (const link of (await doctor()).links) paste(link, link.paste[0] ?? '');
    home.write('Board.canvas', '{"nodes": []}'.padEnd(400));
    const { code, stdout } = await home.run(['doctor', '--json', ...home.here], { ...LEXICAL, NOTE_MAX_BYTES: '300' });
    // Doctor does not wait for vectors: that some are still to come may be said besides.
    const wanting = JSON.parse(stdout).findings.filter(({ severity }: LinkFinding) => severity !== 'info');
    expect([code, wanting]).toMatchObject([1, [{ code: 'links_unread', path: 'Board.canvas' }]]);
  });

  it('names of the example vault the links that lead nowhere there on purpose', async () => {
    const example = join(import.meta.dirname, '../../examples/vault');
    const args = ['doctor', '--json', '--vault', example, '--data', home.data];
    const { code, stdout } = await home.run(args, LEXICAL);
    const findings: LinkFinding[] = JSON.parse(stdout).findings;
    expect([code, findings.filter(({ severity }) => severity !== 'info').map(({ written }) => written)]).toEqual([
      1,
      ['[[Emergency plan Edda]]', '[[Ines]]', '[[Boiler manual]]'],
    ]);
  });

  it('names at most so many of a kind, and says how many more there are', async () => {
    for (const { path } of (await doctor()).links) home.write(path, '# Nothing\n');
    mkdirSync(join(home.vault, 'Log'));
    const lines = Array.from({ length: 203 }, (_, n) => `[[Missing ${n}]]`);
    home.write('Log/All.md', lines.join('\n'));
    const { code, links } = await doctor();
    expect([code, links.length]).toEqual([1, 201]);
    expect(links.at(-1)?.message).toBe('Links besides these that lead nowhere: 3.');
  });
});
