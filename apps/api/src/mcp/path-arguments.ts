/**
 * Paths as models write them: copied with a blank or a line break at an end. Pure. Only here are they trimmed; over
 * HTTP an encoded blank was meant. Danger: what is no path (a text to write or to find) keeps every blank.
 */

/** Arguments that name something in the vault, whatever the tool. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(['path', 'prefix', 'source', 'destination']);

/** @returns the arguments with white space at both ends of the paths gone; anything but an object as it is */
export function trimPathArguments(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      PATH_ARGUMENTS.has(name) && typeof value === 'string' ? value.trim() : value,
    ]),
  );
}
