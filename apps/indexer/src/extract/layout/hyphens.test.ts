import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinHyphens, spellingsIn } from './hyphens.ts';

describe('a word cut at a line’s end', () => {
  it.each([
    [
      ['the har-', 'bour sleeps'],
      ['the harbour', 'sleeps'],
    ],
    [['the break-', 'water.'], ['the breakwater.']],
    [
      ['“Break-', 'water,” she said'],
      ['“Breakwater,”', 'she said'],
    ],
    [
      ['inter-', 'na-', 'tional law'],
      ['international', 'law'],
    ],
    [['без напоми-', 'наний'], ['без напоминаний']],
    [['the har\u2010', 'bour'], ['the harbour']],
    [['Haftpflicht-', 'versicherung'], ['Haftpflichtversicherung']],
    [['Kfz-Versiche-', 'rung'], ['Kfz-Versicherung']],
    [['Haus-/Garten-', 'bereich'], ['Haus-/Gartenbereich']],
  ])('is made whole on the line it begins on: %j', (lines, joined) => {
    expect(joinHyphens(lines)).toEqual(joined);
  });

  it.each([
    [['pages 3-', 'fold']],
    [['a dash -', 'and on']],
    [['a dash--', 'and on']],
    [['the end-', '', 'of it']],
    [['the end-', '(of it)']],
    [['the har-', 'bour/dock']],
    [['Ein-', 'und Ausgang']],
    [['short-', 'or long-term']],
    [['booked 50.00-', '60.00']],
    [['booked 50-', '60']],
    [['A\tSteuer-', 'B\tnummer']],
    [['A\tSteuer-', 'Nummer']],
  ])('is left as it stands where none may be cut, or none goes on: %j', (lines) => {
    expect(joinHyphens(lines)).toEqual(lines);
  });

  it.each([
    [['COVID-', '19 rules'], 'COVID-19 rules'],
    [['monument EL-', '4471'], 'monument EL-4471'],
    [['serial AH9-', 'x77'], 'serial AH9-x77'],
    [['ISBN 978-3-', '16-148410-0'], 'ISBN 978-3-16-148410-0'],
    [['in 2020-', '2021'], 'in 2020-2021'],
    [['the Anglo-', 'Saxon'], 'the Anglo-Saxon'],
    [['iPhone-', 'like'], 'iPhone-like'],
    [['per E-', 'Mail'], 'per E-Mail'],
    [['Nord-', 'Süd-Gefälle'], 'Nord-Süd-Gefälle'],
    [['die Kfz-', 'Versicherung'], 'die Kfz-Versicherung'],
  ])('keeps its hyphen next to digits and capitals: %j', (lines, joined) => {
    expect(joinHyphens(lines).join(' ')).toBe(joined);
  });

  it.each([
    [['state-of-the-', 'art ward'], 'state-of-the-art ward'],
    [['by e-', 'mail only'], 'by e-mail only'],
    [['self-', 'employed'], 'self-employed'],
    [['a well-', 'known wall'], 'a well-known wall'],
    [['twenty-', 'five'], 'twenty-five'],
    [['the long-', 'term plan'], 'the long-term plan'],
    [['his ex-', 'wife'], 'his ex-wife'],
    [['a web-', 'based tool'], 'a web-based tool'],
  ])('keeps its hyphen where it plainly is one: %j', (lines, joined) => {
    expect(joinHyphens(lines).join(' ')).toBe(joined);
  });

  it.each([
    [['self-', 'ish'], 'selfish'],
    [['well-', 'ness'], 'wellness'],
    [['non-', 'sense'], 'nonsense'],
    [['ex-', 'ample'], 'example'],
    [['seven-', 'teen'], 'seventeen'],
    [['un-', 'related'], 'unrelated'],
  ])('loses it where a first part of compounds begins a solid word: %j', (lines, joined) => {
    expect(joinHyphens(lines)).toEqual([joined]);
  });

  it('is written as the document writes it elsewhere, whatever else would be taken for granted', () => {
    const lines = ['the day-', 'care centre, a day-care place; the non-', 'profit, or Nonprofit'];
    expect(joinHyphens(lines).join(' ')).toBe('the day-care centre, a day-care place; the nonprofit, or Nonprofit');
    expect(joinHyphens(['TERMI-', 'NATION'], spellingsIn(['TERMI-', 'NATION', 'on termination']))).toEqual([
      'TERMINATION',
    ]);
  });

  it('keeps its hyphen in English where both halves are words of the document, and nowhere else', () => {
    const english = ['the heat-', 'transfer of the wall, and the heat that the stones', 'transfer to the air'];
    expect(joinHyphens(english)[0]).toBe('the heat-transfer');
    expect(joinHyphens(['the heat-', 'transfer of the wall, and the heat'])[0]).toBe('the heattransfer');
    const german = ['zusammen-', 'arbeiten, das heißt', 'zusammen und gern', 'arbeiten wir'];
    expect(joinHyphens(german)[0]).toBe('zusammenarbeiten,');
  });

  it('never loses the hyphen of a number, even where it is written without one', () => {
    expect(joinHyphens(['KX-', '4471 or KX4471'])).toEqual(['KX-4471', 'or KX4471']);
  });

  it('is joined over a soft hyphen whatever letters follow, and none is left anywhere', () => {
    expect(joinHyphens(['Mc\u00ad', 'Donald e\u00adlec\u00adtric'])).toEqual(['McDonald', 'electric']);
  });

  it('is joined no more where the words that go on are longer than any prose', () => {
    const joined = joinHyphens(new Array<string>(50_000).fill('abcdefgh-'));
    expect(joined.join('').replaceAll('-', '')).toBe('abcdefgh'.repeat(50_000));
    expect(Math.max(...joined.map(({ length }) => length))).toBeLessThan(2_100);
  });

  it('loses nothing but hyphens and breaks, and no digit loses its hyphen', () => {
    const word = fc.stringMatching(/^[a-z]{1,4}[A-Z0-9]?-?$/);
    const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const joined = joinHyphens(lines);
        const bare = (texts: readonly string[]): string => texts.join('').replace(/[-\s]/g, '');
        expect(bare(joined)).toBe(bare(lines));
        const numbered = (texts: readonly string[]): number => texts.join('\n').match(/[0-9]-/g)?.length ?? 0;
        expect(numbered(joined)).toBe(numbered(lines));
      }),
    );
  });
});
