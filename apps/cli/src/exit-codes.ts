/**
 * The numbers a command ends with, and a command's own refusal. Pure, and imports nothing, since every command loads it.
 * Danger: scripts rely on the numbers, so a new meaning gets a new one.
 */

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
