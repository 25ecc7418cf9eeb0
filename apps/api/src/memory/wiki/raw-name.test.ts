import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameInUrl, numberedName, rawName } from './raw-name.ts';

describe('the name of raw material', () => {
  it.each([
    ['Report 2026.pdf', 'Report-2026.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
    ['.env', 'env'],
    ['--help', 'help'],
    ['naïve café (draft).md', 'naive-cafe-draft.md'],
    ['Отчёт.docx', 'Otchet.docx'],
    ['a\u0000b\nc.txt', 'a-b-c.txt'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['ends in dots...', 'ends-in-dots'],
    ['folder/', 'folder'],
    ['', 'source'],
    ['///', 'source'],
    ['🙂.png', 'source.png'],
    ['...', 'source'],
    ['CON.txt', '_CON.txt'],
    ['lpt1', '_lpt1'],
    ['-nul.tar.gz', '_nul.tar.gz'],
    ['console.log', 'console.log'],
  ])('of %j is %s', (from, name) => expect(rawName(from)).toBe(name));

  it('has the suffix of its type where it names none itself', () => {
    expect(rawName('article', 'text/html; charset=utf-8')).toBe('article.html');
    expect(rawName('', 'application/pdf')).toBe('source.pdf');
    expect(rawName('paper.pdf', 'text/html')).toBe('paper.pdf');
    expect(rawName('data', 'application/octet-stream')).toBe('data');
    expect(rawName('data', 'no type at all')).toBe('data');
    expect(rawName('data', null)).toBe('data');
  });

  it('keeps its suffix when it is cut', () => {
    const name = rawName(`${'long '.repeat(60)}.html`);
    expect(name).toMatch(/^(long-){18}long\.html$/);
    expect(rawName(`${'x'.repeat(200)}.html`)).toHaveLength(100);
  });

  it('is a plain file name whatever it comes from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.option(fc.string()), (from, type) => {
        const name = rawName(from, type);
        expect(name).toMatch(/^[a-zA-Z0-9_]([a-zA-Z0-9._-]*[a-zA-Z0-9_])?$/);
        expect(name.length).toBeLessThanOrEqual(100);
        expect(rawName(name)).toBe(name);
      }),
    );
  });
});

describe('the name in a URL', () => {
  it.each([
    ['https://example.org/a/Gr%C3%BC%C3%9Fe.html?x=1#y', 'Grüße.html'],
    ['https://example.org/articles/one/', 'one'],
    ['https://example.org/', ''],
    ['https://example.org/100%', '100%'],
    ['https://example.org/a%2Fb.txt', 'a/b.txt'],
  ])('%s is %j', (url, name) => expect(nameInUrl(new URL(url))).toBe(name));
});

describe('a name once more', () => {
  it('has its number before the suffix', () => {
    expect(numberedName('page.html', 1)).toBe('page.html');
    expect(numberedName('page.html', 2)).toBe('page-2.html');
    expect(numberedName('page', 12)).toBe('page-12');
  });
});
