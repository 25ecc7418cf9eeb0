/**
 * What an error says to the people whose document it came of. Pure. Danger: its message was written for programmers, and is
 * answered to callers: it must name no place on this machine, and nothing that only the source explains.
 */

const LONGEST = 200;

/** JavaScript's own errors: the parser was surprised, which says nothing that a person could act on. */
const INTERNAL = /^(?:Type|Range|Reference|Syntax|Internal)Error\b/;

/** @returns a few words without a full stop */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutPaths(String(error));
  // The parser wraps what it did not foresee, and keeps what it was there.
  const { details } = error as { details?: unknown };
  const kind = typeof details === 'string' ? details : error.name;
  return INTERNAL.test(kind) ? 'its contents make no sense' : withoutPaths(error.message).replace(/\.$/, '');
}

/** The first line, shortened, with no path of this machine in it. */
export function withoutPaths(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/(?:file:\/\/)?(?:\/[^\s/'"]+){2,}\/?/g, '…').slice(0, LONGEST);
}
