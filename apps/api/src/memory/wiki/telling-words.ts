/**
 * Words that make another fact of one that is otherwise the same: numbers, days and months, what denies, and what is the opposite.
 * Pure. Danger: a correction differs from what it corrects by nothing else, so one that is not known here is taken for what stands
 * there already.
 */
import { dateWords } from './date-words.ts';
import { numberWords } from './number-words.ts';

/** All are asked in lower case. */
export interface WordKinds {
  /** False of words that say nothing by themselves, such as "the". */
  isContentWord(word: string): boolean;
  /** Of numbers, days, months and words that deny. */
  isTelling(word: string): boolean;
  denies(word: string): boolean;
  /** Of numbers, in digits or words, with "plus" and "minus": what stands beside another one belongs to it. */
  isNumber(word: string): boolean;
  /** The words that say the opposite; empty of most. */
  oppositesOf(word: string): readonly string[];
}

/** By language (search.language), in lower case. */
const NEGATIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set('not no never none nothing nobody nowhere neither nor cannot without'.split(' ')),
  de: new Set(
    'nicht nie niemals nichts niemand nirgends weder noch ohne kein keine keinen keinem keiner keines keins'.split(' '),
  ),
};

/** Few, and common: whoever needs a language's pairs in full needs a model. By language, the two sides of a pair with "/". */
const OPPOSITES: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>> = {
  en: pairs(
    'open/closed opens/closes on/off in/out up/down left/right before/after above/below over/under more/less most/least more/fewer ' +
      'maximum/minimum max/min first/last yes/no true/false always/never all/none enabled/disabled enable/disable active/inactive ' +
      'allowed/forbidden accepted/rejected accepted/refused with/without start/end starts/ends started/ended begin/end begins/ends ' +
      'alive/dead north/south east/west morning/evening day/night am/pm today/tomorrow today/yesterday old/new early/late ' +
      'earlier/later high/low higher/lower increase/decrease increased/decreased rises/falls rose/fell bought/sold buys/sells ' +
      'hot/cold warm/cold big/small large/small long/short likes/dislikes loves/hates won/lost present/absent public/private',
  ),
  de: pairs(
    'offen/geschlossen offen/zu auf/zu an/aus ein/aus links/rechts vor/nach über/unter oben/unten mehr/weniger höchstens/mindestens ' +
      'maximal/minimal ja/nein wahr/falsch immer/nie alle/keine aktiv/inaktiv erlaubt/verboten angenommen/abgelehnt mit/ohne ' +
      'beginnt/endet begonnen/beendet lebt/starb nord/süd nördlich/südlich östlich/westlich norden/süden osten/westen morgens/abends ' +
      'tag/nacht heute/morgen heute/gestern alt/neu alte/neue früh/spät früher/später hoch/niedrig höher/niedriger steigt/fällt ' +
      'gekauft/verkauft kauft/verkauft heiß/kalt warm/kalt groß/klein lang/kurz gewonnen/verloren öffentlich/privat',
  ),
};

/**
 * @param language as in search.language; of one that is not in the lists above, what is in any of them
 * @param isStopWord of that language
 */
export function wordKinds(language: string, isStopWord: (word: string) => boolean): WordKinds {
  const base = language.toLowerCase().split(/[-_]/)[0] ?? '';
  const lists = Object.hasOwn(NEGATIONS, base) ? [base] : Object.keys(NEGATIONS);
  const contracts = lists.includes('en');
  const isNumber = numberWords(base);
  const dates = dateWords([...new Set(['en', 'de', base])], isStopWord);
  const denies = (word: string) =>
    lists.some((list) => NEGATIONS[list]?.has(word)) || (contracts && /n['’]t$/.test(word));
  return {
    isContentWord: (word) => !isStopWord(word),
    isNumber,
    denies,
    isTelling: (word) => isNumber(word) || dates.has(word) || denies(word),
    oppositesOf: (word) => lists.flatMap((list) => OPPOSITES[list]?.get(word) ?? []),
  };
}

function pairs(list: string): ReadonlyMap<string, readonly string[]> {
  const opposites = new Map<string, string[]>();
  const add = (word: string, opposite: string) => opposites.set(word, [...(opposites.get(word) ?? []), opposite]);
  for (const pair of list.split(' ')) {
    const [one = '', other = ''] = pair.split('/');
    add(one, other);
    add(other, one);
  }
  return opposites;
}
