/**
 * A vault's own measures, and the ceilings of the write gate that suit them. Reads the index alone. Danger: what it suggests is
 * for these vectors: of another embedder the same number means something else, so the space is told along with it.
 */
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import { readNoteVectors } from '@vault-mcp/shared/index-db/note-vectors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import { excludedBy } from '@vault-mcp/shared/vault/indexed-paths';
import { type Bin, binsOf } from './histogram.ts';
import { readSamples } from './read-samples.ts';
import { type Admitted, admittedBy, type Samples, suggestDistance, suggestRank } from './suggest.ts';

export interface CalibrationRequest {
  readonly indexPath: string;
  readonly reader: IndexReader;
  readonly analyzer: Analyzer;
  /** `search.exclude_dirs`. */
  readonly excludeDirs: readonly string[];
  /** Most notes to sample. */
  readonly samples: number;
  /** What the gate goes by now; null where it has no ceiling. */
  readonly inForce: { readonly distance: number | null; readonly bm25: number | null };
  readonly onProgress?: (done: number, of: number) => void;
}

/** A ceiling, and the share of each series that it lets through. */
export interface Ceiling {
  readonly ceiling: number;
  readonly admits: Admitted;
}

export interface Measure {
  readonly values: Readonly<Record<keyof Samples, number>>;
  readonly bins: readonly Bin[];
  /** Null with too few values, or of words when none tells anything. */
  readonly suggested: Ceiling | null;
  readonly in_force: Ceiling | null;
}

export interface Calibration {
  /** Whose vectors these are; null in an index without any. */
  readonly space: string | null;
  /** Notes that stand, and how many of them have a vector. */
  readonly notes: number;
  readonly with_vectors: number;
  readonly sampled: number;
  readonly distance: Measure;
  readonly bm25: Measure;
}

/** @throws AppError `not_ready` without a usable index */
export function calibrate(request: CalibrationRequest): Calibration {
  const { reader, analyzer, excludeDirs, inForce } = request;
  const isExcluded = excludedBy(excludeDirs);
  const { space, notes: all } = readNoteVectors(request.indexPath, { wants: () => false, onNote: () => undefined });
  const notes = all.filter(({ path }) => !isExcluded(path));
  const source = { reader, analyzer, excludeDirs, notes: notes.map(({ path }) => path) };
  const { distance, rank, sampled } = readSamples(source, request.samples, request.onProgress);
  return {
    space,
    notes: notes.length,
    with_vectors: notes.filter(({ whole }) => whole).length,
    sampled,
    distance: measureOf(distance, suggestDistance(distance), inForce.distance),
    bm25: measureOf(rank, suggestRank(rank), inForce.bm25),
  };
}

function measureOf(samples: Samples, suggested: number | null, inForce: number | null): Measure {
  const withShares = (ceiling: number | null): Ceiling | null =>
    ceiling === null ? null : { ceiling, admits: admittedBy(ceiling, samples) };
  const { far, near, same } = samples;
  return {
    values: { far: far.length, near: near.length, same: same.length },
    bins: binsOf(samples),
    suggested: withShares(suggested),
    in_force: withShares(inForce),
  };
}
