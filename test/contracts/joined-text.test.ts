// The api puts a document together from the chunks that the indexer cut: the two have to agree on what a chunk repeats.
import { joinedText } from '@vault-mcp/api/operations/joined-text';
import { chunkNote } from '@vault-mcp/shared/chunk/chunk';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { describe, expect, it } from 'vitest';

const SIZES = { targetTokens: 60, overlapTokens: 15, minTokens: 10, maxTokens: 400 };
const sentence = (n: number) => `Sentence ${n} names part ${n * 37} of the pump and its price of ${n * 11} crowns.`;
const many = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));

const TABLE = ['| Name | Price |', '| --- | --- |', ...many(60, (n) => `| part ${n} | ${n * 7} |`)].join('\n');
const LIST = many(12, (n) => `- ${sentence(n)}`).join('\n');
const PROSE = many(20, sentence).join(' ');

describe('a document cut into chunks and put together again', () => {
  it.each([
    ['a long table', `## Page 1\n\n${TABLE}\n\n## Page 2\n\nThe end.`],
    ['a long paragraph', `## Page 1\n\n${PROSE}\n\n## Page 2\n\n${PROSE}`],
    ['a long list', `## Page 1\n\n${LIST}`],
    ['all of them', `## Page 1\n\n${PROSE}\n\n${TABLE}\n\n${LIST}\n\n${TABLE}\n\nThe end.`],
  ])('is the same text: %s', (_what, text) => {
    const chunks = chunkNote(parseNote(text), { title: 'Manual', ...SIZES });
    expect(chunks.length).toBeGreaterThan(3);
    expect(joinedText(chunks)).toBe(text);
  });
});
