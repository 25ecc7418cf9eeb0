import { chunkNote } from '@vault-mcp/shared/chunk/chunk';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { describe, expect, it } from 'vitest';
import { factsIn } from './chunk-facts.ts';

const SIZES = { targetTokens: 40, overlapTokens: 8, minTokens: 12, maxTokens: 100 };
const chunksOf = (text: string) =>
  chunkNote(parseNote(text), { title: 'A page of its own', titleChunk: true, ...SIZES }).map((chunk) => ({
    path: 'Wiki/a.md',
    ...chunk,
  }));

describe('the facts of a chunk', () => {
  it('stand in the page, in the lines that are named, also where a table is split and its header repeated', () => {
    const rows = Array.from({ length: 30 }, (_, n) => `| part ${n} | ${n * 7} |`);
    const page = `# Parts\n\n| Name | Price |\n| --- | --- |\n${rows.join('\n')}\n\n- The last one is out of stock\n`;
    const chunks = chunksOf(page);
    const facts = chunks.flatMap(factsIn).sort((one, other) => one.line - other.line);
    expect(chunks.length).toBeGreaterThan(2);
    expect(facts.map(({ text }) => text)).toEqual(['| Name | Price |', ...rows, '- The last one is out of stock']);
    for (const { line, text } of facts) expect(page.split('\n')[line - 1]).toBe(text);
  });

  it('are none where the chunk says what the page is called, for it has no other text', () => {
    const page = '---\ntitle: A page of its own\ndescription: Of nothing\n---\n';
    expect(chunksOf(page)).toMatchObject([{ text: 'A page of its own\nOf nothing' }]);
    expect(chunksOf(page).flatMap(factsIn)).toEqual([]);
  });

  it('are its bullets, nested ones too, and its other lines but headings', () => {
    const facts = chunksOf('# House\n\nIt is old.\n\n- Roof of slate [[roof]]\n  - Laid by Otto (added 2026-01-02)\n')
      .flatMap(factsIn)
      .sort((one, other) => one.line - other.line);
    expect(facts.map(({ line, said }) => [line, said])).toEqual([
      [3, 'It is old.'],
      [5, 'Roof of slate'],
      [6, 'Laid by Otto'],
    ]);
  });
});
