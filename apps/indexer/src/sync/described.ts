/**
 * Tells a text that cannot be described from every other fault. Danger: the parsers' own messages quote what they were
 * reading, and nothing of a note may reach a log; so of the cause only its name and where it arose are kept.
 */

/** Describing this file's text failed: the file's own fault, the same again with the same bytes. */
export class UndescribableError extends Error {
  override readonly name = 'UndescribableError';
  /** The cause's name. */
  readonly causeName: string;
  /** Where it arose: the innermost frames, without the message. */
  readonly frames: readonly string[];

  constructor(cause: unknown) {
    super('The text of the file could not be described.');
    const error = cause instanceof Error ? cause : new Error();
    this.causeName = error.name;
    this.frames = (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, KEPT_FRAMES)
      .map((line) => line.trim());
  }
}

const KEPT_FRAMES = 5;

/** @throws UndescribableError whatever `describe` throws */
export function described<T>(describe: () => T): T {
  try {
    return describe();
  } catch (error) {
    throw new UndescribableError(error);
  }
}
