/**
 * Notes that say nearly the same: pairs whose vectors point nearly the same way, kept from one question to the next, so
 * that only what changed is compared anew. Pure but for what it remembers. Danger: comparing all with all grows with the
 * square of the notes, and so does what is found among notes of one template; so it stops at a number of notes, equal ones
 * are compared once, each comparison ends as soon as two notes are seen to be apart, and of the pairs all are counted and
 * the best are kept.
 */
import { createHash } from 'node:crypto';
import type { NoteVectorState, NoteVectors, VectorVisitor } from '@vault-mcp/shared/index-db/note-vectors';
import { BestPairs, type NearPair } from './best-pairs.ts';

/** Cosine of the angle between two notes from which on they are near duplicates. */
export const NEAR = 0.97;
/** Shorter notes say too little to be told apart: stubs and templates are all alike. In bytes of UTF-8. */
export const MIN_BYTES = 200;
/** Some seconds' worth when all are new. */
export const MAX_NOTES = 20_000;
/** Pairs that are told. */
export const TOLD_PAIRS = 1_000;
/** Pairs that are kept, so that those of some notes can go before all have to be compared again. */
const KEPT_PAIRS = 4 * TOLD_PAIRS;
/** Numbers compared before it is looked whether two notes are apart already. */
const STEP = 8;

export interface NearDuplicatesAnswer {
  /** The most alike first, at most `TOLD_PAIRS`. */
  readonly pairs: readonly NearPair[];
  /** How many there are. */
  readonly total: number;
  /** Why nothing was compared, as a clause; null when something was. */
  readonly problem: string | null;
  /** Notes that have no vector yet. */
  readonly pending: number;
}

interface Known {
  readonly path: string;
  readonly version: string;
  readonly vector: Float32Array;
  /** Of the vector: the same for equal ones, and for no others. */
  readonly key: string;
}

/** Notes with one vector. */
interface Equals {
  readonly vector: Float32Array;
  readonly paths: Set<string>;
}

export class NearDuplicates implements VectorVisitor {
  #space: string | null = null;
  readonly #known = new Map<string, Known>();
  /** Those just read, which are still to be compared. */
  readonly #fresh = new Map<string, Known>();
  /** What is compared, by the vectors' keys. */
  readonly #equals = new Map<string, Equals>();
  #total = 0;
  readonly #best = new BestPairs(KEPT_PAIRS);

  wants({ path, version, bytes }: NoteVectorState, space: string): boolean {
    if (space !== this.#space) this.#forgetAll(space);
    return bytes >= MIN_BYTES && this.#known.get(path)?.version !== version;
  }

  onNote({ path, version }: NoteVectorState, vector: Float32Array): void {
    this.#fresh.set(path, { path, version, vector, key: keyOf(vector) });
  }

  /** Compares what was read with everything, and tells the best of all pairs. */
  compare({ space, notes }: NoteVectors): NearDuplicatesAnswer {
    const read = [...this.#fresh.values()];
    this.#fresh.clear();
    const long = notes.filter(({ bytes }) => bytes >= MIN_BYTES);
    const pending = long.filter(({ whole }) => !whole).length;
    const problem = problemOf(space, long.length, pending);
    if (problem !== null) {
      this.#forgetAll(null);
      return { pairs: [], total: 0, problem, pending };
    }
    const now = new Map(long.filter(({ whole }) => whole).map(({ path, version }) => [path, version]));
    const gone = [...this.#known.values()].filter(({ path, version }) => now.get(path) !== version);
    // What an attempt that failed had read may be another version by now.
    const come = read.filter(({ path, version }) => now.get(path) === version);
    this.#follow(gone, come);
    return { pairs: this.#best.first(TOLD_PAIRS), total: this.#total, problem: null, pending };
  }

  #follow(gone: readonly Known[], come: readonly Known[]): void {
    // Taking one away takes as long as putting one in.
    if (2 * gone.length > this.#known.size) {
      for (const { path } of gone) this.#known.delete(path);
      this.#beginAgain();
    } else {
      for (const one of gone) this.#remove(one);
      this.#best.forget(new Set(gone.map(({ path }) => path)));
    }
    for (const one of come) this.#add(one);
    if (this.#best.isShort(Math.min(TOLD_PAIRS, this.#total))) this.#beginAgain();
  }

  #beginAgain(): void {
    const all = [...this.#known.values()];
    this.#clear();
    for (const one of all) this.#add(one);
  }

  #add(one: Known): void {
    for (const [other, similarity] of this.#near(one)) {
      this.#total += other.paths.size;
      for (const path of other.paths) this.#best.offer(one.path, path, similarity);
    }
    this.#known.set(one.path, one);
    const { vector, key } = one;
    const equals = this.#equals.get(key) ?? { vector, paths: new Set() };
    equals.paths.add(one.path);
    this.#equals.set(key, equals);
  }

  /** Its pairs are counted off; those among the best are for the caller to take away. */
  #remove(one: Known): void {
    this.#known.delete(one.path);
    const equals = this.#equals.get(one.key);
    equals?.paths.delete(one.path);
    if (equals?.paths.size === 0) this.#equals.delete(one.key);
    for (const [other] of this.#near(one)) this.#total -= other.paths.size;
  }

  /** Gathered in one loop without calls in between: twenty million steps among 6 000 notes. */
  #near({ vector }: Known): [Equals, number][] {
    const near: [Equals, number][] = [];
    for (const other of this.#equals.values()) {
      const similarity = similarityAbove(NEAR, vector, other.vector);
      if (similarity !== null) near.push([other, similarity]);
    }
    return near;
  }

  #clear(): void {
    this.#known.clear();
    this.#equals.clear();
    this.#best.clear();
    this.#total = 0;
  }

  #forgetAll(space: string | null): void {
    this.#space = space;
    this.#fresh.clear();
    this.#clear();
  }
}

function keyOf({ buffer, byteOffset, byteLength }: Float32Array): string {
  return createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('base64');
}

function problemOf(space: string | null, notes: number, pending: number): string | null {
  if (space === null) return 'the index has no vectors: search goes by words alone (embedding.provider)';
  if (notes > MAX_NOTES) return `there are ${notes} notes, and no more than ${MAX_NOTES} are compared`;
  if (notes > 0 && pending === notes) return 'no note has its vectors yet: GET /readyz shows the progress';
  return null;
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
