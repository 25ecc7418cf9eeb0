/**
 * Notes that say nearly the same: pairs whose vectors point nearly the same way, kept from one question to the next, so
 * that only what changed is compared anew. Pure but for what it remembers. Danger: comparing all with all grows with the
 * square of the notes, so it stops at a number, and each comparison ends as soon as two notes are seen to be apart.
 */
import type { ChunkVector, NoteVectors } from '@vault-mcp/shared/index-db/note-vectors';

/** Cosine of the angle between two notes from which on they are near duplicates. */
export const NEAR = 0.97;
/** Shorter notes say too little to be told apart: stubs and templates are all alike. In characters. */
export const MIN_CHARACTERS = 200;
/** Some seconds' worth when all are new. */
export const MAX_NOTES = 20_000;
/** Numbers compared before it is looked whether two notes are apart already. */
const STEP = 32;

export interface NearPair {
  readonly a: string;
  readonly b: string;
  /** Cosine, from `NEAR` to 1. */
  readonly similarity: number;
}

export interface NearDuplicatesAnswer {
  /** The most alike first. */
  readonly pairs: readonly NearPair[];
  /** Why nothing was compared, as a clause; null when something was. */
  readonly problem: string | null;
  /** Notes that have no vector yet. */
  readonly pending: number;
}

interface Known {
  readonly version: string;
  readonly vector: Float32Array;
}

export class NearDuplicates {
  #space: string | null = null;
  readonly #known = new Map<string, Known>();
  /** Path → the paths near it that stand behind it in the order of paths. */
  readonly #near = new Map<string, Map<string, number>>();

  /** Whether a note's vectors have to be read. */
  wants({ path, version, characters }: { path: string; version: string; characters: number }, space: string): boolean {
    return characters >= MIN_CHARACTERS && (space !== this.#space || this.#known.get(path)?.version !== version);
  }

  /** Takes in what was read, and tells all pairs. */
  compare({ space, notes, vectors }: NoteVectors): NearDuplicatesAnswer {
    if (space !== this.#space) this.#forgetAll(space);
    const long = notes.filter(({ characters }) => characters >= MIN_CHARACTERS);
    const pending = long.filter(({ whole }) => !whole).length;
    const problem = problemOf(space, long.length, pending);
    if (problem !== null) {
      this.#forgetAll(null);
      return { pairs: [], problem, pending };
    }
    const now = new Map(long.filter(({ whole }) => whole).map((note) => [note.path, note]));
    for (const [path, { version }] of this.#known) if (now.get(path)?.version !== version) this.#forget(path);
    for (const { path, id, version } of now.values()) {
      const vector = noteVector(vectors.get(id) ?? []);
      if (vector !== null && !this.#known.has(path)) this.#take(path, { version, vector });
    }
    return { pairs: this.#pairs(), problem: null, pending };
  }

  #take(path: string, known: Known): void {
    for (const [other, { vector }] of this.#known) {
      const similarity = similarityAbove(NEAR, known.vector, vector);
      if (similarity === null) continue;
      const [a, b] = path < other ? [path, other] : [other, path];
      const near = this.#near.get(a);
      if (near === undefined) this.#near.set(a, new Map([[b, similarity]]));
      else near.set(b, similarity);
    }
    this.#known.set(path, known);
  }

  #forget(path: string): void {
    this.#known.delete(path);
    this.#near.delete(path);
    for (const near of this.#near.values()) near.delete(path);
  }

  #forgetAll(space: string | null): void {
    this.#space = space;
    this.#known.clear();
    this.#near.clear();
  }

  #pairs(): NearPair[] {
    const pairs = [...this.#near].flatMap(([a, near]) => [...near].map(([b, similarity]) => ({ a, b, similarity })));
    return pairs.sort((x, y) => y.similarity - x.similarity || (x.a + x.b < y.a + y.b ? -1 : 1));
  }
}

function problemOf(space: string | null, notes: number, pending: number): string | null {
  if (space === null) return 'the index has no vectors: search goes by words alone (embedding.provider)';
  if (notes > MAX_NOTES) return `there are ${notes} notes, and no more than ${MAX_NOTES} are compared`;
  if (notes > 0 && pending === notes) return 'no note has its vectors yet: GET /readyz shows the progress';
  return null;
}

/** The mean of a note's chunks by their length, made unit length; null where they cancel out. */
export function noteVector(chunks: readonly ChunkVector[]): Float32Array | null {
  const [first] = chunks;
  if (first === undefined) return null;
  const sum = new Float32Array(first.vector.length);
  for (const { length, vector } of chunks) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + length * (vector[i] ?? 0);
  }
  const norm = Math.hypot(...sum);
  return norm > 0 ? sum.map((value) => value / norm) : null;
}

/** The cosine of two unit vectors, or null as soon as it is certain to be less. */
export function similarityAbove(least: number, a: Float32Array, b: Float32Array): number | null {
  // Of unit vectors |a - b|² = 2 - 2 cos, and it only grows.
  const farthest = 2 - 2 * least;
  let distance = 0;
  for (let from = 0; from < a.length; from += STEP) {
    const to = Math.min(from + STEP, a.length);
    for (let i = from; i < to; i++) {
      const difference = (a[i] as number) - (b[i] as number);
      distance += difference * difference;
    }
    if (distance > farthest) return null;
  }
  return 1 - distance / 2;
}
