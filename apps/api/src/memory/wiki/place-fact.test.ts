import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFact } from './fact-bullet.ts';
import { type FactToPlace, placeFact } from './place-fact.ts';

const NOW = new Date('2026-11-30T12:00:00Z');
const PAGE = '# Boiler\n\n## Updates\n\n- The boiler is serviced in May [[boiler]] (added 2026-01-02)\n';

function place(text: string, content: string, options: { links?: string[]; onRefine?: FactToPlace['onRefine'] } = {}) {
  return placeFact({
    text,
    fact: parseFact(content, options.links ?? []),
    day: '2026-11-30',
    language: 'en',
    onRefine: options.onRefine,
    stamp: { key: 'updated', now: NOW },
  });
}

const NEW = '- The chimney is clean (added 2026-11-30)';
const added = (text: string) => {
  const placed = place(text, 'The chimney is clean');
  if (placed.is !== 'added') throw new Error(`it is ${placed.is}`);
  return placed;
};

describe('a new fact', () => {
  it('is put at the end of the list in the section of updates', () => {
    expect(added(PAGE)).toEqual({ is: 'added', bullet: NEW, line: 6, text: `${PAGE}${NEW}\n` });
  });

  it('carries its links', () => {
    expect(place(PAGE, 'Met her', { links: ['Ada', 'Bo'] })).toMatchObject({
      bullet: '- Met her [[ada]] [[bo]] (added 2026-11-30)',
    });
  });

  it('stays above the sections that follow, below or beside', () => {
    const text = '## Updates\n\n- a\n\n### Older\n\n- b\n\n## Sources\n\ntext\n';
    expect(added(text).text).toBe(`## Updates\n\n- a\n${NEW}\n\n### Older\n\n- b\n\n## Sources\n\ntext\n`);
  });

  it('goes to the last of the outermost sections of that name', () => {
    const text = '## Updates\n\n- a\n\n## Other\n\n### Updates\n\n- b\n\n## updates\n\n- c\n\n## End\n';
    const { text: after, line } = added(text);
    expect(after).toBe(text.replace('- c\n', `- c\n${NEW}\n`));
    expect(line).toBe(14);
  });

  it('gets a section of its own at the end of a page without one', () => {
    expect(added('# Boiler\n\nText.\n').text).toBe(`# Boiler\n\nText.\n\n## Updates\n\n${NEW}\n`);
    expect(added('').text).toBe(`## Updates\n\n${NEW}\n`);
    expect(added('Text without an end').text).toBe(`Text without an end\n\n## Updates\n\n${NEW}`);
    // What stands in code is no section.
    expect(added('```\n## Updates\n```\n').text).toBe(`\`\`\`\n## Updates\n\`\`\`\n\n## Updates\n\n${NEW}\n`);
  });

  it('stands at the outer level behind nested items, and behind other text by a blank line', () => {
    expect(added('## Updates\n\n- a\n    - nested\n').text).toBe(`## Updates\n\n- a\n    - nested\n${NEW}\n`);
    expect(added('## Updates\n\n* a\n').text).toBe(`## Updates\n\n* a\n\n${NEW}\n`);
    expect(added('## Updates\nSome words.\n').text).toBe(`## Updates\nSome words.\n\n${NEW}\n`);
    expect(added('## Updates\n\n| a |\n| - |\n| b |\n').text).toBe(`## Updates\n\n| a |\n| - |\n| b |\n\n${NEW}\n`);
    expect(added('## Updates\n').text).toBe(`## Updates\n\n${NEW}\n`);
  });

  it('keeps line ends of Windows', () => {
    const { text } = added('---\r\ntitle: x\r\nupdated: y\r\n---\r\n\r\n## Updates\r\n\r\n- a\r\n');
    expect(text).toBe(
      `---\r\ntitle: x\r\nupdated: 2026-11-30T12:00:00Z\r\n---\r\n\r\n## Updates\r\n\r\n- a\r\n${NEW}\r\n`,
    );
  });

  it('sets the timestamp where there is a block, and names the line that it has then', () => {
    const { text, line } = added('---\ntitle: x\n---\n\n## Updates\n');
    expect(text).toContain('updated: 2026-11-30T12:00:00Z\n');
    expect(text.split('\n')[line - 1]).toBe(NEW);
  });

  it('is refused below code that is left open, since it would be code', () => {
    expect(() => added('## Updates\n\n```\n- a\n')).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });

  it('hides nothing of what follows, and is refused if it would', () => {
    const text = '## Updates\n\n- a\n\n## More\n\n- b\n\n%% note %%\n';
    expect(place(text, 'It grew by 5 %% or so')).toMatchObject({ is: 'added' });
    const task = { text, fact: { text: 'It grew by 5 %% or so', links: [] }, day: '2026-11-30', language: 'en' };
    expect(() => placeFact({ ...task, stamp: { key: '', now: NOW } })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    );
  });
});

describe('a fact that is there', () => {
  it('is not written again, and the bullet is quoted with its line', () => {
    const bullet = '- The boiler is serviced in May [[boiler]] (added 2026-01-02)';
    expect(place(PAGE, 'the boiler is serviced in May.')).toEqual({ is: 'same', bullet, line: 5 });
    // Whatever is to be done with what says more.
    expect(place(PAGE, 'The boiler is serviced in May', { onRefine: 'append' })).toMatchObject({ is: 'same' });
  });

  it('is seen in other sections and in nested items, not in code', () => {
    expect(place('# A\n\n- x\n  - The chimney is clean\n', 'the chimney is clean')).toMatchObject({
      is: 'same',
      line: 4,
    });
    expect(place('```\n- The chimney is clean\n```\n', 'the chimney is clean')).toMatchObject({ is: 'added' });
  });
});

describe('a fact that says more than a bullet', () => {
  const fact = 'The boiler is serviced in May by Aurelia';
  const bullet = '- The boiler is serviced in May [[boiler]] (added 2026-01-02)';

  it('is not written unless it is said what to do', () => {
    expect(place(PAGE, fact)).toEqual({ is: 'refines', bullet, line: 5 });
  });

  it('is put beside it', () => {
    const placed = place(PAGE, fact, { onRefine: 'append' });
    expect(placed).toMatchObject({ is: 'added', line: 6, text: `${PAGE}- ${fact} (added 2026-11-30)\n` });
  });

  it('takes its place, keeping its links, and the old bullet is told', () => {
    const after = `- ${fact} [[boiler]] [[aurelia]] (added 2026-11-30)`;
    expect(place(PAGE, fact, { onRefine: 'replace', links: ['Aurelia'] })).toEqual({
      is: 'replaced',
      before: bullet,
      bullet: after,
      line: 5,
      text: PAGE.replace(bullet, after),
    });
  });

  it('takes its place among other text: box, block id and what stands below stay', () => {
    const text = '## Updates\r\n\r\n1. [x] The boiler is serviced\r\n   in May ^b1\r\n   - nested\r\n\r\nEnd.\r\n';
    expect(place(text, fact, { onRefine: 'replace' })).toMatchObject({
      is: 'replaced',
      text: `## Updates\r\n\r\n1. [x] ${fact} (added 2026-11-30) ^b1\r\n   - nested\r\n\r\nEnd.\r\n`,
    });
  });

  it('or corrects it in a number takes its place too', () => {
    const text = '# Boiler\n\n## Updates\n\n- The yearly service of the boiler by Aurelia is 900 euro\n';
    const corrected = 'The yearly service of the boiler by Aurelia is 950 euro';
    expect(place(text, corrected)).toMatchObject({ is: 'refines', line: 5 });
    expect(place(text, corrected, { onRefine: 'append' })).toMatchObject({ is: 'added', line: 6 });
    const placed = place(text, corrected, { onRefine: 'replace' });
    expect(placed).toMatchObject({ is: 'replaced', bullet: `- ${corrected} (added 2026-11-30)` });
    expect('text' in placed && place(placed.text, corrected)).toMatchObject({ is: 'same' });
  });

  it('is told from it by the words of the vault’s language', () => {
    const text = '- Der Kessel wird gewartet\n';
    const task = { text, fact: parseFact('Und der Kessel wird gewartet', []), day: '2026-11-30' };
    const stamp = { key: '', now: NOW };
    expect(placeFact({ ...task, language: 'de', stamp }).is).toBe('same');
    expect(placeFact({ ...task, language: 'en', stamp }).is).toBe('refines');
  });
});

describe('facts put on a page one after the other', () => {
  it('are all there, once, in order, and nothing else is changed', () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    const facts = fc.uniqueArray(fc.array(word, { minLength: 4, maxLength: 8 }), {
      maxLength: 6,
      selector: (w) => w.join(),
    });
    const pages = fc.constantFrom(
      '',
      PAGE,
      '# T\n\ntext\n',
      '## Updates\n\n- a\n\n## End\n\nlast\n',
      '---\na: b\n---\n',
    );
    fc.assert(
      fc.property(pages, facts, (page, all) => {
        let text: string = page;
        const put: string[] = [];
        for (const words of all) {
          const placed = place(text, words.join(' '));
          if (placed.is !== 'added') continue;
          text = placed.text;
          put.push(placed.bullet);
        }
        const lines = text.split('\n');
        expect(lines.filter((line) => put.includes(line))).toEqual(put);
        const rest = lines.filter((line) => !put.includes(line) && line !== '' && !line.startsWith('updated:'));
        const old = page.split('\n').filter((line) => line !== '');
        expect(rest.filter((line) => line !== '## Updates')).toEqual(old.filter((line) => line !== '## Updates'));
      }),
    );
  });
});
