// Every target that vault_map prints, of a note with the worst headings there are, pastes back into vault_patch and
// vault_read, and means its own heading or block and no other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpClient, modernClient, textOf } from '../support/mcp-clients.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { contentOf } from '../support/writable-vault.ts';
import { NOW, STAMP } from '../support/writing-context.ts';

const HEADINGS = [
  '# Plan',
  '## Costs',
  '### Roof',
  '## Costs',
  '### Roof',
  '### Roof',
  '## A::B',
  '### C',
  '## A',
  '### B',
  '#### C',
  '## back\\',
  '## \\::escaped',
  '## **Bold** and _slanted_ `code`',
  '## [[Other note|alias]] and [text](https://example.org "t")',
  '## Emoji 🧀 — dash – and − minus',
  '## C#',
  '## closed ##',
  '## # of things',
  '## Costs[2]',
  '## Costs[3]',
  '## [1]',
  '## ^caret',
  '## Body',
  '## tab\tand\u00a0nbsp  blanks',
  '## soft\u00adhyphen',
  '## &amp; <b>html</b>',
  '## "quoted" \'single\'',
  '##',
  '## ::',
  '## trailing::',
  '## bell\u0007',
  '## line\u2028separator',
  'Set\nby two lines\n---',
  '# Plan',
  '## Costs',
  '###### Deep',
];
const BLOCKS = ['one', 'two-2', 'UPPER', '3'];
const NOTE = `---\ntitle: Nasty\ntimestamp: ${STAMP}\n---\n${HEADINGS.map((heading, n) => `${heading}\n\nText ${n}.\n`).join('\n')}\n${BLOCKS.map(
  (id) => `A block ${id}. ^${id}\n`,
).join('\n')}`;

let served: ServedVault;
let client: McpClient;
beforeAll(async () => {
  served = await serveVault({ 'Nasty.md': NOTE }, {}, { indexed: false, parts: { now: () => NOW } });
  client = await modernClient({ url: new URL('/mcp', served.url) });
});
afterAll(async () => {
  await client.close();
  await served.close();
});

interface Heading {
  readonly line: number;
  readonly target: string;
}

async function mapped(): Promise<{ headings: Heading[]; printed: Heading[]; blocks: string[] }> {
  const map = await client.call('vault_map', { path: 'Nasty.md' });
  const { headings } = map.structuredContent as unknown as { headings: Heading[] };
  const lines = [...textOf(map).matchAll(/^(\d+): #+ (.*)$/gm)];
  const printed = lines.map(([, line, target]) => ({ line: Number(line), target: target ?? '' }));
  const blocks = /^Blocks: (.*)$/m.exec(textOf(map))?.[1]?.split(' ') ?? [];
  return { headings, printed, blocks };
}

/** Writes the note as it was. @returns its lines */
async function reset(): Promise<string[]> {
  await client.call('vault_write', { path: 'Nasty.md', content: NOTE, overwrite: true });
  expect(await noteText()).toBe(NOTE);
  return NOTE.split('\n');
}

/** Puts a text in by a patch. @returns the lines above it, none of which may have changed */
async function above(args: Record<string, unknown>): Promise<string[]> {
  const before = await reset();
  const answer = await client.call('vault_patch', { path: 'Nasty.md', content: 'MARK', ...args });
  if (answer.isError) throw new Error(textOf(answer));
  const lines = (await noteText()).split('\n');
  expect(lines.filter((line) => line.includes('MARK'))).toHaveLength(1);
  const kept = lines.slice(
    0,
    lines.findIndex((line) => line.includes('MARK')),
  );
  expect(kept).toEqual(before.slice(0, kept.length));
  return kept;
}

const noteText = async () =>
  Buffer.from((await contentOf(served.vaultPath))['Nasty.md'] ?? '', 'latin1').toString('utf8');

describe('what vault_map prints', () => {
  it('is every heading and block', async () => {
    const { headings, printed, blocks } = await mapped();
    expect(headings.length).toBeGreaterThanOrEqual(HEADINGS.length - 1);
    expect(printed.map(({ line }) => line)).toEqual(headings.map(({ line }) => line));
    expect(blocks).toEqual(['^caret', ...BLOCKS.map((id) => `^${id}`)]);
  });

  it.each(['printed', 'headings'] as const)('as a heading (%s) is the heading it stands beside', async (form) => {
    await reset();
    const found = await mapped();
    const lines = await reset();
    for (const { line, target } of found[form]) {
      const kept = await above({ target, operation: 'prepend', scope: 'own' });
      // The heading, then a blank line; one that is underlined has more lines of its own.
      const own = lines[line + 1] === '---' ? 3 : 1;
      expect([target, kept.length]).toEqual([target, line - 1 + own + 1]);
      const read = await client.call('vault_read', { path: 'Nasty.md', section: target });
      expect([target, read.structuredContent?.content]).toEqual([target, expect.stringContaining('MARK')]);
    }
  });

  it('as a block is that block', async () => {
    for (const target of (await mapped()).blocks) {
      const heading = target === '^caret';
      const kept = await above({ target_type: 'block', target, operation: heading ? 'append' : 'replace' });
      const next = (await noteText()).split('\n')[kept.length];
      expect([target, heading ? kept.filter((line) => line !== '').at(-1) : next]).toEqual([
        target,
        heading ? '## ^caret' : `MARK ${target}`,
      ]);
    }
  });
});
