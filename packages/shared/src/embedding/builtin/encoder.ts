/**
 * The forward pass of Universal Sentence Encoder lite: word pieces in, one vector out, through two transformer
 * layers. It computes what the published graph computes, for one text at a time and so without padding masks, with
 * one exact shortcut: the last feed-forward product and the mean over tokens are both linear, so the mean goes first.
 * Danger: rows past the last token are padding that no step may let into a sum.
 */
import {
  EMBEDDING,
  ENCODER_WEIGHT_BYTES,
  FEED_FORWARD,
  HIDDEN,
  type Layer,
  MAX_TOKENS,
  type Norm,
  readEncoderWeights,
} from './encoder-weights.ts';
import { createMatrices, type Matrices, PANEL, packColumns, ROUNDED_LENGTH, type Weights } from './matrix.ts';
import { add, mean, normaliseRow, softmax, transposePairs } from './row-arithmetic.ts';
import type { ModelFiles } from './weight-files.ts';

const HEADS = 4;
/** The kernel works on four rows at once, so a single row is padded to four. */
const SINGLE_ROW = 4;

export interface Encoder {
  /** @param tokens at least one; those after MAX_TOKENS are ignored @returns a vector of 512 numbers of its own */
  encode(tokens: readonly number[]): Float32Array;
}

export function createEncoder(files: ModelFiles): Encoder {
  const matrices = createMatrices(ENCODER_WEIGHT_BYTES + WORK_BYTES);
  const { kernel } = matrices;
  const { embeddings, positions, widen, first, second, output } = readEncoderWeights(files, matrices);
  const work = workspace(matrices);

  return {
    encode(tokens) {
      const count = Math.min(tokens.length, MAX_TOKENS);
      const rows = Math.ceil(count / PANEL) * PANEL;
      embed(tokens, count, rows);
      product(work.input, rows, widen, work.hidden, false);
      attend(work.input, count, rows, first);
      feedForward(count, rows, first);
      product(work.wide, rows, first.feedForwardOut, work.delta, false);
      add(work.hidden, work.delta, count * HIDDEN);
      attend(work.hidden, count, rows, second);
      feedForward(count, rows, second);
      mean(work.wide, count, FEED_FORWARD, work.meanWide);
      mean(work.hidden, count, HIDDEN, work.meanHidden);
      product(work.meanWide, SINGLE_ROW, second.feedForwardOut, work.delta, false);
      add(work.meanHidden, work.delta, HIDDEN);
      product(work.meanHidden, SINGLE_ROW, output, work.delta, false);
      return work.delta.slice(0, HIDDEN).map(Math.tanh);
    },
  };

  /** The graph adds the bare embedding to the embedding with its position: twice the one, once the other. */
  function embed(tokens: readonly number[], count: number, rows: number): void {
    for (let t = 0; t < count; t++) {
      const from = (tokens[t] as number) * EMBEDDING;
      const to = t * EMBEDDING;
      for (let i = 0; i < EMBEDDING; i++) {
        work.input[to + i] = 2 * (embeddings[from + i] as number) + (positions[to + i] as number);
      }
    }
    work.input.fill(0, count * EMBEDDING, rows * EMBEDDING);
  }

  /** out = x · w + bias, rounding x first. */
  function product(x: Float32Array, rows: number, w: Weights, out: Float32Array, relu: boolean): void {
    round(x.byteOffset, w.depth * 4, work.rounded, work.rowScales, rows, w.depth);
    multiply(w.panels, out.byteOffset, w.columns * 4, rows, w.columns, w.depth, w.scales, w.bias, relu);
  }

  /** Adds the layer's self-attention over `x` to work.hidden. */
  function attend(x: Float32Array, count: number, rows: number, layer: Layer): void {
    const { width } = layer;
    normalise(x, count, rows, width, layer.attentionNorm);
    product(work.normal, rows, layer.qkv, work.wide, false);
    for (let head = 0; head < HEADS; head++) attendHead((head * width) / HEADS, width, count, rows);
    product(work.attention, rows, layer.attentionOut, work.delta, false);
    add(work.hidden, work.delta, count * HIDDEN);
  }

  /** One head: work.wide holds queries, keys and values, `width` numbers each; its share starts at `offset`. */
  function attendHead(offset: number, width: number, count: number, rows: number): void {
    const size = width / HEADS;
    const stride = 3 * width * 4;
    const queries = work.wide.byteOffset + offset * 4;
    round(queries, stride, work.rounded, work.rowScales, rows, size);
    round(queries + width * 4, stride, work.keys, work.columnScales, rows, size);
    transposePairs(work.keys, rows, size, work.panels);
    for (let t = 0; t < rows; t++) work.columnScales[t] = (work.columnScales[t] as number) / Math.sqrt(size);
    const { scores, panels, columnScales, zeros } = work;
    multiply(panels, scores.byteOffset, rows * 4, rows, rows, size, columnScales, zeros, false);
    softmax(scores, count, rows);
    round(scores.byteOffset, rows * 4, work.rounded, work.rowScales, rows, rows);
    packColumns(work.wide, 2 * width + offset, 3 * width, rows, size, panels, columnScales);
    const out = work.attention.byteOffset + offset * 4;
    multiply(panels, out, width * 4, rows, size, rows, columnScales, zeros, false);
  }

  /** work.wide = relu(norm(work.hidden) · w + bias) */
  function feedForward(count: number, rows: number, layer: Layer): void {
    normalise(work.hidden, count, rows, HIDDEN, layer.feedForwardNorm);
    product(work.normal, rows, layer.feedForwardIn, work.wide, true);
  }

  function normalise(x: Float32Array, count: number, rows: number, width: number, norm: Norm): void {
    for (let t = 0; t < count; t++) normaliseRow(x, t * width, width, norm, work.normal);
    work.normal.fill(0, count * width, rows * width);
  }

  function round(x: number, stride: number, out: Int16Array, scales: Float32Array, rows: number, depth: number): void {
    kernel.round(x, stride, out.byteOffset, scales.byteOffset, rows, depth, ROUNDED_LENGTH);
  }

  /** work.rounded times `panels`, scaled by work.rowScales and `scales`. */
  function multiply(
    panels: Int16Array,
    out: number,
    outStride: number,
    rows: number,
    columns: number,
    depth: number,
    scales: Float32Array,
    bias: Float32Array,
    relu: boolean,
  ): void {
    const [a, w, aScales] = [work.rounded.byteOffset, panels.byteOffset, work.rowScales.byteOffset];
    const [wScales, wBias] = [scales.byteOffset, bias.byteOffset];
    kernel.multiply(a, w, out, outStride, rows, columns, depth / 2, aScales, wScales, wBias, relu ? 1 : 0);
  }
}

/** Above what `workspace` takes. */
const WORK_BYTES = 4 * 1024 * 1024;

function workspace({ floats, shorts }: Matrices) {
  return {
    input: floats(MAX_TOKENS * EMBEDDING),
    hidden: floats(MAX_TOKENS * HIDDEN),
    normal: floats(MAX_TOKENS * HIDDEN),
    delta: floats(MAX_TOKENS * HIDDEN),
    attention: floats(MAX_TOKENS * HIDDEN),
    wide: floats(MAX_TOKENS * FEED_FORWARD),
    scores: floats(MAX_TOKENS * MAX_TOKENS),
    meanWide: floats(SINGLE_ROW * FEED_FORWARD),
    meanHidden: floats(SINGLE_ROW * HIDDEN),
    zeros: floats(HIDDEN),
    rowScales: floats(MAX_TOKENS),
    columnScales: floats(HIDDEN),
    rounded: shorts(MAX_TOKENS * FEED_FORWARD),
    keys: shorts(MAX_TOKENS * HIDDEN),
    panels: shorts(MAX_TOKENS * HIDDEN),
  };
}
