/**
 * What a note is found under by words though it stands in none of its chunks: its other names, and the identifiers among its
 * properties (`policy: KH-2291-A`). Pure. Danger: frontmatter is full of what says nothing of its note (states, kinds, dates, what
 * programs keep there), and each such word would make all notes that have it alike.
 */

/** In characters; a property of a page's length is no name. */
const MAX_WORDS = 2000;
/** Told in the index already, said of other notes, or who wrote it. */
const NOT_OF_THE_NOTE = new Set([
  ...['title', 'tags', 'tag', 'type', 'cssclass', 'cssclasses', 'description', 'aliases', 'alias'],
  ...['superseded_by', 'supersedes', 'vault_agent', 'vault_source'],
]);
const MOMENT = /^\p{N}{4}-\p{N}{2}(?:-\p{N}{2}(?:[T ].*)?)?$/u;
/** Digits beside letters or joined to others, a long number, an address, a name joined by `_`. */
const IDENTIFIER = /\p{L}\S*\p{N}|\p{N}\S*\p{L}|\p{N}[-/._]\p{N}|\p{N}{5}|\S@\S|\p{L}_\p{L}/u;

/**
 * @param data a note's frontmatter
 * @returns one line each; empty when there is nothing of the kind
 */
export function propertyWords(data: Readonly<Record<string, unknown>>): string {
  const names = [data.aliases, data.alias].flatMap(texts);
  const identifiers = Object.entries(data).flatMap(([key, value]) =>
    NOT_OF_THE_NOTE.has(key.toLowerCase()) ? [] : texts(value).filter(holdsIdentifier),
  );
  return [...names, ...identifiersIn(data.description), ...identifiers].join('\n').slice(0, MAX_WORDS);
}

/**
 * A description's other words stand in no chunk's terms: with them 7 of the 157 queries to examples/vault got better by words and
 * 8 worse, and fused fewer better than worse (bench/relevance); its meaning is in what is embedded.
 */
function identifiersIn(description: unknown): string[] {
  return typeof description === 'string' ? description.split(/\s+/u).filter(holdsIdentifier) : [];
}

function holdsIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && !MOMENT.test(text.trim());
}

/** What a value, or each item of a list, says in letters or digits. */
function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (Array.isArray(item) ? [] : texts(item)));
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  return typeof value === 'number' && Number.isSafeInteger(value) ? [String(value)] : [];
}
