import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { rewriteCanvas } from './canvas-links.ts';
import { relocate } from './relocation.ts';
import { createVaultNames } from './vault-names.ts';

const names = createVaultNames(['p/Old.md', 'p/pic.png', 'q/Other.md', 'Board.canvas'] as VaultPath[]);
const rewrite = (text: string, source = 'p', destination = 'new "place"', path = 'Board.canvas') =>
  rewriteCanvas(text, path as VaultPath, relocate(names, source as VaultPath, destination as VaultPath, null));

const BOARD = `{
\t"nodes":[
\t\t{"id":"1","type":"file","file":"p/Old.md","subpath":"#Head","x":-1.50,"y":1e2},
\t\t{"id":"2","type":"file","file":"q/Other.md"},
\t\t{"id":"3","type":"group","label":"p/Old.md","background":"p/pic.png"},
\t\t{"id":"4","type":"text","text":"# See\\n[[p/Old|it]] and ![](p/pic.png)","file":"p/Old.md"},
\t\t{"id":"5","type":"link","url":"https://x/p/Old.md"}
\t],
\t"edges":[{"id":"6","fromNode":"1","toNode":"2","file":"p/Old.md"}]
}`;

describe('a canvas', () => {
  it('has its files, backgrounds and texts follow, and keeps every other byte', () => {
    const outcome = rewrite(BOARD);
    const expected = BOARD.replace('"file","file":"p/Old.md"', '"file","file":"new \\"place\\"/Old.md"')
      .replace('"background":"p/pic.png"', '"background":"new \\"place\\"/pic.png"')
      .replace('[[p/Old|it]] and ![](p/pic.png)', '[[new \\"place\\"/Old|it]] and ![](new%20\\"place\\"/pic.png)');
    expect(outcome).toEqual({ text: expected, changedLines: [3, 5, 6, 6], breaking: 4, left: [] });
  });

  it('keeps its byte order mark and line ends', () => {
    const text = '\ufeff{"nodes":[\r\n{"type":"file","file":"p/Old.md"}\r\n]}\r\n';
    expect(rewrite(text, 'p', 'z').text).toBe(text.replace('p/Old.md', 'z/Old.md'));
  });

  it('is found by a path in another case or escaped, and written anew', () => {
    const text = '{"nodes":[{"type":"file","file":"P\\/old.md"}]}';
    expect(rewrite(text, 'p', 'z').text).toBe('{"nodes":[{"type":"file","file":"z/Old.md"}]}');
  });

  it('follows by the value that counts where a key is there twice', () => {
    const text = '{"nodes":[{"type":"file","file":"q/Other.md","file":"p/Old.md"}]}';
    expect(rewrite(text, 'p', 'z').text).toBe('{"nodes":[{"type":"file","file":"q/Other.md","file":"z/Old.md"}]}');
  });

  it('needs nothing when it moves itself, but for the relative links in its texts', () => {
    const text = '{"nodes":[{"type":"file","file":"q/Other.md"},{"type":"text","text":"[x](q/Other.md) [[Other]]"}]}';
    expect(rewrite(text, 'Board.canvas', 'q/Board.canvas').text).toBe(text.replace('(q/Other.md)', '(Other.md)'));
  });

  it('reports a text whose escapes a change would not keep', () => {
    const text = '{"nodes":[\n{"type":"text","text":"\\u00e9 [[p/Old]]"}]}';
    const outcome = rewrite(text, 'p', 'z');
    expect(outcome).toMatchObject({ text, changedLines: [], breaking: 1, left: [{ line: 2 }] });
  });

  it.each([
    '',
    '  \n',
    '{}',
    '[]',
    '7',
    '{"nodes":null}',
    '{"nodes":[1,[],{}]}',
    '{"nodes":[{"type":"file","file":7}]}',
  ])('of another shape holds no links: %j', (text) => {
    expect(rewrite(text)).toEqual({ text, changedLines: [], breaking: 0, left: [] });
  });

  it('that is damaged is reported where it names what moves, and only then', () => {
    expect(rewrite('{"nodes":[\n{"file":"p/Old.md"', 'p/Old.md', 'p/New.md')).toMatchObject({
      changedLines: [],
      left: [{ line: 2, reason: expect.stringContaining('not valid JSON') }],
    });
    expect(rewrite('{"nodes":[', 'p/Old.md', 'p/New.md').left).toEqual([]);
    // A name within another word, or a letter of one, is no name.
    for (const text of ['{"nodes":[{"file":"Older.md"', '{"nodes":[{"text":"an Old.md"']) {
      expect(rewrite(text, 'p/Old.md', 'p/New.md').left).toEqual([]);
    }
    for (const text of ['{"x":"p/Old.md"', '{"x":"[[Old|a]]"', '{"x":"[a](Old.md)"', '{"x":"p\\/Old"']) {
      expect(rewrite(text, 'p/Old.md', 'p/New.md').left).toHaveLength(1);
    }
  });

  it('may nest as deep as it likes', () => {
    const deep = 20_000;
    const text = `{"nodes":[{"type":"file","file":"p/Old.md","x":${'['.repeat(deep)}${']'.repeat(deep)}}]}`;
    expect(rewrite(text, 'p', 'z').text).toBe(text.replace('p/Old.md', 'z/Old.md'));
  });
});
