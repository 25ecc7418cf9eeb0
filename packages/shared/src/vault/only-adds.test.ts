import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyAdds } from './only-adds.ts';

const NOTE = '---\ntitle: Car\ntimestamp: 2026-01-01\n---\n# Car\n\nTyres: summer.\n\n- one\n- two\n';

describe('whether a note was only added to', () => {
  it.each([
    ['text at the end', NOTE, `${NOTE}- three\n`],
    ['text in the middle', NOTE, NOTE.replace('- one\n', '- one\n- one and a half\n')],
    ['text at the beginning', NOTE, NOTE.replace('# Car', 'Intro.\n\n# Car')],
    ['white space alone', NOTE, NOTE.replace('summer.\n\n', 'summer.\n\n\n')],
    ['a new timestamp beside it', NOTE, `${NOTE.replace('2026-01-01', '2026-02-02')}more\n`],
    ['a timestamp where none was', '---\ntitle: Car\n---\nx\n', '---\ntitle: Car\ntimestamp: 2026\n---\nx\ny\n'],
    ['a block where none was', 'x\n', '---\ntimestamp: 2026\n---\nx\ny\n'],
    [
      'who wrote it, beside the timestamp',
      NOTE,
      NOTE.replace('2026-01-01', '2026-02-02\nvault_agent: scribe\nvault_source: chat'),
    ],
    ['a line that repeats its neighbour', 'a\na\n', 'a\na\na\n'],
    ['other line breaks', 'a\r\nb\r\n', 'a\r\nb\r\nc\n'],
    ['nothing', NOTE, NOTE],
  ])('%s', (_what, before, after) => {
    expect(onlyAdds(before, after)).toBe(true);
  });

  it.each([
    ['a word that is gone', NOTE, NOTE.replace('summer', '')],
    ['a word that is another', NOTE, NOTE.replace('summer', 'winter')],
    ['two pieces put in at two places', NOTE, NOTE.replace('- one\n', '- zero\n- one\n').replace('# Car', '# My Car')],
    ['text that changed places', 'one two three', 'three one two'],
    ['a key that is gone', NOTE, NOTE.replace('title: Car\n', '').replace('2026-01-01', '2026')],
    ['two keys that are others', NOTE, NOTE.replace('Car\n', 'Bike\n').replace('2026-01-01', '2026')],
    ['a block that became text', NOTE, NOTE.replace('---\ntitle', 'text\n---\ntitle')],
    ['an empty note', NOTE, ''],
  ])('not %s', (_what, before, after) => {
    expect(onlyAdds(before, after)).toBe(false);
  });

  it('holds for any text put in at any place, and for no text of which a letter went', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '-'), maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.nat(40), (old, piece, at) => {
        const body = `x${old}`;
        const place = 1 + (at % body.length);
        expect(onlyAdds(body, body.slice(0, place) + piece + body.slice(place))).toBe(true);
        expect(onlyAdds(`${body}y`, body.slice(0, place) + body.slice(place))).toBe(false);
      }),
    );
  });
});
