/**
 * The options that every write takes beside what it is about, wherever in a request they stand: the query, the body, a
 * header. Danger: where two places differ, either choice would be a guess, and a dry run that is taken for a real one
 * changes the vault.
 */
import { AppError } from '@vault-mcp/shared/errors';

/** As the query spells them. */
export const OUTCOME_QUERY = { dry_run: 'flag', wait: 'text', timeout: 'number' } as const;

const NAMES = ['dry_run', 'wait', 'timeout', 'expected_etag'] as const;

/** Not yet validated: the operation's schema does that. */
export type WriteOptions = { readonly [N in (typeof NAMES)[number]]?: unknown };

/**
 * @returns the input with what the other place says added
 * @throws AppError `invalid_request` when both say something and differ
 */
export function withOptions<T extends WriteOptions>(input: T, elsewhere: WriteOptions): T {
  const options: Record<string, unknown> = {};
  for (const name of NAMES) {
    const [one, other] = [input[name], elsewhere[name]];
    if (one !== undefined && other !== undefined && one !== other) {
      const also = name === 'expected_etag' ? ' (it is also If-Match)' : '';
      throw new AppError('invalid_request', `${name}${also} is given twice and differs; give it once.`);
    }
    if ((one ?? other) !== undefined) options[name] = one ?? other;
  }
  return { ...input, ...options };
}
