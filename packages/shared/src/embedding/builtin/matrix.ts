/**
 * Matrices for kernel.wat: one WebAssembly memory, space handed out once, and weights rounded to 16-bit integers.
 * Danger: sums must fit 32 bits. By Cauchy and Schwarz a sum of products is at most the product of both lengths, so
 * every row and every column is rounded to a length whose square stays below 2^31.
 */
import { KERNEL_BASE64 } from './kernel-bytes.ts';

/** The part of the JavaScript API of WebAssembly used here; neither ES2023's nor Node's types name it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: object;
  }
}

/** 46 000² = 2.116e9 < 2^31 = 2.147e9; the gap takes the rounding of up to 1 536 numbers. */
export const ROUNDED_LENGTH = 46_000;
const PAGE_BYTES = 65_536;
/** Columns a panel of weights holds. */
export const PANEL = 8;

interface Kernel {
  multiply(
    a: number,
    w: number,
    out: number,
    outStride: number,
    rows: number,
    columns: number,
    pairs: number,
    aScales: number,
    wScales: number,
    bias: number,
    relu: number,
  ): void;
  round(x: number, xStride: number, out: number, scales: number, rows: number, depth: number, length: number): void;
}

/** Weights of one layer as the kernel reads them. */
export interface Weights {
  readonly panels: Int16Array;
  readonly scales: Float32Array;
  readonly bias: Float32Array;
  /** Rows of the original matrix: numbers in. */
  readonly depth: number;
  /** Numbers out. */
  readonly columns: number;
}

export interface Matrices {
  floats(length: number): Float32Array;
  shorts(length: number): Int16Array;
  readonly kernel: Kernel;
}

/** @param bytes all that will ever be asked for; asking for more throws */
export function createMatrices(bytes: number): Matrices {
  const pages = Math.ceil(bytes / PAGE_BYTES) + 1;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const module = new WebAssembly.Module(Buffer.from(KERNEL_BASE64, 'base64'));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  let next = 0;
  function take(size: number): number {
    const at = next;
    next += Math.ceil(size / 16) * 16;
    if (next > memory.buffer.byteLength) throw new RangeError('The matrix memory was sized too small.');
    return at;
  }
  return {
    floats: (length) => new Float32Array(memory.buffer, take(length * 4), length),
    shorts: (length) => new Int16Array(memory.buffer, take(length * 2), length),
    kernel: exports as Kernel,
  };
}

/** Bytes `packWeights` takes for a matrix of this shape. */
export function weightBytes(depth: number, columns: number): number {
  return depth * columns * 2 + columns * 8 + 48;
}

/** @param matrix `depth` rows of `columns` numbers; both multiples of 8 */
export function packWeights(matrices: Matrices, matrix: Float32Array, bias: Float32Array, depth: number): Weights {
  const columns = matrix.length / depth;
  const weights: Weights = {
    panels: matrices.shorts(matrix.length),
    scales: matrices.floats(columns),
    bias: matrices.floats(columns),
    depth,
    columns,
  };
  weights.bias.set(bias);
  packColumns(matrix, 0, columns, depth, columns, weights.panels, weights.scales);
  return weights;
}

/**
 * Rounds a matrix by columns and lays it out in panels, two rows side by side.
 * @param stride numbers from one row of `from` to the next, which starts at `offset`
 * @param scales gets what one unit of each column is worth
 */
export function packColumns(
  from: Float32Array,
  offset: number,
  stride: number,
  depth: number,
  columns: number,
  panels: Int16Array,
  scales: Float32Array,
): void {
  for (let c = 0; c < columns; c++) {
    let squares = 0;
    let largest = 0;
    for (let k = 0, at = offset + c; k < depth; k++, at += stride) {
      const value = from[at] as number;
      squares += value * value;
      largest = Math.max(largest, Math.abs(value));
    }
    const factor = squares === 0 ? 0 : Math.min(ROUNDED_LENGTH / Math.sqrt(squares), 32_767 / largest);
    scales[c] = factor === 0 ? 0 : 1 / factor;
    const column = (c - (c % PANEL)) * depth + (c % PANEL) * 2;
    for (let k = 0, at = offset + c; k < depth; k++, at += stride) {
      panels[column + (k >> 1) * PANEL * 2 + (k & 1)] = Math.round((from[at] as number) * factor);
    }
  }
}
