import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { describe, expect, it } from 'vitest';
import { parseFact } from './fact-bullet.ts';
import { newPage, type PageToMake } from './new-page.ts';

const made = (name: string, rest: Partial<PageToMake> = {}) =>
  newPage({
    name,
    fact: parseFact('Born in 1815', ['Charles Babbage']),
    day: '2026-11-30',
    stamp: { key: 'updated', now: new Date('2026-11-30T12:00:00Z') },
    agent: 'scribe',
    operator: true,
    ...rest,
  });

describe('a new page', () => {
  it('has a title, a heading, and the section that its fact stands in', () => {
    const bullet = '- Born in 1815 [[charles-babbage]] (added 2026-11-30)';
    const { text, line, ...rest } = made('ada-lovelace');
    expect(rest).toEqual({ bullet });
    expect(text).toBe(
      `---\ntitle: Ada lovelace\nupdated: 2026-11-30T12:00:00Z\n---\n\n# Ada lovelace\n\n## Updates\n\n${bullet}\n`,
    );
    expect(text.split('\n')[line - 1]).toBe(bullet);
  });

  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['people/Ада Лавлейс', 'Ада Лавлейс'],
    ['C#: the [[language]] %%', 'C#: the [[language]] %%'],
  ])('called %j has the title %j, in its block and as its heading', (name, title) => {
    const { text } = made(name);
    const note = parseNote(text);
    expect(note.frontmatter.data.title).toBe(title);
    expect(note.headings.map(({ depth }) => depth)).toEqual([1, 2]);
    expect(note.links.filter(({ inFrontmatter }) => !inFrontmatter).map(({ target }) => target)).toEqual([
      'charles-babbage',
    ]);
  });

  it('says which agent wrote it and from what, where there is one', () => {
    const { data } = parseNote(made('ada', { operator: false, source: 'chat: 1' }).text).frontmatter;
    expect(data).toMatchObject({ vault_agent: 'scribe', vault_source: 'chat: 1' });
    expect(parseNote(made('ada').text).frontmatter.data).not.toHaveProperty('vault_agent');
  });

  it('without a timestamp key has none', () => {
    expect(made('ada', { stamp: { key: '', now: new Date() } }).text).not.toContain('updated');
  });

  it('is refused for a fact that hides itself', () => {
    const fact = parseFact('%% hidden', []);
    expect(made('ada', { fact }).bullet).toContain('\\%\\%');
    expect(() => made('ada', { fact: { text: '%% hidden', links: [] } })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    );
  });
});
