/**
 * All pairs of unit vectors within a cosine distance, exactly: every one is compared with every other in whole numbers of 16
 * bits, many at a time, and what that lets pass again in full. So how long it takes hangs on how many there are and not on how
 * they lie. Danger: a pair that is missed is two notes that stay apart, so the first comparison has to let pass whatever its
 * rounding could have made too far; and of notes that are all alike there may be more pairs than fit in memory, so beyond a
 * number it gives up.
 */
import {
  createMatrices,
  type Matrices,
  PANEL,
  packColumns,
  ROUNDED_LENGTH,
} from '@vault-mcp/shared/embedding/builtin/matrix';
import type { NearPair } from './complete-linkage.ts';

/** Vectors that are compared with all others at a time. A multiple of the panel's columns and of the kernel's four rows. */
const BLOCK = 64;
/** Dimensions are made a multiple of this many, with zeros. */
const DEPTH_STEP = 8;
/** No number is rounded to a finer unit than one of so many: what matrix.ts holds a number of 16 bits to be at most. */
const UNITS = 32_767;
/** What sums of 32-bit floats may be off by, many times over. */
const FLOAT_SLACK = 1e-4;

/**
 * @param vectors of unit length, all with as many dimensions
 * @param ceiling cosine distance, from 0 to 2
 * @param most how many pairs are wanted at most
 * @returns by the positions of the vectors, `a` before `b`, by `a` and then `b`; null where there are more than `most`
 */
export function neighbours(vectors: readonly Float32Array[], ceiling: number, most: number): NearPair[] | null {
  const pairs: NearPair[] = [];
  const dims = vectors[0]?.length ?? 0;
  // Each number is off by half a unit at most, so each vector by half the root of its dimensions, and their product by the two.
  const slack = Math.sqrt(dims) / UNITS + FLOAT_SLACK;
  const products = new Products(vectors, 1 - ceiling - slack);
  for (let from = 0; from < vectors.length; from += BLOCK) {
    const { above, width, first } = products.ofBlock(from);
    const to = Math.min(from + BLOCK, vectors.length);
    for (let a = from; a < to; a++) {
      const row = (a - from) * width - first;
      for (let b = a + 1; b < vectors.length; b++) {
        if ((above[row + b] as number) <= 0) continue;
        const squared = squaredDistance(vectors[a] as Float32Array, vectors[b] as Float32Array);
        // Of unit vectors it is twice the cosine distance.
        if (squared <= 2 * ceiling && pairs.push({ a, b, distance: squared / 2 }) > most) return null;
      }
    }
  }
  return pairs;
}

/** The inner products of vectors with one another, as far as they are above a bound. */
class Products {
  readonly #vectors: readonly Float32Array[];
  /** Dimensions and columns, with what fills them up. */
  readonly #depth: number;
  readonly #columns: number;
  readonly #kernel: Matrices['kernel'];
  readonly #panels: Int16Array;
  readonly #scales: Float32Array;
  readonly #bias: Float32Array;
  readonly #block: Float32Array;
  readonly #rounded: Int16Array;
  readonly #blockScales: Float32Array;
  readonly #above: Float32Array;

  constructor(vectors: readonly Float32Array[], bound: number) {
    this.#vectors = vectors;
    this.#depth = upTo(vectors[0]?.length ?? 0, DEPTH_STEP);
    this.#columns = upTo(vectors.length, PANEL);
    const [depth, columns] = [this.#depth, this.#columns];
    const bytes = columns * (depth * 2 + 8) + BLOCK * (depth * 6 + 4 + columns * 4) + 1024;
    const matrices = createMatrices(bytes);
    this.#kernel = matrices.kernel;
    this.#panels = matrices.shorts(columns * depth);
    this.#scales = matrices.floats(columns);
    this.#bias = matrices.floats(columns).fill(-bound);
    this.#block = matrices.floats(BLOCK * depth);
    this.#rounded = matrices.shorts(BLOCK * depth);
    this.#blockScales = matrices.floats(BLOCK);
    this.#above = matrices.floats(BLOCK * columns);
    for (let column = 0; column < columns; column += PANEL) this.#pack(column);
  }

  /**
   * Of the vectors from one on, with those from the first of them on.
   *
   * @returns rows of `width` numbers, the first of each that of the vector `first`: how far above the bound, or 0
   */
  ofBlock(from: number): { readonly above: Float32Array; readonly width: number; readonly first: number } {
    const [depth, width] = [this.#depth, this.#columns - from];
    this.#block.fill(0);
    for (const [row, vector] of this.#vectors.slice(from, from + BLOCK).entries()) this.#block.set(vector, row * depth);
    const { byteOffset: rounded } = this.#rounded;
    const { byteOffset: scales } = this.#blockScales;
    this.#kernel.round(this.#block.byteOffset, depth * 4, rounded, scales, BLOCK, depth, ROUNDED_LENGTH);
    this.#kernel.multiply(
      rounded,
      this.#panels.byteOffset + from * depth * 2,
      this.#above.byteOffset,
      width * 4,
      BLOCK,
      width,
      depth / 2,
      scales,
      this.#scales.byteOffset + from * 4,
      this.#bias.byteOffset + from * 4,
      1,
    );
    return { above: this.#above, width, first: from };
  }

  /** A panel's vectors, side by side. */
  #pack(column: number): void {
    const matrix = new Float32Array(this.#depth * PANEL);
    for (const [at, vector] of this.#vectors.slice(column, column + PANEL).entries()) {
      for (let k = 0; k < vector.length; k++) matrix[k * PANEL + at] = vector[k] as number;
    }
    const panels = this.#panels.subarray(column * this.#depth);
    packColumns(matrix, 0, PANEL, this.#depth, PANEL, panels, this.#scales.subarray(column));
  }
}

function upTo(count: number, step: number): number {
  return Math.ceil(count / step) * step;
}

/** Four sums at a time: one alone would wait for itself at each step. */
function squaredDistance(one: Float32Array, other: Float32Array): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  const whole = one.length - (one.length % 4);
  for (let i = 0; i < whole; i += 4) {
    const d0 = (one[i] as number) - (other[i] as number);
    const d1 = (one[i + 1] as number) - (other[i + 1] as number);
    const d2 = (one[i + 2] as number) - (other[i + 2] as number);
    const d3 = (one[i + 3] as number) - (other[i + 3] as number);
    s0 += d0 * d0;
    s1 += d1 * d1;
    s2 += d2 * d2;
    s3 += d3 * d3;
  }
  for (let i = whole; i < one.length; i++) s0 += ((one[i] as number) - (other[i] as number)) ** 2;
  return s0 + s1 + s2 + s3;
}
