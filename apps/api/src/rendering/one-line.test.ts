import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { sectionText } from '@vault-mcp/shared/vault/note/sections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forTerminal, oneLine, targetLine } from './one-line.ts';

const text = fc.array(
  fc.oneof(
    fc.constantFrom('\n', '\r', '\t', '\x1b[2J', '\x07', '\x7f', '\x85', '\x9b', '\u2028', '\u2029', 'é', '日', 'a b'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
);

describe('a name in a line', () => {
  it('shows what would break the line or steer a terminal', () => {
    expect(oneLine('a\nb\r\tc\x1b[31m\x7f\x85\x9b\u2028d')).toBe('a␊b␍␉c␛[31m␡␤\ufffd␤d');
  });

  it('is one line without control characters, of the same length, whatever it was', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const shown = oneLine(parts.join(''));
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(shown).toHaveLength(parts.join('').length);
      }),
    );
  });

  it('is left as it is when it is harmless', () => {
    expect(oneLine('日本/Grüße – 2.md')).toBe('日本/Grüße – 2.md');
  });
});

describe('a target in a line', () => {
  it.each([
    ['A\u2028\tb\x0bc', 'A b c'],
    ['bell\x07, \x1b[2Jescape\x85', 'bell, [2Jescape'],
  ])('still resolves when its heading is %j', (heading, shown) => {
    const note = parseNote(`# ${heading}\ntext\n`);
    const line = targetLine(note.headings[0]?.target ?? '');
    expect(line).toBe(shown);
    expect(sectionText(note, line)).toBe(note.text);
  });
});

describe('a text for a terminal', () => {
  it('keeps lines and tabs, and shows what would steer the terminal', () => {
    expect(forTerminal('a\tb\r\nc\n\x1b]0;title\x07\rd')).toBe('a\tb\nc\n␛]0;title␇␍d');
  });
});
