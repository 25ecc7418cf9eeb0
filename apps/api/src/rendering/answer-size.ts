/**
 * How large an answer to a model may be; every tool keeps to this rule. Its text has at most `mcp.max_chars` characters,
 * the remarks in it counted. The structured answer says the same: what is a text there is cut at the same character, and
 * a list at the same entry, of which a page holds no more than `JSON_FACTOR` times as many characters as JSON. What is
 * known of a note as a whole (frontmatter, tags) stands on the first page only, in at most a quarter of `mcp.max_chars`.
 * A field that lacks something is named in `shortened`, unless a cursor or offset goes on with it. Pure. Danger: a client
 * may show a model either of the two, so what only one of them leaves out fills up the model's memory all the same.
 */

/** A list's entry takes its field names along. */
const JSON_FACTOR = 2;

/** Room for what is known of a note as a whole, in characters of JSON. */
export function roomForFacts(maxChars: number): number {
  return Math.floor(maxChars / 4);
}

/** Room for the entries of one page, in characters of JSON. */
export function roomForEntries(maxChars: number): number {
  return maxChars * JSON_FACTOR;
}

/** How many of the entries, from the first, fit as JSON; at least one, so that paging goes on. */
export function fittingEntries(entries: readonly unknown[], room: number): number {
  let left = room;
  const over = entries.findIndex((entry) => {
    left -= jsonLength(entry);
    return left < 0;
  });
  return over === -1 ? entries.length : Math.max(1, over);
}

export interface FittedFields<F> {
  readonly fields: F;
  /** The names of those that were cut. */
  readonly shortened: readonly string[];
}

/** The fields with the entries of their lists and mappings that fit into the room left by the ones before. */
export function fittedFields<F extends Readonly<Record<string, object | undefined>>>(
  fields: F,
  room: number,
): FittedFields<F> {
  const shortened: string[] = [];
  let left = room;
  const fitted = Object.entries(fields).map(([name, value]) => {
    const whole = Object.entries(value ?? {});
    const kept = whole.filter(([key, item]) => {
      const size = jsonLength([key, item]);
      const fits = size <= left;
      if (fits) left -= size;
      return fits;
    });
    if (kept.length === whole.length) return [name, value];
    shortened.push(name);
    return [name, Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept)];
  });
  return { fields: Object.fromEntries(fitted) as F, shortened };
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
