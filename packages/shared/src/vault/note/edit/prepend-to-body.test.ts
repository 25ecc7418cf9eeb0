import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';
import { prependToBody } from './prepend-to-body.ts';

const prepend = (text: string, content: string) => prependToBody(parseNote(text), content).text;

describe('text put above the prose', () => {
  it.each([
    ['Body.\n', 'New.\n\nBody.\n'],
    ['---\na: 1\n---\nBody.\n', '---\na: 1\n---\n\nNew.\n\nBody.\n'],
    ['---\r\na: 1\r\n---\r\n\r\n\r\nBody.', '---\r\na: 1\r\n---\r\n\r\n\r\nNew.\r\n\r\nBody.'],
    ['', 'New.'],
    ['\ufeffBody.\n', '\ufeffNew.\n\nBody.\n'],
  ])('of %j gives %j', (text, expected) => {
    expect(prepend(text, 'New.')).toBe(expected);
  });

  it('joins a list of the same kind', () => {
    expect(prepend('- One\n', '- Zero\n')).toBe('- Zero\n- One\n');
    expect(prepend('- One\n', '1. Zero')).toBe('1. Zero\n\n- One\n');
  });

  it('is nothing when it is blank', () => {
    expect(prepend('Body.\n', ' \n')).toBe('Body.\n');
  });

  it('is refused when it would become frontmatter, or hide a heading', () => {
    expect(() => prepend('# A\n\n---\n\nText.\n', '---')).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    expect(() => prepend('# A\n', '```')).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});
