import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Message, messageReader } from './sandbox-messages.ts';

function read(chunks: readonly Buffer[], maxBytes = 10_000): { messages: Message[]; problems: string[] } {
  const messages: Message[] = [];
  const problems: string[] = [];
  const take = messageReader({
    maxBytes,
    onMessage: (message) => messages.push(message),
    onProblem: (problem) => problems.push(problem),
  });
  for (const chunk of chunks) take(chunk);
  return { messages, problems };
}

const said: Message[] = [
  { progress: { page: 1, pages: 2, step: 'ocr' } },
  { error: { code: 'ENOENT', message: 'gone – 消えた' } },
  {
    result: {
      status: 'ocr',
      text: 'Zürich 😀',
      pages: 2,
      has_text_layer: false,
      extracted_chars: 9,
      detail: '',
      ocr_pages: 2,
      unfinished: null,
      sha256: 'ab',
    },
  },
];
const bytes = Buffer.from(said.map((message) => `${JSON.stringify(message)}\n`).join(''));

describe('messageReader', () => {
  it('reads the same messages however the pipe cuts them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((to, at) => bytes.subarray(edges[at], to));
        expect(read(chunks)).toEqual({ messages: said, problems: [] });
      }),
    );
  });

  it.each(['not json', '{}', '{"result":{"status":"done"}}', '{"result":{"status":"ocr","text":1}}', 'null', ''])(
    'ends the conversation at the line %j',
    (line) => {
      const { messages, problems } = read([Buffer.from(`${line}\n`), bytes]);
      expect(messages).toEqual([]);
      expect(problems).toEqual(['answered something that is no result']);
    },
  );

  it('ends it when more is said than allowed, even without a line break', () => {
    const { messages, problems } = read([Buffer.alloc(60, 'a'), Buffer.alloc(60, 'a'), bytes], 100);
    expect(messages).toEqual([]);
    expect(problems).toEqual(['answered more than can be kept']);
  });
});
