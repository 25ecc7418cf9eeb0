import { describe, expect, it } from 'vitest';
import { pagesAsMarkdown } from './markdown.ts';
import type { Block, Line } from './model.ts';

function block(size: number, ...texts: readonly string[]): Block {
  return { lines: texts.map((text): Line => ({ text, y: 0, size, font: 'body', oneFont: true, parts: 1 })) };
}

function bold(text: string, more: Partial<Line> = {}): Block {
  return { lines: [{ text, y: 0, size: 10, font: 'strong', oneFont: true, parts: 1, ...more }] };
}

const BODY = block(10, 'The body of the document, which is longer than all of its headings taken together.');

function markdown(...blocks: readonly Block[]): string {
  const pages = [{ page: 1, blocks: [...blocks, BODY], characters: 0 }];
  return pagesAsMarkdown(pages, (font) => font === 'strong')[0]?.text ?? '';
}

describe('a heading', () => {
  it('is what is larger than the body, deeper the smaller it is, and never so high that it cuts the page’s section', () => {
    const text = markdown(
      block(20, 'One'),
      block(20, 'Two'),
      block(16, 'Three'),
      block(16, 'Four'),
      block(12, 'Five'),
      block(12, 'Six'),
      block(11.5, 'Seven'),
    );
    expect(text.match(/^#+/gm)).toEqual(['####', '####', '#####', '#####', '######', '######', '######']);
  });

  it('over several lines is one', () => {
    expect(markdown(block(20, 'A title of', 'two lines'))).toMatch(/^#### A title of two lines$/m);
  });

  it('is a short line in bold, below those that are larger', () => {
    expect(markdown(block(14, 'One'), block(14, 'Two'), bold('Liability'))).toMatch(/^##### Liability$/m);
  });

  it('keeps its number signs', () => {
    expect(markdown(block(20, '# Learning C#'))).toMatch(/^#### \\# Learning C\\#$/m);
  });

  it.each([
    ['a sum set large', block(30, '1,250.00')],
    ['an initial', block(40, 'T')],
    ['a paragraph set large', block(14, ...Array.from({ length: 5 }, () => 'a line of a slide'))],
    ['a long line', block(14, 'word '.repeat(50))],
    ['an entry of a table of contents', block(14, '1 Introduction . . . . . . . 4')],
    ['cells side by side', bold('Item\tAmount', { parts: 2 })],
    ['a sentence in bold', bold('Keep this sheet.')],
    ['a line with a word in bold', bold('Keep this sheet', { oneFont: false })],
    ['a little larger than the body', block(11, 'Almost')],
  ])('is not %s', (_what, candidate) => {
    expect(markdown(candidate)).not.toMatch(/^#/m);
  });

  it('is found among 200 000, all of another size', () => {
    const sizes = Array.from({ length: 200_000 }, (_, at) => 20 + at / 2);
    const blocks = [BODY, ...sizes.map((size) => block(size, 'Head'))];
    const [page] = pagesAsMarkdown([{ page: 1, blocks, characters: 0 }], () => false);
    expect(page?.text.match(/^#+ /gm)?.slice(-3)).toEqual(['###### ', '##### ', '#### ']);
  }, 60_000);
});
