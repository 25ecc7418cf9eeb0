/**
 * Cursors that name the last path shown, so that a page goes on rightly while files come and go. Pure. Danger: clients
 * hand cursors from one listing to another, so each kind carries a mark of its own and knows no other's.
 */
import { AppError } from '@vault-mcp/shared/errors';

export interface PathCursor {
  encode(path: string): string;
  /** @throws AppError `invalid_request` for one that was not made by `encode` */
  decode(cursor: string): string;
}

/**
 * @param mark tells this kind from every other
 * @param maker what makes them, as the refusal calls it: `a listing`
 */
export function pathCursor(mark: string, maker: string): PathCursor {
  return {
    encode: (path) => Buffer.from(mark + path, 'utf8').toString('base64url'),
    decode(cursor) {
      const text = Buffer.from(cursor, 'base64url').toString('utf8');
      if (text.startsWith(mark)) return text.slice(mark.length);
      throw new AppError('invalid_request', `This cursor was not made by ${maker}; ask without one to start over.`);
    },
  };
}
