import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { plainText } from '@vault-mcp/shared/vault/note/plain-text';
import { resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVisible } from './markdown-text.ts';
import { type CatalogContent, type CatalogNote, createCatalogRenderer } from './render.ts';

const note = (path: string, title = path.replace(/^.*\/|\.md$/g, ''), description = ''): CatalogNote => ({
  ...{ path, title, description },
});
const renderCatalog = (...page: Parameters<ReturnType<typeof createCatalogRenderer>['render']>) =>
  createCatalogRenderer().render(...page);
const render = (notes: readonly CatalogNote[], leftOut: readonly string[] = []) =>
  renderCatalog({ notes, leftOut }, { descriptions: true });
/** What stands below the introduction. */
const listed = (...content: Parameters<typeof render>) =>
  render(...content)
    .split('\n')
    .slice(5)
    .join('\n')
    .trimEnd();

describe('the index page', () => {
  it('lists each note in its folder, with what it says of itself', () => {
    const text = render([
      note('Car/Service log.md', 'Service log', 'Every visit to the garage.'),
      note('Home.md'),
      note('Car/Trips/2026/Alps.md', 'Over the Alps'),
    ]);
    expect(text).toBe(
      [
        '',
        '# Index',
        '',
        'Every note of this vault by folder, with what it says of itself. This page is generated: change the notes, and it follows.',
        '',
        '- [Home](Home.md)',
        '',
        '## Car',
        '',
        '- [Service log](Car/Service%20log.md) - Every visit to the garage.',
        '',
        '### Trips',
        '',
        '#### 2026',
        '',
        '- [Over the Alps](Car/Trips/2026/Alps.md)',
        '',
      ].join('\n'),
    );
  });

  it('has a folder’s landing note first, then the others by title, whatever the case', () => {
    const notes = [
      note('Car/b.md', 'beta'),
      note('Car/a.md', 'Gamma'),
      note('Car/z.md', 'Alpha'),
      note('Car/car.md', 'Zero'),
    ];
    const titles = [...listed(notes).matchAll(/^- \[(.*?)\]/gm)].map(([, title]) => title);
    expect(titles).toEqual(['Zero', 'Alpha', 'beta', 'Gamma']);
  });

  it('has its own notes before its folders, and folders by name, whatever the case', () => {
    const notes = [note('b/x.md'), note('A/x.md'), note('C/x.md'), note('zz.md')];
    expect(listed(notes).match(/^(#|- \[zz).*/gm)).toEqual(['- [zz](zz.md)', '## A', '## b', '## C']);
  });

  it('goes no deeper than six levels, and names the way to what is deeper', () => {
    expect(listed([note('1/2/3/4/5/6/7/x.md'), note('1/2/3/4/5/y.md')]).match(/^#.*/gm)).toEqual([
      ...['## 1', '### 2', '#### 3', '##### 4', '###### 5', '###### 5/6', '###### 5/6/7'],
    ]);
  });

  it('says in one line of a folder that the index leaves out, where it would stand', () => {
    expect(listed([note('Archive/a.md')], ['Archive/Raw', 'Reports', 'Logs/Old'])).toBe(
      [
        '- Left out of the index, so not listed: Reports/',
        '',
        '## Archive',
        '',
        '- [a](Archive/a.md)',
        '- Left out of the index, so not listed: Raw/',
        '',
        '## Logs',
        '',
        '- Left out of the index, so not listed: Old/',
      ].join('\n'),
    );
  });

  it('shows titles and descriptions as they are, whatever they look like', () => {
    const markup = 'a|b [c](d) [[e]] *f* `g` <h> &amp; #i ^j $k$ ==l== %%m%% _n_ o_p C# x^2 1=1 5% & \\';
    const line = listed([note('x.md', markup, markup)]);
    const shown = String.raw`a\|b \[c\](d) \[\[e\]\] \*f\* \`g\` \<h> \&amp; \#i \^j \$k\$ \=\=l\=\= \%\%m\%\% \_n\_ o_p C# x^2 1=1 5% & \\`;
    expect(line).toBe(`- [${shown}](x.md) - ${shown}`);
  });

  it('cuts a description at a word after 240 characters, whoever wrote it', () => {
    const [, shown = ''] = listed([note('x.md', 'x', `${'word '.repeat(60)}end`)]).split(' - ');
    expect(shown).toBe(`${'word '.repeat(47).trim()}…`);
    expect(listed([note('x.md', 'x', 'w'.repeat(240))])).toBe(`- [x](x.md) - ${'w'.repeat(240)}`);
  });

  it('keeps each note on one line, in an order of reading that nobody can turn around', () => {
    const line = listed([note('x.md', 'one\r\ntwo\u2028three\u0085four', 'tab\there\u202eereh\0')]);
    expect(line).toBe('- [one two three four](x.md) - tab here ereh');
  });

  it('names a note by its file where its title is nothing to see', () => {
    expect(listed([note('x.md', ' \u0000 '), note('  .md', '')])).toBe('- [.md](%20%20.md)\n- [x](x.md)');
    for (const title of ['\u200b', '\u2060\ufe0f', '\u3164', '\u2800 \u00ad']) {
      expect(listed([note('x.md', title)])).toBe('- [x](x.md)');
    }
    expect(listed([note('x.md', '👩‍🚀')])).toBe('- [👩‍🚀](x.md)');
  });

  it('goes without descriptions where there is no room for them, and says so', () => {
    const text = renderCatalog({ notes: [note('a.md', 'A', 'Long.')], leftOut: [] }, { descriptions: false });
    expect(text).toMatch(/too many of them to describe/);
    expect(text).toContain('- [A](a.md)\n');
  });
});

const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((name) => !/^\.|[\\/\0\ufffd]|\p{Cc}|\p{Surrogate}/u.test(name) && name.trim() !== '');
const path = fc.array(segment, { minLength: 1, maxLength: 8 }).map((segments) => `${segments.join('/')}.md`);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '[',
        ']',
        '(',
        ')',
        '\\',
        '`',
        '*',
        '_',
        '%%',
        '==',
        '#t',
        '^b',
        '<b>',
        '&lt;',
        '|',
        '\n',
        ' ',
        'a',
        '!',
        '$',
        '~~',
      ),
      { maxLength: 16 },
    )
    .map((parts) => parts.join('')),
);
/** Any notes, no two of which have names that only a case or a normal form tells apart. */
const content: fc.Arbitrary<CatalogContent> = fc.record({
  notes: fc.uniqueArray(fc.record({ path, title: text, description: text }), {
    selector: (one) => pathKey(one.path),
    maxLength: 12,
  }),
  leftOut: fc.array(segment, { maxLength: 2 }),
});

/** Every other note with another title, another description or both. */
const retold = (texts: readonly string[]) => (one: CatalogNote, at: number) => ({
  ...one,
  ...(at % 4 !== 0 && { title: texts[at % texts.length] ?? '' }),
  ...(at % 4 > 1 && { description: texts[(at + 1) % texts.length] ?? '' }),
});

describe('the index page of any vault', () => {
  it('is read back as exactly one link to each note, in whatever it is called', () => {
    fc.assert(
      fc.property(content, ({ notes, leftOut }) => {
        const page = parseNote(renderCatalog({ notes, leftOut }, { descriptions: true }));
        const names = createVaultNames(notes.map((one) => one.path as VaultPath));
        const ends = page.links.map((link) => resolveLink(link, 'index.md' as VaultPath, names));
        expect(ends.map((end) => end.state === 'resolved' && end.path).toSorted()).toEqual(
          notes.map((one) => one.path).toSorted(),
        );
        expect(page.tags).toEqual([]);
        expect(page.blocks).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('has a heading for each folder that holds notes, and no other but its own', () => {
    fc.assert(
      fc.property(content, ({ notes }) => {
        const page = parseNote(renderCatalog({ notes, leftOut: [] }, { descriptions: true }));
        const folders = new Set(
          notes.flatMap((one) =>
            one.path
              .split('/')
              .slice(0, -1)
              .map((_, at, all) => all.slice(0, at + 1).join('/')),
          ),
        );
        expect(page.headings.map(({ depth }) => depth).filter((depth) => depth === 1)).toHaveLength(1);
        expect(page.headings).toHaveLength(1 + folders.size);
        expect(Math.max(...page.headings.map(({ depth }) => depth))).toBeLessThanOrEqual(6);
      }),
      { numRuns: 200 },
    );
  });

  it('is the same in whatever order its notes come', () => {
    fc.assert(
      fc.property(
        content.chain((one) =>
          fc.tuple(fc.constant(one), fc.shuffledSubarray([...one.notes], { minLength: one.notes.length })),
        ),
        ([one, shuffled]) => {
          const again = renderCatalog({ notes: shuffled, leftOut: one.leftOut.toReversed() }, { descriptions: true });
          expect(again).toBe(renderCatalog(one, { descriptions: true }));
        },
      ),
    );
  });

  it('is the same whatever page was made before it', () => {
    fc.assert(
      fc.property(
        fc.array(content, { minLength: 2, maxLength: 5 }),
        fc.array(text, { minLength: 1 }),
        (pages, texts) => {
          const renderer = createCatalogRenderer();
          const edited = pages.flatMap((page) => [page, { ...page, notes: page.notes.map(retold(texts)) }, page]);
          for (const [at, page] of edited.entries()) {
            const options = { descriptions: at % 4 !== 3 };
            expect(renderer.render(page, options)).toBe(renderCatalog(page, options));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('shows each title as it is', () => {
    fc.assert(
      fc.property(text, (title) => {
        const shown = title
          .toWellFormed()
          .replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
          .trim();
        fc.pre(isVisible(shown));
        const [, label] = /^- \[(.*)\]\(x\.md\)$/m.exec(render([note('x.md', title)])) ?? [];
        expect(plainText(label ?? '')).toBe(shown);
      }),
    );
  });
});
