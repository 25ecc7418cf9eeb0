import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../../../test/support/tokens-of.ts';
import { parseNote } from '../vault/note/parse.ts';
import { type ChunkOptions, chunkNote } from './chunk.ts';

const defaults: ChunkOptions = { targetTokens: 400, overlapTokens: 60, minTokens: 120, maxTokens: 1500 };
const small: ChunkOptions = { targetTokens: 40, overlapTokens: 8, minTokens: 12, maxTokens: 100 };
const chunk = (text: string, options: Partial<ChunkOptions> = {}) =>
  chunkNote(parseNote(text), { title: 'Note', ...defaults, ...options });

const line = fc.oneof(
  fc.constantFrom(
    '# One',
    '## Two',
    '### Three',
    '#### Four',
    'Setext\n===',
    '```',
    '~~~js',
    '| a | b |\n| --- | --- |\n| c | d |',
    '---',
    '<div>',
    '%%',
    '> quote',
    '- - nested',
    '    code',
  ),
  fc.nat(30).map((n) => `- item ${'word '.repeat(n)}`),
  fc.nat(80).map((n) => `Text ${'and more. '.repeat(n)}`),
  fc.nat(60).map((n) => '漢字かな。'.repeat(n)),
  fc.nat(400).map((n) => 'x'.repeat(n)),
  fc.constant(''),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const note = fc
  .tuple(fc.constantFrom('', '---\ntitle: x\n---\n', '\ufeff'), fc.array(line, { maxLength: 40 }))
  .map(([front, lines]) => front + lines.join('\n'));

describe('chunks of any note', () => {
  const settings = fc.constantFrom(
    defaults,
    small,
    { ...small, minTokens: 0 },
    { targetTokens: 10, overlapTokens: 9, minTokens: 5, maxTokens: 12 },
  );

  it('lie inside the file in order, are numbered, not blank, and never over the maximum', () => {
    fc.assert(
      fc.property(note, settings, (text, options) => {
        const lines = text.split('\n').length;
        let before = 1;
        chunk(text, options).forEach((found, at) => {
          expect(found.ordinal).toBe(at);
          expect(found.lineStart).toBeGreaterThanOrEqual(before);
          expect(found.lineEnd).toBeGreaterThanOrEqual(found.lineStart);
          expect(found.lineEnd).toBeLessThanOrEqual(lines);
          expect(found.text.trim()).not.toBe('');
          expect(tokensOf(found.text)).toBeLessThanOrEqual(options.maxTokens);
          before = found.lineStart;
        });
      }),
      { numRuns: 300 },
    );
  });

  it('hold every line of the body that is not blank', () => {
    fc.assert(
      fc.property(note, settings, (text, options) => {
        const parsed = parseNote(text);
        const found = chunkNote(parsed, { title: 'Note', ...options });
        const held = new Set(
          found.flatMap(({ lineStart, lineEnd }) =>
            Array.from({ length: lineEnd - lineStart + 1 }, (_, n) => lineStart + n),
          ),
        );
        const letters = found.map((piece) => piece.text).join('');
        text
          .slice(parsed.bodyFrom)
          .split('\n')
          .forEach((content, n) => {
            if (content.trim() === '') return;
            expect(held.has(parsed.lines.lineAt(parsed.bodyFrom) + n), content).toBe(true);
            expect([...content.trim()].every((letter) => letters.includes(letter))).toBe(true);
          });
      }),
      { numRuns: 300 },
    );
  });

  it('put together without their overlap are the text', () => {
    fc.assert(
      fc.property(note, (text) => {
        const parsed = parseNote(text);
        const found = chunkNote(parsed, { title: 'Note', ...small, overlapTokens: 0 });
        const withoutHeaders = found.map((piece) => piece.text.replace(/^\| a \| b \|\n\| --- \| --- \|\n/, ''));
        const compact = (value: string): string =>
          value.replaceAll('| a | b |\n| --- | --- |\n', '').replace(/\s/g, '');
        const body = compact(text.slice(parsed.bodyFrom).replaceAll('\r\n', '\n'));
        if (body !== '' || found.length === 0) expect(compact(withoutHeaders.join('\n'))).toBe(body);
      }),
      { numRuns: 300 },
    );
  });

  it('are the same each time, and for CRLF as for LF', () => {
    fc.assert(
      fc.property(note, settings, (text, options) => {
        // Whether a table is one is the parser's to say, not the chunker's: its rows are left out.
        const lf = text.replaceAll('\r', '').replaceAll('|', '');
        expect(chunk(lf, options)).toEqual(chunk(lf, options));
        expect(chunk(lf.replaceAll('\n', '\r\n'), options)).toEqual(chunk(lf, options));
      }),
      { numRuns: 200 },
    );
  });
});
