/**
 * Universal Sentence Encoder lite as the encoder wants it: which tensor of the published graph plays which part.
 * Danger: the names and shapes are those of one published model; a test compares vectors with the library that runs
 * the published graph.
 */
import { type Matrices, packWeights, type Weights, weightBytes } from './matrix.ts';
import type { ModelFiles } from './weight-files.ts';

/** The published graph drops every token after this one. */
export const MAX_TOKENS = 128;
export const EMBEDDING = 256;
export const HIDDEN = 512;
export const FEED_FORWARD = 1536;

export interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

export interface Layer {
  /** Numbers per token that go into its attention. */
  readonly width: number;
  readonly attentionNorm: Norm;
  /** Queries, keys and values side by side. */
  readonly qkv: Weights;
  readonly attentionOut: Weights;
  readonly feedForwardNorm: Norm;
  readonly feedForwardIn: Weights;
  readonly feedForwardOut: Weights;
}

export interface EncoderWeights {
  readonly embeddings: Float32Array;
  /** Position signal: MAX_TOKENS rows of EMBEDDING. */
  readonly positions: Float32Array;
  /** From EMBEDDING to HIDDEN, so that the first layer's input can be added to its output. */
  readonly widen: Weights;
  readonly first: Layer;
  readonly second: Layer;
  readonly output: Weights;
}

const GRAPH = 'module_apply_default/Encoder_en/KonaTransformer/Encode/';
const VARIABLES = 'module/Encoder_en/KonaTransformer/Encode/';

/** Every matrix that is packed, as numbers in and numbers out. */
const SHAPES = [
  [EMBEDDING, HIDDEN],
  [EMBEDDING, 3 * EMBEDDING],
  [EMBEDDING, HIDDEN],
  [HIDDEN, FEED_FORWARD],
  [FEED_FORWARD, HIDDEN],
  [HIDDEN, 3 * HIDDEN],
  [HIDDEN, HIDDEN],
  [HIDDEN, FEED_FORWARD],
  [FEED_FORWARD, HIDDEN],
  [HIDDEN, HIDDEN],
] as const;

/** Bytes of matrix memory that `readEncoderWeights` takes. */
export const ENCODER_WEIGHT_BYTES = SHAPES.reduce((sum, [depth, columns]) => sum + weightBytes(depth, columns), 0);

/** @throws Error when the installed model lacks a tensor */
export function readEncoderWeights(files: ModelFiles, matrices: Matrices): EncoderWeights {
  const tensor = (name: string): Float32Array => {
    const values = files.tensors.get(name);
    if (values === undefined) throw new Error(`The installed model lacks the tensor ${name}.`);
    return values;
  };
  // A copy, since a view would keep all 28 MB of the files in memory.
  const keep = (name: string) => tensor(name).slice();
  const pack = (matrix: string, bias: string, depth: number) =>
    packWeights(matrices, tensor(matrix), tensor(bias), depth);

  const layer = (index: 0 | 1, width: number): Layer => {
    const name = `${GRAPH}Layer_${index}/TransformerLayer/`;
    const feedForward = `${GRAPH}TransformerStack/Layer_${index}/TransformerLayer/FFN/`;
    const norm = (part: string): Norm => ({
      scale: keep(`${name}${part}layer_prepostprocess/layer_norm/layer_norm_scale/ConcatPartitions/concat`),
      bias: keep(`${name}${part}layer_prepostprocess/layer_norm/layer_norm_bias/ConcatPartitions/concat`),
    });
    const attention = (part: string, depth: number) =>
      pack(
        `${VARIABLES}Layer_${index}/TransformerLayer/MultiheadAttention/${part}/kernel/part_0`,
        `${name}MultiheadAttention/${part}/bias/ConcatPartitions/concat`,
        depth,
      );
    const convolution = (part: string, depth: number) =>
      pack(`${feedForward}${part}/Tensordot/Reshape_1`, `${name}FFN/${part}/bias/ConcatPartitions/concat`, depth);
    return {
      width,
      attentionNorm: norm(''),
      qkv: attention('qkv_transform_single', width),
      attentionOut: attention('output_transform_single', width),
      feedForwardNorm: norm('FFN/'),
      feedForwardIn: convolution('conv1', HIDDEN),
      feedForwardOut: convolution('conv2', FEED_FORWARD),
    };
  };

  const dense = `${GRAPH}Layer_0/TransformerLayer/dense/`;
  const output = 'module/Encoder_en/hidden_layers/tanh_layer_0/';
  return {
    embeddings: keep('module/Embeddings_en'),
    positions: positionSignal(tensor(`${GRAPH}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`)),
    widen: pack(`${dense}kernel/ConcatPartitions/concat`, `${dense}bias/ConcatPartitions/concat`, EMBEDDING),
    first: layer(0, EMBEDDING),
    second: layer(1, HIDDEN),
    output: pack(`${output}weights`, `${output}bias`, HIDDEN),
  };
}

/** Sine and cosine of each position at the model's own wave lengths. */
function positionSignal(frequencies: Float32Array): Float32Array {
  const half = EMBEDDING / 2;
  const signal = new Float32Array(MAX_TOKENS * EMBEDDING);
  for (let t = 0; t < MAX_TOKENS; t++) {
    for (let i = 0; i < half; i++) {
      const angle = t * (frequencies[i] as number);
      signal[t * EMBEDDING + i] = Math.sin(angle);
      signal[t * EMBEDDING + half + i] = Math.cos(angle);
    }
  }
  return signal;
}
