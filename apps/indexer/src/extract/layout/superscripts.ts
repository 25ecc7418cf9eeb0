/**
 * Raised marks written so that they neither run into the word before nor lose their meaning: `word^12`, `10^3`, `m²`.
 * Danger: search takes `word¹` and `word1` for one word, and not for `word`; so a mark is parted from its word by a
 * character that search takes for none. It is no space, behind which a caret would name a block of the note.
 *
 * Squares, cubes and inverses of units and of single small letters are left as such characters, which search finds as `m2`;
 * so is what is lowered (H₂O comes as H2O), and ordinals (`1st`) are written on.
 */
import type { Run } from './model.ts';

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const RAISED_NUMBER = /^[-\u2212+]?\d{1,4}(?:\s?[,;\u2013-]\s?\d{1,4})*$/;
const MARK = /[⁺⁻]?[⁰¹²³⁴-⁹]+(?:\s?[,;\u2013-]\s?[⁰¹²³⁴-⁹]+)*/g;
const OPENING = /(?:^|[\s([{„“‚‘«»¿¡"'])$/u;
/** A unit of measurement, or a letter that stands for a number. */
const MEASURE = /(?:^|[^\p{L}])(?:[cdkmµμnhNS]?m|in|ft|yd|mi|sec|[дкмс]?м|\p{Ll})$/u;
const POWER = /^(?:[²³⁴]|⁻[¹²³⁴])$/;
/** Characters looked at before a mark. */
export const REACH = 8;
const TRADE_MARKS: Readonly<Record<string, string>> = { TM: '\u2122', SM: '\u2120' };
/** Single letters that end an ordinal; any other one behind a digit is a mark. */
const ORDINAL = /^[aeor]$/;
const FRACTION = /^[/\u2044]/;
/** A letter or two that may name an element, in a formula whose numbers are set high. */
const ELEMENT = /\p{Lu}\p{Ll}?$/u;

/** @param before what the line holds already, or the last REACH characters of it @param after what stands next to the mark @returns how the run is written */
export function raisedText(run: Run, before: string, after: string): string {
  const { text } = run;
  if (FRACTION.test(after)) return /\d$/.test(before) ? ` ${text}` : text;
  if (ELEMENT.test(before) && /^\p{Lu}/u.test(after)) return text;
  if (RAISED_NUMBER.test(text)) return raisedDigits(text);
  if (Object.hasOwn(TRADE_MARKS, text)) return ` ${TRADE_MARKS[text]}`;
  const isMark = /^[a-z]$/.test(text) && (/\p{Ll}{2}$/u.test(before) || (/\d$/.test(before) && !ORDINAL.test(text)));
  if (!isMark) return text;
  return /^[\p{L}\p{N}]/u.test(after) ? `^${text} ` : `^${text}`;
}

function raisedDigits(text: string): string {
  const digits = text.replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? digit);
  return digits.replace(/^[-\u2212]/, '⁻').replace(/^\+/, '⁺');
}

/** Whether a raised run is a mark on what stands before it, even where a thin space parts them. @param before as above */
export function marksWhatIsBefore(run: Run, before: string): boolean {
  return run.raised === true && RAISED_NUMBER.test(run.text) && /[^\s\d]$/.test(before);
}

/** Also marks that the file has as characters of their own. */
export function withMarksApart(text: string): string {
  return text.replace(MARK, (mark: string, at: number) => {
    const before = text.slice(Math.max(0, at - REACH), at);
    if (MEASURE.test(before) && POWER.test(mark)) return mark;
    const after = text.charAt(at + mark.length);
    const gap = /[\p{L}\p{N}]/u.test(after) ? ' ' : '';
    return `${OPENING.test(before) ? '' : '^'}${plainDigits(mark)}${gap}`;
  });
}

function plainDigits(mark: string): string {
  const digits = mark.replace(/[⁰¹²³⁴-⁹]/g, (digit) => String(DIGITS.indexOf(digit)));
  return digits.replace('⁻', '-').replace('⁺', '+');
}
