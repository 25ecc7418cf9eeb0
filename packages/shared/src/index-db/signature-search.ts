/**
 * Which signatures are nearest to a vector, without a look at any other vector: all are compared bit by bit, and of those that
 * differ least the vector's own numbers are added up where the bits say so, which tells them apart far better. Danger: what
 * comes out is a guess of the order; whoever asks has to compare in full, and ask for several times as many as it wants.
 */
import { signatureWords, toSignature } from './signature.ts';
import { BLOCK, PLANES, type SignatureBlocks } from './signature-blocks.ts';

/** Which slots are looked at: all whose vector is there, or those that were marked. */
export type Which = 'live' | 'mask';

export interface Wanted {
  readonly which: Which;
  /** How many pass the comparison by bits. */
  readonly weighed: number;
  /** How many are wanted. */
  readonly kept: number;
}

/**
 * @param vector finite numbers, not all of them zero, as many as have signatures of these words
 * @returns slots in no order, `kept` of them where there are as many
 */
export function nearestSlots(blocks: SignatureBlocks, vector: Float32Array, wanted: Wanted): Uint32Array {
  const { kept } = wanted;
  if (signatureWords(vector.length) !== blocks.words)
    throw new RangeError('A vector of other dims than the signatures.');
  const candidates = fewestDifferences(blocks, vector, wanted);
  if (candidates.length <= kept) return candidates;
  const scores = weigh(blocks, vector, candidates);
  const least = scores.toSorted()[candidates.length - kept] as number;
  return candidates.filter((_, i) => (scores[i] as number) >= least).subarray(0, kept);
}

/** All of these slots, of which there are so many. */
export function allSlots(blocks: SignatureBlocks, which: Which, count: number): Uint32Array {
  const slots = new Uint32Array(count);
  let found = 0;
  for (let block = 0; block < blocks.blocks(); block++) {
    const marks = blocks.place(block)[which];
    for (let i = 0; i < blocks.countIn(block); i++) {
      if (blocks.arrays.bytes[marks + i] === 1) slots[found++] = block * BLOCK + i;
    }
  }
  return slots;
}

function fewestDifferences(blocks: SignatureBlocks, vector: Float32Array, { which, weighed }: Wanted): Uint32Array {
  const { kernel, words, scratch, arrays } = blocks;
  arrays.bytes.set(toSignature(vector).subarray(0, words * 8), scratch.query);
  const histogram = arrays.ints.subarray(scratch.histogram / 4, scratch.histogram / 4 + words * 64 + 1).fill(0);
  for (let block = 0; block < blocks.blocks(); block++) {
    const { signatures, differences, [which]: marks } = blocks.place(block);
    const count = blocks.countIn(block);
    kernel.compare(signatures, words, count, marks, scratch.query, differences, scratch.histogram);
  }
  let [most, closer, within] = [0, 0, histogram[0] as number];
  while (within < weighed && most < words * 64) {
    closer = within;
    within += histogram[++most] as number;
  }
  return collect(blocks, most, { wanted: Math.min(weighed, within), atMost: weighed - closer });
}

/**
 * The slots that differ in `most` bits or less, `wanted` of them.
 * @param atMost how many of those that differ in just as many
 */
function collect(
  blocks: SignatureBlocks,
  most: number,
  { wanted, atMost }: { wanted: number; atMost: number },
): Uint32Array {
  const { kernel, scratch, arrays } = blocks;
  const slots = new Uint32Array(wanted);
  let [found, left] = [0, atMost];
  for (let block = 0; block < blocks.blocks(); block++) {
    const { differences } = blocks.place(block);
    const first = block * BLOCK;
    const end = kernel.collect(differences, blocks.countIn(block), most, first, scratch.slots);
    for (let at = scratch.slots / 4; at < end / 4; at++) {
      const slot = arrays.ints[at] as number;
      if (arrays.shorts[differences / 2 + slot - first] === most && left-- <= 0) continue;
      slots[found++] = slot;
    }
  }
  return slots;
}

/** A guess of the inner product of the vector with that of each slot. */
function weigh(blocks: SignatureBlocks, vector: Float32Array, slots: Uint32Array): Float32Array {
  const { kernel, words, scratch, arrays } = blocks;
  const { low, step, total } = layPlanes(blocks, vector);
  const scores = new Float32Array(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    const { signatures, scales } = blocks.placeOf(slot);
    const at = slot % BLOCK;
    const product = kernel.weigh(signatures + at * words * 8, words, scratch.planes, low, step, total);
    scores[i] = product * (arrays.floats[scales / 4 + at] as number);
  }
  return scores;
}

/** Each number of the vector as one of 256 steps from the lowest to the highest, bit by bit. */
function layPlanes({ arrays, words, scratch }: SignatureBlocks, vector: Float32Array) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of vector) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const levels = 2 ** PLANES - 1;
  const step = (high - low) / levels;
  const planes = arrays.bytes.subarray(scratch.planes, scratch.planes + PLANES * words * 8).fill(0);
  let total = 0;
  for (let i = 0; i < vector.length; i++) {
    const level = step === 0 ? 0 : Math.round(((vector[i] as number) - low) / step);
    total += low + level * step;
    for (let plane = 0; plane < PLANES; plane++) {
      const at = plane * words * 8 + (i >> 3);
      planes[at] = (planes[at] as number) | (((level >> plane) & 1) << (i & 7));
    }
  }
  return { low, step, total };
}
