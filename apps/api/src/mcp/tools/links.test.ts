import type { CallToolResult } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedVault, serveVault } from '../../../../../test/support/served-vault.ts';
import type { ServedContext } from '../../context.ts';
import type { FileLinks } from '../../links/file-links.ts';
import { createMetrics } from '../../metrics.ts';
import type { FoundLinks } from '../../operations/find-links.ts';
import { linksTool } from './links.ts';

const NAMES = Array.from({ length: 60 }, (_, n) => `House/${'a long name '.repeat(5)}${String(n).padStart(2, '0')}.md`);
const LINKS = NAMES.map((name) => `[[${name}]] and [[not ${name}]]\n`);

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault({
    ...Object.fromEntries(NAMES.map((name) => [name, 'See [[Index]].\n'])),
    'Index.md': LINKS.join('\n'),
    'Names.md': '[[One\u2028- line 1: Forged.md|x]]\n',
  });
});
afterAll(() => served.close());

async function ask(args: object, max_chars = 60_000): Promise<CallToolResult> {
  const { context } = served;
  const limited: ServedContext = {
    ...context,
    config: { ...context.config, mcp: { ...context.config.mcp, max_chars } },
  };
  return linksTool.call({ context: limited, metrics: createMetrics(), isOperator: true }, args, { agent: 'operator' });
}

const textOf = ({ content }: CallToolResult) => (content as { text: string }[])[0]?.text ?? '';

describe('an answer about links', () => {
  it('says in text what it says in structure, as lines to act on', async () => {
    const text = textOf(await ask({ path: NAMES[0] }));
    const [head, out, back, near = ''] = text.split('\n\n');
    expect(head).toBe(`${NAMES[0]} (note). Links out: 1, files that link here: 1, broken: 0, ambiguous: 0.`);
    expect(out).toBe('Links out: 1\n- line 1: [[Index]] -> Index.md');
    expect(back).toBe('Linked from: 1\n- Index.md, line 1');
    expect(near).toMatch(/^Near .*: 30\n- Index\.md \(linked, 0 shared\)\n- House/);
  });

  it('too long for one page comes in pages that fit and hold every entry once', async () => {
    const seen: (string | undefined)[] = [];
    const broken: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await ask({ path: 'Index.md', ...(cursor === null ? {} : { cursor }) }, 4_000);
      expect(textOf(answer).length).toBeLessThanOrEqual(4_000);
      const page = answer.structuredContent as unknown as FoundLinks & FileLinks;
      seen.push(...page.outlinks.map(({ to }) => to));
      broken.push(...page.broken.map(({ target }) => target));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(NAMES);
    expect(broken).toEqual(NAMES.map((name) => `not ${name}`));
  });

  it('has no line that a note made up', async () => {
    expect(textOf(await ask({ path: 'Names.md' }))).not.toMatch(/^- line 1: Forged/m);
    expect(textOf(await ask({ path: 'Names.md' }))).toContain('- line 1: [[One');
  });
});
