/**
 * Arguments as models write them: paths copied with a blank or a line break at an end, and null for what is left out,
 * which models that must fill in every argument have no other word for. Pure. Only here are they tolerated; over HTTP an
 * encoded blank was meant. Danger: what is no path (a text to write or to find) keeps every blank, and a value that is
 * null may be meant.
 */

/** Arguments that name something in the vault, whatever the tool. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(['path', 'prefix', 'source', 'destination', 'namespace']);

/** What has arguments of its own, which are tidied alike. */
const NESTED_ARGUMENT = 'decision';

/** What may hold anything. */
const FREE_ARGUMENT = 'value';

/**
 * @returns the arguments without those that are null, white space at both ends of the paths gone; anything but an object
 * as it is
 */
export function tidyArguments(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(
    Object.entries(args)
      .filter(([name, value]) => value !== null || name === FREE_ARGUMENT)
      .map(([name, value]) => [name, tidied(name, value)]),
  );
}

function tidied(name: string, value: unknown): unknown {
  if (name === NESTED_ARGUMENT) return tidyArguments(value);
  return PATH_ARGUMENTS.has(name) && typeof value === 'string' ? value.trim() : value;
}
