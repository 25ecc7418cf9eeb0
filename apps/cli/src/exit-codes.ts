/**
 * How a command ends, as a number a script can act on and one plain line a person can. Pure. Danger: scripts rely on
 * the numbers, so a new meaning gets a new one.
 */

import { ListenError } from '@vault-mcp/api/serve';
import { ConfigError } from '@vault-mcp/shared/config/load';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { AppError } from '@vault-mcp/shared/errors';
import { WriterLockedError } from '@vault-mcp/shared/index-db/writer-lock';
import { CommanderError } from 'commander';

export const EXIT = {
  /** Done, and nothing needs anybody. */
  ok: 0,
  /** Done, and something needs a person: findings, failed files, nothing found. */
  findings: 1,
  /** The call or the configuration is wrong: nothing was done. */
  usage: 2,
  /** It could not run or was cut short: port taken, index held by another process, server gone, a defect. */
  failed: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Stands at the end of every `--help`. */
export const EXIT_CODE_HELP = `
Exit codes:
  0  done, nothing needs you
  1  done, but something needs you (findings, files that could not be indexed, nothing found)
  2  wrong call or configuration; nothing was done
  3  could not run or was cut short (port taken, index in use, server unreachable)`;

/** A command's own refusal; the message is one plain line that says what to do. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** Errors a caller can cause with a wrong path or value: the call is at fault, not the run. */
const USAGE_CODES = new Set(['invalid_path', 'invalid_request', 'invalid_value', 'not_a_directory', 'is_directory']);

/**
 * What to end with after `thrown`.
 * @returns `message` undefined when whoever threw has already told the person
 */
export function endingOf(thrown: unknown): { exitCode: number; message?: string } {
  // commander prints its own message; help and version end with 0.
  if (thrown instanceof CommanderError) return { exitCode: thrown.exitCode === 0 ? EXIT.ok : EXIT.usage };
  if (thrown instanceof CliError) return { exitCode: thrown.exitCode, message: thrown.message };
  if (thrown instanceof ConfigError) return { exitCode: EXIT.usage, message: thrown.message };
  if (thrown instanceof EmbedderError) {
    return { exitCode: thrown.kind === 'configuration' ? EXIT.usage : EXIT.failed, message: thrown.message };
  }
  if (thrown instanceof AppError) {
    return { exitCode: USAGE_CODES.has(thrown.code) ? EXIT.usage : EXIT.failed, message: thrown.message };
  }
  if (thrown instanceof WriterLockedError || thrown instanceof ListenError) {
    return { exitCode: EXIT.failed, message: thrown.message };
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    exitCode: EXIT.failed,
    message: `Unexpected: ${reason.split('\n')[0]} (run again with --verbose for details)`,
  };
}
