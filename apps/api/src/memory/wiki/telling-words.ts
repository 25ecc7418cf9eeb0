/**
 * Words that make another fact of one that is otherwise the same: numbers, and what denies. Pure. Danger: a correction differs
 * from what it corrects by nothing else, so one that is not known here is taken for what stands there already.
 */

/** By language (search.language), in lower case. */
const NEGATIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set('not no never none nothing nobody nowhere neither nor cannot without'.split(' ')),
  de: new Set(
    'nicht nie niemals nichts niemand nirgends weder noch ohne kein keine keinen keinem keiner keines keins'.split(' '),
  ),
};

/** Of a language that is not known, what denies in any of them. */
const ALL: ReadonlySet<string> = new Set(Object.values(NEGATIONS).flatMap((words) => [...words]));

/** @param language as in search.language; @returns asked in lower case */
export function tellingWords(language: string): (word: string) => boolean {
  const base = language.toLowerCase().split(/[-_]/)[0] ?? '';
  const negations = NEGATIONS[base] ?? ALL;
  const contracts = base !== 'de';
  return (word) => /\p{N}/u.test(word) || negations.has(word) || (contracts && /n['’]t$/.test(word));
}
