/**
 * What a frontmatter key may be set to: strings, numbers, booleans, lists and mappings of those. Danger: values come
 * from JSON and from callers' code alike, so anything that YAML could not give back as it was is refused here.
 */
import { AppError } from '../../../errors.ts';

export type FrontmatterValue =
  | string
  | number
  | boolean
  | readonly FrontmatterValue[]
  | { readonly [key: string]: FrontmatterValue };

const TOO_LARGE =
  'a whole number beyond 9007199254740991, whose last digits are lost on the way; send it as text, in quotes';

/** Deepest nesting written; the reader takes 64 levels, two for each of ours at most. */
const MAX_DEPTH = 24;

/**
 * The value as the frontmatter reader would give it back: mappings without prototype, no negative zero.
 *
 * @throws AppError `invalid_value`
 */
export function requireFrontmatterValue(value: unknown, depth = 0): FrontmatterValue {
  if (depth > MAX_DEPTH) throw refused(`nested more than ${MAX_DEPTH} deep`);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw refused('text with half of a surrogate pair');
    return value;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused('a number that is not finite');
    // Read from JSON, such a number may be another one already than was sent.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw refused(TOO_LARGE);
    return value === 0 ? 0 : value;
  }
  if (Array.isArray(value)) return Array.from(value, (item) => requireFrontmatterValue(item, depth + 1));
  if (typeof value === 'object' && value !== null && isPlain(value)) return mapping(value, depth);
  if (value === null) throw refused('null; to remove the key, delete it');
  throw refused(`a ${typeof value === 'object' ? 'special object' : typeof value}`);
}

/** @throws AppError `invalid_value` for a key that no block can hold */
export function requireFrontmatterKey(key: string): void {
  if (key.trim() === '' || !key.isWellFormed() || /\p{Cc}/u.test(key) || key.length > 256 || key === '__proto__') {
    throw new AppError(
      'invalid_value',
      'A frontmatter key is one line of text of at most 256 characters, without control characters, and not "__proto__".',
    );
  }
}

function mapping(value: object, depth: number): FrontmatterValue {
  const result: Record<string, FrontmatterValue> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    requireFrontmatterKey(key);
    result[key] = requireFrontmatterValue(item, depth + 1);
  }
  return result;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function refused(what: string): AppError {
  return new AppError(
    'invalid_value',
    `A frontmatter value is a string, a number, true or false, a list or a mapping of those, not ${what}.`,
  );
}
