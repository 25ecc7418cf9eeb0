/**
 * How a string, number or boolean is written in YAML so that every reader gives back the same. Danger: vaults are read
 * by YAML 1.1 and 1.2 readers alike, which disagree on `no`, `01234`, `12:30` and more; what either would take for
 * something else than this string is quoted, and nothing else is.
 */

/** Null and booleans of both versions, and the 1.1 keys for merging and defaults. */
const WORDS =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|<<|=)$/;

/** Integers: decimal, octal (`0o7`, and `07` in 1.1), hexadecimal, binary, with underscores and base 60 in 1.1. */
const INTEGER = /^[-+]?(?:0b[01_]+|0o[0-7]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*)$/;

/** Decimal fractions and exponents of both versions, base 60 in 1.1, infinities, what is no number. */
const FLOAT =
  /^(?:[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9_]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** What 1.1 takes for a point in time. */
const TIMESTAMP =
  /^\d{4}-(?:\d\d-\d\d|\d{1,2}-\d{1,2}(?:[Tt]|[ \t]+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d{1,2}(?::\d\d)?))?)$/;

/** An ISO date, or date with time: written bare, since a reader that makes a date of it means the same. */
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?)?$/;

/** First characters that mean something; `-`, `?` and `:` only before a blank. */
const INDICATOR = /^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:[ \t]|$))/;

/** A comment, or a key, inside the text; tabs, which some readers do not take between words. */
const STRUCTURE = /[ \t]#|:(?:[ \t]|$)|\t/;

/** What would end the block, or start another one, at the beginning of a line. */
const MARKER = /^(?:---|\.\.\.)(?: |$)/;

/** What readers take for a line break or refuse unescaped. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/u;

/** Whether both kinds of reader take the bare text for this string (ISO dates count as such). */
export function isBareString(text: string): boolean {
  if (text === '' || text.startsWith(' ') || text.endsWith(' ') || UNPRINTABLE.test(text)) return false;
  if (INDICATOR.test(text) || STRUCTURE.test(text)) return false;
  if (WORDS.test(text) || INTEGER.test(text) || FLOAT.test(text)) return false;
  return !TIMESTAMP.test(text) || isIsoDate(text);
}

/** One scalar on one line. */
export function yamlScalar(value: string | number | boolean): string {
  if (typeof value === 'string') return isBareString(value) ? value : doubleQuoted(value);
  // 1.1 has no exponent without a fraction.
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/** A key, as it stands before its colon. */
export function yamlKey(key: string): string {
  return MARKER.test(key) || !isBareString(key) ? doubleQuoted(key) : key;
}

function isIsoDate(text: string): boolean {
  const day = ISO_DATE.exec(text)?.[1];
  if (day === undefined) return false;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** JSON's escapes are YAML's; what else a reader refuses unescaped is escaped as well. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
