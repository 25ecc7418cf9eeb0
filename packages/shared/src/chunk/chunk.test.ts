import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../../../test/support/tokens-of.ts';
import { parseNote } from '../vault/note/parse.ts';
import { type ChunkOptions, chunkNote, type NoteIdentity } from './chunk.ts';
import { CHUNK_RULES, type ChunkRules } from './rules.ts';

const defaults: ChunkOptions = { targetTokens: 400, overlapTokens: 60, minTokens: 120, maxTokens: 1500 };
const small: ChunkOptions = { targetTokens: 40, overlapTokens: 8, minTokens: 12, maxTokens: 100 };
const chunk = (text: string, options: Partial<ChunkOptions & NoteIdentity> = {}) =>
  chunkNote(parseNote(text), { title: 'Note', ...defaults, ...options });
const texts = (text: string, options: Partial<ChunkOptions> = {}): string[] =>
  chunk(text, options).map((found) => found.text);

/** Prose of about `tokens` tokens, every sentence its own. */
function prose(tokens: number, label = 'Sentence'): string {
  const sentences: string[] = [];
  for (let n = 1; tokensOf(sentences.join(' ')) < tokens; n++) sentences.push(`${label} number ${n} says a thing.`);
  return sentences.join(' ');
}

/** The longest end of `before` that `after` starts with. */
function repeated(before: string, after: string): string {
  for (let length = Math.min(before.length, after.length); length > 0; length--) {
    if (before.endsWith(after.slice(0, length))) return after.slice(0, length);
  }
  return '';
}

describe('sections', () => {
  it('start at headings of depth 1 to 3, with the path as breadcrumb and the heading in the text', () => {
    const long = prose(130);
    const found = chunk(`# A\n\n${long}\n\n## B\n\n${long}\n\n### C\n\n${long}\n\n#### D\n\n${long}\n`);
    expect(found.map(({ breadcrumb }) => breadcrumb)).toEqual(['A', 'A > B', 'A > B > C']);
    expect(found.map(({ text }) => text.split('\n')[0])).toEqual(['# A', '## B', '### C']);
    expect(found[2]?.text).toContain('#### D');
  });

  it('count lines from the top of the file, frontmatter included but not in the text', () => {
    const [found] = chunk('---\ntitle: T\n---\n\nFirst line\nsecond line\n\n');
    expect(found).toEqual({ ordinal: 0, breadcrumb: '', lineStart: 5, lineEnd: 6, text: 'First line\nsecond line' });
  });

  it('join the next one when small, and the one before when last', () => {
    const found = chunk(`# T\n\n## A\n\nshort\n\n## B\n\n${prose(150)}\n\n## C\n\nshort\n`);
    expect(found).toHaveLength(1);
    expect(found[0]?.breadcrumb).toBe('T');
    expect(found[0]?.text).toMatch(/^# T\n\n## A[\s\S]*## C\n\nshort$/);
  });

  it('stay apart, however small, where they are pages', () => {
    const pages = '## Page 1\n\nshort\n\n## Page 2\n\nshort too\n\n## Page 4\n\nend\n';
    const found = chunk(pages, { sectionsApart: true });
    expect(found.map(({ breadcrumb, lineStart }) => [breadcrumb, lineStart])).toEqual([
      ['Page 1', 1],
      ['Page 2', 5],
      ['Page 4', 9],
    ]);
  });

  it('do not count a heading without text of its own for the breadcrumb', () => {
    expect(chunk(`# T\n\n## A\n\n${prose(150)}`)[0]?.breadcrumb).toBe('T > A');
  });

  it('keep markup out of the breadcrumb', () => {
    expect(chunk(`# **Bold** [[Page|shown]]\n\n${prose(20)}`)[0]?.breadcrumb).toBe('Bold shown');
  });

  it('take a heading inside code or a quote for text', () => {
    expect(chunk('```\n# no\n```\n\n> # no\n\ntext')[0]?.breadcrumb).toBe('');
  });
});

describe('a section too large for one piece', () => {
  it('splits between paragraphs, and each piece repeats the end of the one before', () => {
    const paragraphs = Array.from({ length: 8 }, (_, n) => prose(100, `Paragraph ${n} sentence`));
    const found = texts(`# A\n\n${paragraphs.join('\n\n')}`);
    expect(found.length).toBeGreaterThan(1);
    for (const text of found) expect(tokensOf(text)).toBeLessThanOrEqual(defaults.targetTokens + defaults.minTokens);
    found.slice(1).forEach((text, at) => {
      const overlap = repeated(found[at] ?? '', text).trim();
      expect(overlap).toMatch(/^Paragraph \d sentence number \d+ says a thing\./);
      expect(tokensOf(overlap)).toBeLessThanOrEqual(defaults.overlapTokens);
    });
  });

  it('splits one long paragraph between sentences, in any script', () => {
    const found = texts(prose(1000));
    expect(found.length).toBeGreaterThan(2);
    for (const text of found) expect(text).toMatch(/^Sentence number \d+ says.* a thing\.$/);
    const japanese = Array.from({ length: 60 }, (_, n) => `これは${n}番目の文で、続きがあります。`).join('');
    const pieces = texts(japanese);
    expect(pieces.length).toBeGreaterThan(1);
    for (const text of pieces) expect(text).toMatch(/^これは.*。$/);
  });

  it('splits a list between items and a large item between its blocks', () => {
    const items = Array.from({ length: 4 }, (_, n) => `1. Item ${n} ${prose(30)}\n\n   Second ${n} ${prose(30)}`);
    const found = texts(items.join('\n'), { ...small, targetTokens: 80, overlapTokens: 0 });
    expect(found.map((text) => text.slice(0, 9))).toEqual(['1. Item 0', '1. Item 1', '1. Item 2', '1. Item 3']);
    const nested = texts(`1. ${prose(30)}\n\n   Second ${prose(30)}`, { ...small, overlapTokens: 0 });
    expect(nested[1]).toMatch(/^ {3}Second/);
  });

  it('splits a table between rows and repeats its header', () => {
    const rows = Array.from({ length: 30 }, (_, n) => `| part ${n} | ${n * 7} |`);
    const found = texts(`| Name | Price |\n| --- | --- |\n${rows.join('\n')}\n`, small);
    expect(found.length).toBeGreaterThan(2);
    for (const text of found) expect(text).toMatch(/^\| Name \| Price \|\n\| --- \| --- \|\n\| part/);
    expect(found.join('\n').match(/part 11 /g)).toHaveLength(1);
  });

  it('keeps code whole as long as the model takes it, and splits it between lines beyond', () => {
    const code = (lines: number): string =>
      `\`\`\`js\n${Array.from({ length: lines }, (_, n) => `const value${n} = ${n};`).join('\n')}\n\`\`\``;
    expect(texts(`${prose(20)}\n\n${code(12)}\n\n${prose(20)}`, small)).toContain(code(12));
    const pieces = texts(code(60), small);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('\n')).toBe(code(60));
  });

  it('never leaves a heading at the end of a piece', () => {
    const parts = Array.from({ length: 12 }, (_, n) => `#### Part ${n}\n\n${prose(30)}`);
    for (const text of texts(`# A\n\n${parts.join('\n\n')}`, small)) expect(text).not.toMatch(/#### Part \d+$/);
  });

  it('cuts a line without spaces at the hard cap, between characters', () => {
    const found = texts('👩‍🚀'.repeat(300), { ...small, overlapTokens: 0 });
    expect(found.join('')).toBe('👩‍🚀'.repeat(300));
    for (const text of found) expect(text.isWellFormed()).toBe(true);
    expect(texts('x'.repeat(10_000), { ...small, overlapTokens: 0 }).join('')).toBe('x'.repeat(10_000));
  });

  it('joins a runt at the end to the piece before', () => {
    const found = texts(`${prose(36)}\n\nThe end.`, small);
    expect(found).toHaveLength(1);
  });
});

describe('a flat list', () => {
  const items = (count: number, item = (n: number) => `the boiler was looked at for the ${n}th time by the fitter`) =>
    Array.from({ length: count }, (_, n) => `- ${item(n)}`).join('\n');

  it('has a chunk per item, the headings above going with the first', () => {
    const found = chunk(`# Log\n\n## Boiler\n\n${items(8)}\n`);
    expect(found).toHaveLength(8);
    expect(found[0]?.text).toMatch(/^# Log\n\n## Boiler\n\n- the boiler/);
    expect(found.every(({ breadcrumb }) => breadcrumb === 'Log > Boiler')).toBe(true);
    expect(found.map(({ lineEnd }) => lineEnd)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('has its own chunks for the prose before and after', () => {
    const found = texts(`# Log\n\nWhat happened.\n\n${items(9)}\n\nThat was all.\n`);
    expect(found).toHaveLength(11);
    expect(found[0]).toBe('# Log\n\nWhat happened.');
    expect(found[10]).toBe('That was all.');
  });

  it('takes no small section after it into its last item', () => {
    expect(texts(`# Log\n\n${items(8)}\n\n# Next\n\nshort`).at(-1)).toBe('# Next\n\nshort');
  });

  it.each([
    ['fewer than seven items', items(6)],
    ['numbered items', items(8).replaceAll('- ', '1. ')],
    ['items of a few words', items(8, (n) => `short ${n}`)],
    [
      'mostly bare links',
      items(8, (n) =>
        n < 2 ? 'an entry with something to say about things' : `[[Some page with a long name number ${n}]]`,
      ),
    ],
    ['two marker kinds', `${items(8)}\n${items(8).replaceAll('- ', '* ')}`],
    ['items less than 70 % of the blocks', `${items(8)}\n\n${'para\n\n'.repeat(4)}`],
  ])('is none with %s', (_, text) => {
    expect(texts(`# Log\n\n${text}`)).toHaveLength(1);
  });

  it('splits an item too large for one piece', () => {
    const found = texts(`${items(8)}\n- ${prose(600)}`);
    expect(found.length).toBeGreaterThan(9);
  });
});

describe('a note without a body', () => {
  it('is found by title and description', () => {
    expect(chunk('---\ntitle: T\ndescription: About it\n---\n')).toEqual([
      { ordinal: 0, breadcrumb: '', lineStart: 1, lineEnd: 4, text: 'Note\nAbout it' },
    ]);
  });

  const blank = ['', ' \n\t\n', '\ufeff'];

  it('is found by its title even when the file is blank', () => {
    for (const text of blank) {
      expect(chunk(text, { titleChunk: true })).toEqual([
        { ordinal: 0, breadcrumb: '', lineStart: 1, lineEnd: 1, text: 'Note' },
      ]);
    }
    expect(chunk('Text.', { titleChunk: true }).map(({ text }) => text)).toEqual(['Text.']);
  });

  it('has no chunk for a blank text that is no note', () => {
    for (const text of blank) expect(chunk(text)).toEqual([]);
  });
});

describe('a rule left out', () => {
  const without = (text: string, changed: Partial<ChunkRules>, sizes: ChunkOptions = small): string[] =>
    chunkNote(parseNote(text), { title: 'Note', ...sizes }, { ...CHUNK_RULES, ...changed }).map((found) => found.text);

  it('keeps the note one section at depth 0', () => {
    const text = `# A\n\n${prose(130)}\n\n# B\n\n${prose(130)}\n`;
    expect(without(text, {}, defaults)).toHaveLength(2);
    expect(without(text, { sectionDepth: 0 }, defaults)).toHaveLength(1);
  });

  it('leaves small sections alone, but for a last one', () => {
    const text = '# A\n\nShort.\n\n# B\n\nShort too.\n\n# C\n\nAnd this.\n';
    expect(without(text, {})).toHaveLength(1);
    expect(without(text, { mergeForward: false })).toEqual(['# A\n\nShort.', '# B\n\nShort too.\n\n# C\n\nAnd this.']);
    expect(without(text, { mergeForward: false, mergeBack: false })).toHaveLength(3);
  });

  it('leaves a runt at the end', () => {
    const text = `# A\n\n${prose(20)}\n\n# B\n\nRunt.\n`;
    expect(without(text, {})).toHaveLength(1);
    expect(without(text, { mergeBack: false })).toEqual([expect.stringContaining('# A'), '# B\n\nRunt.']);
  });

  it('cuts sentences apart when it does not look for their ends', () => {
    const text = `${prose(150)}\n`;
    const whole = (found: string[]): boolean => found.every((one) => one.endsWith('.'));
    expect(whole(without(text, {}))).toBe(true);
    expect(whole(without(text, { splitAtBoundaries: false }))).toBe(false);
  });

  it('splits code at lines, has no second table header, and packs a flat list', () => {
    const lines = Array.from({ length: 12 }, (_, n) => `const value${n} = compute(${n});`).join('\n');
    const fence = `\`\`\`js\n${lines}\n\`\`\`\n`;
    expect(without(fence, {}, { ...small, maxTokens: 1500 })).toHaveLength(1);
    expect(without(fence, { fencesWhole: false }, { ...small, maxTokens: 1500 }).length).toBeGreaterThan(1);

    const rows = Array.from({ length: 12 }, (_, n) => `| row ${n} | value ${n} |`).join('\n');
    const table = `| key | meaning |\n| --- | --- |\n${rows}\n`;
    const headers = (found: string[]): number => found.filter((one) => one.includes('| key |')).length;
    expect(headers(without(table, {}))).toBeGreaterThan(1);
    expect(headers(without(table, { repeatTableHeader: false }))).toBe(1);

    const list = `${Array.from({ length: 8 }, (_, n) => `- item ${n} says a thing of its own that is long enough`).join('\n')}\n`;
    expect(without(list, {}, defaults)).toHaveLength(8);
    expect(without(list, { listsByItem: false }, defaults)).toHaveLength(1);
  });
});
