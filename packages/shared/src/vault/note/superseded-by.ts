/**
 * Which note a note says stands for it now: what its frontmatter has under `superseded_by`, in whatever form a person left it.
 * Pure. Danger: whoever reads that key on its own, be it the index, the gate or a reader, tells another note live than the
 * others do, and then a text is filed beside its twin; so all of them read it here.
 */

export const SUPERSEDED_BY_KEY = 'superseded_by';

/**
 * @param data a note's frontmatter
 * @returns a link, a path or whatever else was written; of a list the first. Null for a note that is not superseded: without
 * the key, with an empty one as templates leave it, and with a value that can name no note
 */
export function supersededBy(data: Readonly<Record<string, unknown>>): string | null {
  return written(data[SUPERSEDED_BY_KEY]);
}

function written(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (!Array.isArray(value)) return null;
  const link = unquotedLink(value);
  if (link !== null) return link;
  for (const item of value) {
    const found = written(item);
    if (found !== null) return found;
  }
  return null;
}

/** `[[Note]]` without quotes, which YAML takes for a list within a list, parted at the commas of its name. */
function unquotedLink([inner, ...more]: readonly unknown[]): string | null {
  if (more.length > 0 || !Array.isArray(inner) || !inner.every((part) => typeof part === 'string')) return null;
  const name = inner.join(', ').trim();
  return name === '' || name.includes('[[') ? null : `[[${name}]]`;
}
