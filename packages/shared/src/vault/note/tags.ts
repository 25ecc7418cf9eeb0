/**
 * A note's tags: those of its frontmatter, then those in its text, without `#`, nested ones kept whole. Tags differing
 * only in case are one tag, in the spelling met first.
 */

/** Tags a frontmatter names under `tags` or `tag`: a list, or a string parted by commas or white space. */
export function frontmatterTags(data: Readonly<Record<string, unknown>>): string[] {
  return [...tagValues(data.tags), ...tagValues(data.tag)];
}

/** Collects tags in order of appearance, each once. */
export function uniqueTags(tags: Iterable<string>): string[] {
  const seen = new Map<string, string>();
  for (const written of tags) {
    const tag = withoutEnd(written.trim().replace(/^#+/, ''), '/');
    const key = tag.normalize('NFC').toLowerCase();
    if (/[^\d/\s]/.test(tag) && !seen.has(key)) seen.set(key, tag);
  }
  return [...seen.values()];
}

/** Not by `/\/+$/`, which looks at a run of slashes from each of them. */
function withoutEnd(text: string, end: string): string {
  let to = text.length;
  while (to > 0 && text[to - 1] === end) to--;
  return text.slice(0, to);
}

function tagValues(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/[,\s]+/).filter((part) => part !== '');
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === 'string');
}
