/**
 * How alike the names of two wiki pages are, so that a fact about "kitchen taps" is not put on a second page beside
 * "kitchen-tap". Pure. The numbers are the contract's (SPEC §14).
 */

export interface SimilarPage {
  readonly slug: string;
  /** From 0 to 1; 1 is equal but for hyphens. */
  readonly score: number;
}

/** From which on a page is proposed. */
const SIMILAR = 0.4;
/** Pages proposed. */
const PROPOSED = 5;
/** Of a name that holds the other, at least. */
const CONTAINED = 0.7;

/**
 * Pages that a slug may mean, the most alike first; those equally alike by name.
 *
 * @param slugs of all pages
 */
export function similarPages(slug: string, slugs: Iterable<string>): SimilarPage[] {
  const likeness = likenessTo(slug);
  const found: SimilarPage[] = [];
  for (const other of slugs) {
    const score = likeness(other);
    if (score >= SIMILAR) found.push({ slug: other, score });
  }
  return found.sort((a, b) => b.score - a.score || (a.slug < b.slug ? -1 : 1)).slice(0, PROPOSED);
}

/** Of two slugs. */
export function similarity(one: string, other: string): number {
  return likenessTo(one)(other);
}

/** The same for many: what is asked for is taken apart once. */
function likenessTo(one: string): (other: string) => number {
  const a = compact(one);
  const parts = { trigrams: trigrams(a), words: words(one) };
  return (other) => {
    const b = compact(other);
    if (a === '' || b === '') return 0;
    if (a === b) return 1;
    const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
    if (longer.includes(shorter)) return Math.max(CONTAINED, shorter.length / longer.length);
    return Math.max(jaccard(parts.trigrams, trigrams(b)), jaccard(parts.words, words(other)));
  };
}

/** Shared ÷ all; 0 of two empty sets. */
export function jaccard<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): number {
  let shared = 0;
  for (const item of one) if (other.has(item)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

function compact(slug: string): string {
  return slug.replace(/[^a-z0-9]/g, '');
}

function words(slug: string): Set<string> {
  return new Set(slug.split('-').filter((word) => word !== ''));
}

function trigrams(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3)));
}
