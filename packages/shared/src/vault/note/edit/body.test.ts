import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';
import { appendToNote, setBody } from './body.ts';

const append = (text: string | null, content: string) =>
  appendToNote(text === null ? null : parseNote(text), content).text;
const body = (text: string, content: string) => setBody(parseNote(text), content).text;

describe('appending to a note', () => {
  it.each([
    ['a\n', 'b', 'a\n\nb\n'],
    ['a\n', 'b\n', 'a\n\nb\n'],
    ['a', '\nb\n\n', 'a\n\nb'],
    ['a\n\n\n', 'b', 'a\n\nb\n\n\n'],
    ['a  \r\n', 'b\nc', 'a  \r\n\r\nb\r\nc\r\n'],
    ['---\nt: 1\n---\n', 'b', '---\nt: 1\n---\n\nb\n'],
    ['---\nt: 1\n---', 'b', '---\nt: 1\n---\n\nb'],
    ['\ufeff', 'b', '\ufeffb'],
    ['\n', 'b', 'b\n'],
    ['   \n', 'b', 'b\n'],
    ['---\nt: 1\n---\n \t\n', 'b', '---\nt: 1\n---\n\nb\n'],
    ['a\n', ' \n', 'a\n'],
    ['- a\n', '- b', '- a\n- b\n'],
    ['- a\n', '* b', '- a\n\n* b\n'],
    ['| a | b |\n|---|---|\n', '| c | d |', '| a | b |\n|---|---|\n| c | d |\n'],
    [
      '| a | b |\r\n|:-:|---|\r\n| 1 | 2 |',
      '| c | \\| |\n| e |  |',
      '| a | b |\r\n|:-:|---|\r\n| 1 | 2 |\r\n| c | \\| |\r\n| e |  |',
    ],
    ['| a |\n|---|\n', '| b |\n\nText.', '| a |\n|---|\n| b |\n\nText.\n'],
    ['| a |\n|---|\n', '| b | c |', '| a |\n|---|\n\n| b | c |\n'],
    ['| a |\n|---|\n', '| b |\n|---|\n| c |', '| a |\n|---|\n\n| b |\n|---|\n| c |\n'],
    ['| a |\n|---|\n', '| b |\nText.', '| a |\n|---|\n\n| b |\nText.\n'],
    ['a | b\n---|---\n', 'c | d', 'a | b\n---|---\n\nc | d\n'],
    ['> | a |\n> |---|\n', '| b |', '> | a |\n> |---|\n\n| b |\n'],
    ['---\nt:\n- a\n---\n', '- b', '---\nt:\n- a\n---\n\n- b\n'],
  ])('puts one blank line between %j and %j', (text, content, expected) => {
    expect(append(text, content)).toBe(expected);
  });

  it('makes a note that is not there of the text as it is', () => {
    for (const content of ['---\r\nt: 1\r\n---\r\n\r\n\r\nx', '', 'x\n\n']) {
      expect(append(null, content)).toBe(content);
      expect(append('', content)).toBe(content);
    }
  });

  it('refuses text that would make frontmatter of the beginning', () => {
    expect(() => append('---\na\n', 'b\n---\n')).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});

describe('another body', () => {
  it.each([
    ['---\nt: 1\n---\n\nold\n', 'new', '---\nt: 1\n---\n\nnew\n'],
    ['---\nt: 1\n---\nold\n', 'new\n', '---\nt: 1\n---\nnew\n'],
    ['---\nt: 1\n---\nold\n', '\n\nnew\n', '---\nt: 1\n---\n\n\nnew\n'],
    ['---\nt: 1\n---\n', 'new', '---\nt: 1\n---\n\nnew\n'],
    ['---\nt: 1\n---', 'new', '---\nt: 1\n---\n\nnew'],
    ['---\nt: 1\n---', '\n\nnew', '---\nt: 1\n---\n\n\nnew'],
    ['---\r\nt: [\r\n---\r\n\r\nold', 'a\nb\n', '---\r\nt: [\r\n---\r\n\r\na\r\nb'],
    ['\ufeffold\n', 'new', '\ufeffnew\n'],
    ['---\nt: 1\n---\n\nold\n', '', '---\nt: 1\n---\n'],
    ['', 'new', 'new'],
  ])('keeps the block of %j for %j', (text, content, expected) => {
    expect(body(text, content)).toBe(expected);
  });

  it.each(['---\nt: 1\n---\n\n\nold\n\n', '---\nt: 1\n---\nold  ', 'old\n  ', '\r\n\r\nold\r\n', '\ufeff'])(
    'that is the same changes nothing: %j',
    (text) => {
      expect(body(text, text.slice(parseNote(text).bodyFrom))).toBe(text);
    },
  );

  it('is no place for frontmatter', () => {
    expect(() => body('old\n', '---\nt: 1\n---\nnew')).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});

describe('a body that begins with a frontmatter block, as a whole note does', () => {
  it.each(['---\nt: 2\n---\n\nnew', '---\n{t: 2}\n...\nnew', '\ufeff---\r\nt: 2\r\n---'])(
    'is refused, since the note would have two: %j',
    (content) => {
      const refused = { code: 'invalid_value', message: expect.stringContaining('leave the block out') };
      expect(() => body('---\nt: 1\n---\n\nold\n', content)).toThrow(expect.objectContaining(refused));
    },
  );

  it.each(['---\n\nnew', '---\n\nnew\n\n---\n\nmore', '---\n---\nnew', '\n---\nt: 2\n---\n'])(
    'but not %j',
    (content) => {
      expect(body('---\nt: 1\n---\n\nold\n', content)).toContain(content.trim());
    },
  );
});
