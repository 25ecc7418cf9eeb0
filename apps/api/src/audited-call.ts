/**
 * One row of the audit log as every surface writes it. Danger: nothing that a note or a caller's arguments hold may
 * stand in a row; arguments go in as a digest, errors as their code.
 */
import { type AuditLog, argumentsDigest } from '@vault-mcp/shared/records/audit';

/** Who calls while there is one key for all: the name that key goes by. */
export const OPERATOR = 'operator';
/** Who calls without a key that is known. */
export const NOBODY = 'nobody';

export interface Call {
  readonly surface: 'rest' | 'mcp' | 'cli';
  /** The operation's name (`patch-note`), or what was asked for where no operation was reached. */
  readonly operation: string;
  readonly agent: string;
  /** What was asked, as it was understood; only its digest is kept. */
  readonly args: unknown;
  /** `ok`, or the error's code. */
  readonly outcome: string;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
}

/** Leaves the row of a call that has just ended. Never throws and never waits. */
export function recordCall(audit: Pick<AuditLog, 'append'>, { args, ...call }: Call): void {
  audit.append({ ...call, timeMs: Date.now() - call.durationMs, argsDigest: argumentsDigest(args) });
}
