/**
 * What a write's headers demand of the version that is there. Pure. Danger: a condition that is not understood and
 * therefore ignored lets a write through that its author wanted stopped, so each one is taken or refused.
 */
import { AppError } from '@vault-mcp/shared/errors';

export interface WriteConditions {
  /** The etag, bare; `*` for any version. */
  readonly expected_etag?: string;
  /** Nothing may be there yet. */
  readonly must_not_exist?: true;
}

/** The value of a header by its name in lower case. */
export type Headers = (name: string) => string | undefined;

/**
 * @param options.mayCreate whether the call takes `If-None-Match: *`
 * @throws AppError `invalid_request`
 */
export function conditionsOf(header: Headers, options: { readonly mayCreate?: boolean } = {}): WriteConditions {
  const unknown = ['if-unmodified-since', 'if-range', 'content-range'].find((name) => header(name) !== undefined);
  if (unknown !== undefined) {
    throw new AppError(
      'invalid_request',
      `A write takes no ${unknown}: send If-Match with the etag of your last read.`,
    );
  }
  const ifMatch = header('if-match');
  const ifNoneMatch = header('if-none-match');
  return {
    ...(ifMatch === undefined ? {} : { expected_etag: etagIn(ifMatch, 'If-Match') }),
    ...(ifNoneMatch === undefined ? {} : { must_not_exist: onlyAny(ifNoneMatch, options.mayCreate ?? false) }),
  };
}

/**
 * For a call that is about no one version that could be asked for.
 * @param why a clause that says so
 * @throws AppError `invalid_request`
 */
export function refuseConditions(header: Headers, why: string): void {
  if (Object.keys(conditionsOf(header)).length === 0) return;
  throw new AppError('invalid_request', `${why}: leave If-Match out.`);
}

/**
 * One etag, with its quotes or without.
 * @param where what the caller wrote it in, for the refusal
 * @throws AppError `invalid_request` for none, several, or a weak one
 */
export function etagIn(value: string, where: string): string {
  const etag = /^\s*(?:"([^"\s,]+)"|([^"\s,]+))\s*$/.exec(value);
  const bare = etag?.[1] ?? etag?.[2];
  if (bare !== undefined && !/^w\//i.test(bare)) return bare;
  const weak = /^\s*w\//i.test(value) ? ' without "W/"' : '';
  const message = `${where} takes one etag as the last read gave it${weak}, or * for any version; it takes no list.`;
  throw new AppError('invalid_request', message);
}

function onlyAny(value: string, mayCreate: boolean): true {
  if (!mayCreate) {
    throw new AppError(
      'invalid_request',
      'If-None-Match is for PUT /vault/, which makes notes: leave it out here, and for a version send If-Match.',
    );
  }
  if (value.trim() === '*') return true;
  const message = 'If-None-Match takes only * here (write it only if nothing is there); for a version send If-Match.';
  throw new AppError('invalid_request', message);
}
