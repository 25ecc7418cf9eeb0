import { AppError } from '@vault-mcp/shared/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteUri, parseNoteUri } from './note-uri.ts';

describe('the address of a note', () => {
  it.each([
    ['Garden/Pear tree.md', 'vault://note/Garden/Pear%20tree.md'],
    ['100% (sure)?.md', 'vault://note/100%25%20(sure)%3F.md'],
    ['A#B.md', 'vault://note/A%23B.md'],
    ['Käse 🧀.md', 'vault://note/K%C3%A4se%20%F0%9F%A7%80.md'],
  ])('of %s is %s, and leads back to it', (path, uri) => {
    expect(noteUri(path)).toBe(uri);
    expect(parseNoteUri(uri)).toEqual({ path, offset: 0 });
    expect(parseNoteUri(noteUri(path, 1234))).toEqual({ path, offset: 1234 });
  });

  it('may be written as reserved expansion of the template writes it, or in other letters at its front', () => {
    expect(parseNoteUri("vault://note/it's/a&b=c,d;e.md").path).toBe("it's/a&b=c,d;e.md");
    expect(parseNoteUri('VAULT://Note/a.md').path).toBe('a.md');
  });

  it('leads back to any path there can be', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => /^[^./\\\p{C}][^/\\\p{C}]*$/u.test(text));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.nat(), (segments, offset) => {
        const path = segments.join('/');
        expect(parseNoteUri(noteUri(path, offset))).toEqual({ path, offset });
      }),
    );
  });

  it.each([
    ['vault://note/../../etc/passwd', 'invalid_path'],
    ['vault://note/%2e%2e/x.md', 'invalid_path'],
    ['vault://note/..%2f..%2fetc/passwd', 'invalid_path'],
    ['vault://note/a%00.md', 'invalid_path'],
    ['vault://note/a%5cb.md', 'invalid_path'],
    ['vault://note/.obsidian/app.md', 'invalid_path'],
    ['vault://note//etc/passwd.md?offset=-1', 'invalid_request'],
    ['vault://note/%E0%A4.md', 'invalid_path'],
    ['vault://note/a.md?offset=x', 'invalid_request'],
    ['vault://note/a.md?offset=1&offset=2', 'invalid_request'],
    ['vault://note/a.md?', 'invalid_request'],
    ['vault://note/a?b?offset=1', 'invalid_request'],
    ['vault://note/a.md#heading', 'invalid_request'],
    ['vault://document/a.pdf', 'not_found'],
    ['file:///etc/passwd', 'not_found'],
    ['vault://note/', 'invalid_request'],
    ['', 'not_found'],
  ])('is refused when it is %s', (uri, code) => {
    expect(() => parseNoteUri(uri)).toThrow(AppError);
    expect(() => parseNoteUri(uri)).toThrow(expect.objectContaining({ code }));
  });
});
