import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEARCH_LANGUAGES } from '../config/languages.ts';
import { createAnalyzer, type QueryTerm } from './analyzer.ts';
import { MAX_QUERY_TERMS } from './query-terms.ts';
import { MAX_TERM_LENGTH, TERM_CHARACTERS } from './terms.ts';

const english = createAnalyzer('en');
const index = (text: string, language = 'en'): string[] => createAnalyzer(language).indexTerms(text);
const query = (text: string, language = 'en'): string[] =>
  createAnalyzer(language)
    .queryTerms(text)
    .map(({ term }) => term);

/** Whether the text holds the term: as one term, or as its phrase in order. */
function holds(terms: readonly string[], { term, phrase }: QueryTerm): boolean {
  if (terms.includes(term)) return true;
  return phrase.length > 1 && terms.some((_, at) => phrase.every((part, offset) => terms[at + offset] === part));
}

const pieces = fc.constantFrom(
  ...'DEC-0054|atomic_write_json|AB12 CDE|well-known|the|running|Straße|café|ΟΔΟΣ|Ёлка|ощущение|東京都|請求書|データベース|서버를|อาหารไทย|ຂໍຂອບໃຈ|ភាសាខ្មែរ|မြန်မာဘာသာ|الكِتابُ|كـتاب|שָׁלוֹם|हिन्दी|বাংলা|C++|C#|v1.2.3|2026-11-29T10:30|src/vault/path.ts|a.b+c@example.com|don’t|l’école|٢٠٢٦|ＡＢＣ|ｶﾞｷﾞ|が|①|½|𠮷野家|𝒜|🦊|\u00ad|\u200b|\u0301|\ud800|_|--|\0'.split(
    '|',
  ),
);
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: pieces }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }), {
    maxLength: 12,
  })
  .chain((parts) => fc.constantFrom('', ' ', '\n', '-', '/').map((separator) => parts.join(separator)));

describe('index terms', () => {
  it('hold nothing that FTS5 would cut apart, and are never empty nor too long', () => {
    const allowed = new RegExp(`^(?:[a-z0-9]|[^\\x00-\\x7f]|[${TERM_CHARACTERS.replace('-', '\\-')}])+$`);
    fc.assert(
      fc.property(text, (value) => {
        for (const term of english.indexTerms(value)) {
          expect(term).toMatch(allowed);
          expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
        }
      }),
    );
  });

  it('are the same for a text in composed and decomposed form', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(english.indexTerms(value.normalize('NFD'))).toEqual(english.indexTerms(value.normalize('NFC')));
      }),
    );
  });

  it('do not depend on what was analysed before', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(english.indexTerms(value)).toEqual(createAnalyzer('en').indexTerms(value));
      }),
      { numRuns: 20 },
    );
  });

  it('keep stop words, so that a phrase across them still stands together', () => {
    expect(index('The bank of America')).toEqual(['the', 'bank', 'of', 'america']);
  });

  it('put the whole of a compound last, so that its parts stay beside their neighbours', () => {
    expect(index('see DEC-0054 rev 3')).toEqual(['see', 'dec', '0054', 'rev', '3', 'dec-0054']);
  });

  it('pair CJK characters and add each one once', () => {
    expect(index('請求書')).toEqual(['請求', '求書', '請', '求', '書']);
    expect(index('서버를')).toEqual(['서버', '버를', '서', '버', '를']);
  });

  it('segment scripts without spaces by dictionary', () => {
    expect(index('สวัสดีชาวโลก')).toEqual(['สวัสดี', 'ชาว', 'โลก']);
  });

  it('cut a long word and leave a blob out', () => {
    const hash = 'ab12'.repeat(32);
    expect(index(hash)).toEqual([hash.slice(0, MAX_TERM_LENGTH)]);
    const blob = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * n * 31) >>> (n % 7))).toString('base64');
    expect(index(`before ${blob} after`).length).toBeLessThan(20);
    expect(index(`before ${'a'.repeat(1_000_000)} after`)).toEqual(['befor', 'after']);
  });

  it('do not split a character beyond the BMP when cutting', () => {
    const [term = ''] = index(`a${'𐌰'.repeat(60)}`);
    expect(term.isWellFormed()).toBe(true);
    expect(term.length).toBe(MAX_TERM_LENGTH - 1);
  });
});

describe('query terms', () => {
  it('find the text that holds them, whatever it is', () => {
    for (const language of ['en', 'de', 'fr', 'ru', 'ja', 'th', 'ar']) {
      const analyzer = createAnalyzer(language);
      fc.assert(
        fc.property(text, (value) => {
          const terms = analyzer.indexTerms(value);
          for (const term of analyzer.queryTerms(value)) expect(holds(terms, term), term.term).toBe(true);
        }),
        { numRuns: 60 },
      );
    }
  });

  it('find a single word of a text by itself', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), pieces, (before, word) => {
        const terms = english.indexTerms([...before, word].join(' '));
        for (const term of english.queryTerms(word)) expect(holds(terms, term), term.term).toBe(true);
      }),
    );
  });

  it.each([
    ['case', 'Straße ΟΔΟΣ Ёлка İstanbul DEC-0054', 'STRASSE οδος ёлка istanbul dec-0054'],
    ['accents', 'résumé naïve Ærø Łódź Đại học', 'resume naive aero lodz dai hoc'],
    ['width', 'ＡＢＣ１２３ ｶﾞｷﾞ', 'ABC123 ガギ'],
    ['ligatures', 'ﬁle ﬂow', 'file flow'],
    ['dashes', 'DEC–0054 XJ‑900', 'DEC-0054 XJ-900'],
    ['digits', '٢٠٢٦ २०२६', '2026 2026'],
    ['harakat and tatweel', 'الكِتَابُ كـتـاب إسلام', 'الكتاب كتاب اسلام'],
    ['Persian and Arabic letters', 'کتابی', 'كتابي'],
    ['niqqud', 'שָׁלוֹם', 'שלום'],
    ['soft hyphens and joiners', 'Donau\u00addampf zero\u200bwidth', 'Donaudampf zerowidth'],
    ['apostrophes', 'l’école O’Brien don’t', 'ecole OBrien do'],
  ])('are the same whatever the %s', (_, one, other) => {
    expect(index(one)).toEqual(index(other));
    expect(query(one)).toEqual(query(other));
  });

  it('keep the marks that are letters: dakuten, vowel signs, tone marks, й', () => {
    expect(query('が')).not.toEqual(query('か'));
    expect(query('ヒラ')).not.toEqual(query('ビラ'));
    expect(query('हिन्दी')).toEqual(['हिन्दी']);
    expect(query('บ้าน')).toEqual(['บ้าน']);
    expect(query('май')).not.toEqual(query('маи'));
  });

  it.each([
    ['DEC-0054', 'dec-0054', ['dec', '0054']],
    ['atomic_write_json', 'atomic_write_json', ['atom', 'write', 'json']],
    ['AB12 CDE', 'ab12 cde', ['ab12', 'cde']],
    ['SW1A 1AA', 'sw1a 1aa', ['sw1a', '1aa']],
    ['INV 0042', 'inv 0042', ['inv', '0042']],
    ['DE89 3704 0044 0532 0130 00', 'de89 3704 0044 0532 0130 00', ['de89', '3704', '0044', '0532', '0130', '00']],
    ['XJ-900/B', 'xj-900/b', ['xj', '900', 'b']],
    ['src/vault/path.ts', 'src/vault/path.ts', ['src', 'vault', 'path', 'ts']],
    ['jo.smith@example.com', 'jo.smith@example.com', ['jo', 'smith', 'exampl', 'com']],
    ['2026-11-29', '2026-11-29', ['2026', '11', '29']],
    ['v1.2.3', 'v1.2.3', ['v1', '2', '3']],
    ['1.234,50', '1.234,50', ['1', '234', '50']],
    ['請求書INV-0042は', 'inv-0042', ['inv', '0042']],
    ['C++', 'c++', ['c++']],
    ['C#', 'c#', ['c#']],
    ['AT&T', 'at&t', ['at', 't']],
  ])('keep the identifier of %s whole', (written, term, phrase) => {
    expect(english.queryTerms(written)).toContainEqual({ term, phrase, identifier: true, times: 1 });
    for (const asked of english.queryTerms(written)) expect(holds(index(`x ${written} y`), asked)).toBe(true);
  });

  it('take ordinary words and numbers for no identifier', () => {
    const identifiers = english
      .queryTerms('well-known and/or 3 of the May 2 meetings')
      .filter((term) => term.identifier);
    expect(identifiers).toEqual([]);
    expect(query('well-known')).toEqual(['known']);
    expect(english.queryTerms('budget 2025 2026').every(({ phrase }) => phrase.length === 1)).toBe(true);
  });

  it('find a date in a time stamp', () => {
    const terms = index('at 2026-11-29T10:30:05Z it failed');
    for (const asked of [...english.queryTerms('2026-11-29'), ...english.queryTerms('10:30')])
      expect(holds(terms, asked)).toBe(true);
  });

  it('find one and two CJK characters', () => {
    const terms = index('東京都庁へ行く');
    for (const asked of ['東', '京', '庁', '東京', '都庁'])
      for (const term of english.queryTerms(asked)) expect(terms).toContain(term.term);
  });

  it('leave stop words out unless nothing else is left', () => {
    expect(query('what is the status of the boiler')).toEqual(['status', 'boiler']);
    expect(query('boring outs')).toEqual(['bore', 'out']); // the stem of a word that is none may be one
    expect(query('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
    expect(query('der Zustand von dem Kessel', 'de')).toEqual(['zustand', 'kessel']);
    expect(query('the Кошка и собака', 'ru')).toEqual(['кошк', 'собак']);
  });

  it('say how often each stands in the query, in whatever form of the word', () => {
    const times = english.queryTerms('pump noise, DEC-0054, noises of the pumps and a noisy dec-0054');
    expect(times.map((term) => [term.term, term.times])).toEqual([
      ['pump', 2],
      ['nois', 2],
      ['dec-0054', 2],
      ['noisi', 1],
    ]);
  });

  it('are none for a text without letters and digits', () => {
    for (const value of ['', '  ', '"*()', '→ 🦊 …', '--', "'"]) expect(english.queryTerms(value)).toEqual([]);
  });

  it('stay within the bound, identifiers and long words first, in the order written', () => {
    const filler = Array.from(
      { length: 2000 },
      (_, n) => `${'abcdefghij'.charAt(n % 10)}${'klmnopqrst'.charAt(Math.floor(n / 10) % 10)}uv`,
    ).join(' ');
    const terms = query(`${filler} extraordinarily DEC-0054`);
    expect(terms).toHaveLength(MAX_QUERY_TERMS);
    expect(terms.slice(-2)).toEqual(['extraordinarili', 'dec-0054']);
    expect(query('boiler boilers BOILER')).toEqual(['boiler']);
  });
});

describe('languages', () => {
  it.each([
    ['en', 'relational conditions abortions', 'relational condition abortion'],
    ['de', 'Häuser Häusern', 'Haus haus'],
    ['es', 'informaciones canciones', 'informacion cancion'],
    ['pt', 'informações organizações', 'informacao organizacao'],
    ['fr', 'associées journées', 'associee journee'],
    ['ru', 'кошками книгой', 'кошка книга'],
    ['el', 'δρόμους', 'δρομος'],
  ])('stem %s', (language, inflected, plain) => {
    expect(query(inflected, language)).toEqual(query(plain, language));
  });

  it('are refused by name when unknown, and a region is ignored', () => {
    expect(() => createAnalyzer('xx')).toThrow(/Unknown search language "xx".*\ben\b/);
    expect(() => createAnalyzer('constructor')).toThrow(RangeError);
    expect(query('informações', 'pt-BR')).toEqual(query('informações', 'pt'));
    expect(query('hundene', 'nb-NO')).toEqual(query('hundene', 'no'));
  });

  it.each(SEARCH_LANGUAGES)('that the configuration accepts are known: %s', (language) => {
    expect(createAnalyzer(language).indexTerms('2026 DEC-0054')).toContain('dec-0054');
  });

  it('are part of the version', () => {
    expect(createAnalyzer('de').version).not.toBe(createAnalyzer('en').version);
  });
});
