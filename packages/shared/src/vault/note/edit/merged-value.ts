/**
 * What a frontmatter value becomes when something is added to it. Pure. Danger: what is added to something of another
 * kind would have to be converted, and each way of doing so is a guess; so it is refused.
 */
import { AppError } from '../../../errors.ts';

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Lists grow by the items, mappings by the keys (of a key that both have the later one counts), texts by the text, with
 * nothing between.
 *
 * @param current undefined: the key is not there yet; null: it holds nothing
 * @throws AppError `invalid_value` when the two are not of one kind
 */
export function mergedValue(current: unknown, added: unknown, where: 'append' | 'prepend'): unknown {
  if (current === undefined || current === null) return added;
  const [first, second] = where === 'append' ? [current, added] : [added, current];
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
  if (typeof first === 'string' && typeof second === 'string') return first + second;
  if (isMapping(first) && isMapping(second)) return { ...first, ...second };
  const advice = Array.isArray(current) ? 'it holds a list, so send a list, such as ["new"]' : 'use replace';
  throw new AppError('invalid_value', `The value cannot be added to what the key holds: ${advice}.`);
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
