/**
 * Names of weekdays and months, long and short, as the runtime's own calendar data has them. Danger: a short name may be a word of
 * the language ("so", "do"), which would tell apart what is the same; so those that are stop words are left out.
 */
import { wordsOf } from './fact-words.ts';

/** Any: seven days one after the other, and a day of each month. */
const DAYS = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)));
const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)));

/** With a day a month may have another ending: "января". */
const FORMS: readonly Intl.DateTimeFormatOptions[] = (['long', 'short'] as const).flatMap((form) => [
  { weekday: form },
  { month: form },
  { month: form, day: 'numeric' },
]);

/** Made once for each language: formats are costly to make. */
const made = new Map<string, readonly DateName[]>();

interface DateName {
  readonly word: string;
  readonly isShort: boolean;
}

/**
 * In lower case, as wordsOf gives them.
 *
 * @param languages ISO 639-1; one that the runtime knows nothing of counts as English
 * @param isStopWord asked of short names
 */
export function dateWords(languages: readonly string[], isStopWord: (word: string) => boolean): ReadonlySet<string> {
  const names = languages.flatMap((language) => {
    const known = made.get(language) ?? FORMS.flatMap((form) => namesIn(language, form));
    made.set(language, known);
    return known;
  });
  return new Set(names.filter(({ word, isShort }) => !isShort || !isStopWord(word)).map(({ word }) => word));
}

function namesIn(language: string, form: Intl.DateTimeFormatOptions): readonly DateName[] {
  const format = new Intl.DateTimeFormat([language, 'en'], { ...form, timeZone: 'UTC', calendar: 'gregory' });
  const isShort = (form.weekday ?? form.month) === 'short';
  return (form.weekday === undefined ? MONTHS : DAYS)
    .flatMap((date) => format.formatToParts(date))
    .filter(({ type }) => type === 'weekday' || type === 'month')
    .flatMap(({ value }) => wordsOf(value).map((word) => ({ word, isShort })));
}
