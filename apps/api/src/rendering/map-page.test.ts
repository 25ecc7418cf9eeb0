import { describe, expect, it } from 'vitest';
import type { HeadingEntry } from '../operations/note-parts.ts';
import { mapPage } from './map-page.ts';
import { mapText } from './map-text.ts';

const MAX = 2000;
const MAP = {
  path: 'N.md',
  kind: 'note' as const,
  frontmatter: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`key ${i}`, 'value '.repeat(i % 9)])),
  headings: Array.from({ length: 900 }, (_, i) => ({ depth: 1, text: `${i}`, target: `${i}`, line: i })),
  blocks: Array.from({ length: 900 }, (_, i) => `^b${i}`),
  etag: 'e'.repeat(64),
};
interface Page {
  readonly next_offset: number | null;
  readonly headings: HeadingEntry[];
  readonly blocks: string[];
  readonly frontmatter?: object;
  readonly shortened?: string[];
}

function pages() {
  const all: { text: string; structured: Page }[] = [];
  for (let offset: number | null = 0; offset !== null; offset = all.at(-1)?.structured.next_offset ?? null) {
    all.push(mapPage(MAP, offset, MAX) as { text: string; structured: Page });
  }
  return all;
}

describe('the pages of a map', () => {
  it('are the whole map when they are laid end to end, in text and in structure', () => {
    const all = pages();
    expect(all.length).toBeGreaterThan(5);
    expect(all.map(({ text }) => text.replace(/Goes on: offset .*\n$/, '')).join('')).toBe(mapText(MAP).text);
    expect(all.flatMap(({ structured }) => structured.headings)).toEqual(MAP.headings);
    expect(all.flatMap(({ structured }) => structured.blocks)).toEqual(MAP.blocks);
    for (const { text, structured } of all) {
      for (const { line } of structured.headings) expect(text).toContain(`\n${line}: # `.slice(1));
      for (const block of structured.blocks) expect(text).toContain(` ${block}`);
    }
  });

  it('are no larger than answers may be, remark and structure included', () => {
    for (const { text, structured } of pages()) {
      expect(text.length).toBeLessThanOrEqual(MAX);
      expect(JSON.stringify(structured).length).toBeLessThan(3 * MAX);
    }
  });

  it('hold the frontmatter on the first alone, as far as there is room', () => {
    const [first, ...others] = pages();
    expect(first?.structured.shortened).toEqual(['frontmatter']);
    expect(Object.keys(first?.structured.frontmatter ?? {}).length).toBeGreaterThan(5);
    for (const { structured } of others) expect(structured).not.toHaveProperty('frontmatter');
  });

  it('get on however little fits', () => {
    expect(mapPage(MAP, 0, 1).structured).toMatchObject({ next_offset: expect.any(Number) });
  });
});
