/**
 * What a REST call tells a writing operation besides its input: who calls, from what, and whether somebody still waits.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { WriteRequest } from '../operations/write-context.ts';
import type { HttpContext } from './env.ts';
import { headerText } from './header-text.ts';

/** Characters that show as something, at most a hundred. */
const SOURCE = /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u;

/** @throws AppError `invalid_request` for a source that no record could show */
export function writeRequest(c: HttpContext): WriteRequest {
  const source = sourceOf(c.req.header('x-vault-source'));
  const principal = c.get('principal');
  const request = {
    agent: principal.name,
    ...(principal.kind === 'agent' && principal.byOperator ? { byOperator: true } : {}),
    requestId: c.get('requestId'),
    signal: c.req.raw.signal,
  };
  return source === undefined ? request : { ...request, source };
}

function sourceOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const source = headerText(value).trim();
  if (SOURCE.test(source)) return source;
  throw new AppError('invalid_request', 'X-Vault-Source names what you write from, in 1 to 100 printable characters.');
}
