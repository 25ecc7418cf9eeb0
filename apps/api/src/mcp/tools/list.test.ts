import type { CallToolResult } from '@modelcontextprotocol/server';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { asVault } from '../../../../../test/support/as-vault.ts';
import { readingSuite } from '../../../../../test/support/reading-context.ts';
import type { ServedContext } from '../../context.ts';
import { createMetrics } from '../../metrics.ts';
import { listTool } from './list.ts';

const NAMES = Array.from({ length: 40 }, (_, n) => `House/${'a long name '.repeat(5)}${String(n).padStart(2, '0')}.md`);
const vault = readingSuite(Object.fromEntries(NAMES.map((name) => [name, 'x'])));

interface Page {
  readonly entries: { path: string }[];
  readonly next_cursor: string | null;
}

/** Calls the tool with answers of at most `max_chars`, and counts how often the folder is looked up. */
function tool(max_chars: number) {
  const { context } = vault;
  const lookUps: string[] = [];
  const counting = {
    ...context,
    audit: { append: () => undefined },
    config: { ...context.config, mcp: { ...context.config.mcp, max_chars } },
    vault: asVault({
      ...context.vault,
      locate: (path: VaultPath) => {
        lookUps.push(path);
        return context.vault.locate(path);
      },
    }),
  } as unknown as ServedContext;
  const call = (args: unknown) =>
    listTool.call({ context: counting, metrics: createMetrics(), isOperator: true }, args, { agent: 'operator' });
  return { call, lookUps };
}

describe('a listing too long for one answer', () => {
  it('is given in pages that fit and hold every entry once', async () => {
    const { call } = tool(1_000);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const answer: CallToolResult = await call({ path: 'House', ...(cursor === null ? {} : { cursor }) });
      const [text] = answer.content as { text: string }[];
      expect(text?.text.length).toBeLessThanOrEqual(1_000);
      const page = answer.structuredContent as unknown as Page;
      seen.push(...page.entries.map(({ path }) => path));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(NAMES);
  });

  it('is read from disk once per answer, however much of it fits', async () => {
    const roomy = tool(100_000);
    await roomy.call({ path: '', recursive: true });
    const narrow = tool(1_000);
    await narrow.call({ path: '', recursive: true });
    expect(narrow.lookUps).toEqual(roomy.lookUps);
  });

  it('still makes headway when not even one line fits', async () => {
    const answer = await tool(10).call({ path: 'House' });
    expect((answer.structuredContent as unknown as Page).entries).toHaveLength(1);
  });
});
