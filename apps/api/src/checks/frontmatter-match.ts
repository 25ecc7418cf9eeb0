/**
 * Whether a note's frontmatter has a key, or a value under it. Pure. Danger: the value comes as text and the note's may be
 * a number, so the rules below are what callers rely on; docs and openapi.yaml say the same.
 *
 * - A key is compared as it is written, case included. `a.b` is the key of that name, or where there is none, `b` in the
 *   mapping `a`, or in one of the mappings of the list `a`.
 * - Text is compared as it is written, but for Unicode's normal forms. A date is text.
 * - A number is equal whatever way it is written (`3`, `3.0`, `3e0`), and a whole one to the last digit, however many it
 *   has: those that the language's own numbers cannot hold come as bigints; a boolean is `true` or `false`; a key without a value
 *   is the empty text.
 * - A list matches by any of its members; a mapping matches nothing.
 */
import { integerBeyondDouble } from '@vault-mcp/shared/vault/note/exact-integer';

/**
 * @param value what to look for; undefined: whether the key is there at all
 */
export function holdsValue(data: Readonly<Record<string, unknown>>, key: string, value: string | undefined): boolean {
  const found = valuesAt(data, key);
  if (value === undefined) return found.length > 0;
  const wanted = value.normalize('NFC');
  return found.some((each) => (Array.isArray(each) ? each : [each]).some((one) => isEqual(one, wanted)));
}

function valuesAt(data: Readonly<Record<string, unknown>>, key: string): unknown[] {
  if (Object.hasOwn(data, key)) return [data[key]];
  if (!key.includes('.')) return [];
  return key.split('.').reduce<unknown[]>((values, part) => values.flatMap((value) => memberOf(value, part)), [data]);
}

function memberOf(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => (Array.isArray(each) ? [] : memberOf(each, key)));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return [];
  return [(value as Readonly<Record<string, unknown>>)[key]];
}

function isEqual(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.normalize('NFC') === wanted;
  if (typeof value === 'bigint') return isNumber(wanted) && integerBeyondDouble(wanted) === value;
  if (typeof value === 'number') return isNumber(wanted) ? isSameNumber(value, wanted) : String(value) === wanted;
  if (typeof value === 'boolean') return String(value) === wanted;
  return value === null && wanted === '';
}

/** One that a double does not hold is none that it does, though it reads alike. */
function isSameNumber(value: number, wanted: string): boolean {
  return Number(wanted) === value && integerBeyondDouble(wanted) === null;
}

/** As JSON writes numbers: what else the language takes for one (blanks, hex) is a slip. */
function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
}
