/**
 * Reads the vectors of all notes and groups them: the work that consolidation does on a thread of its own. Danger: seconds of
 * computing and hundreds of megabytes for a large vault, so nothing for the thread that answers requests.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { readNoteVectors } from '@vault-mcp/shared/index-db/note-vectors';
import { isIndexPagePath } from '@vault-mcp/shared/vault/index-page-path';
import { excludedBy } from '@vault-mcp/shared/vault/indexed-paths';
import { type Clustering, type ComparedNote, clustersOf } from './clusters.ts';

export interface ClusterTask {
  readonly indexPath: string;
  /** Cosine distance, up to 1. */
  readonly ceiling: number;
  /** Folders whose notes are left alone. */
  readonly excludeDirs: readonly string[];
}

export interface ClusteredNotes extends Clustering {
  /** How many notes were compared. */
  readonly compared: number;
  /** Notes that cannot be compared yet, by path: the first `TOLD_PATHS`, and how many there are. */
  readonly withoutVector: { readonly total: number; readonly first: readonly string[] };
}

/** Some ten seconds' worth. */
const MAX_NOTES = 20_000;
const TOLD_PATHS = 100;

/** Notes that consolidation looks at: all but those of these folders, and but the index page. */
export function comparedBy(excludeDirs: readonly string[]): (path: string) => boolean {
  const isExcluded = excludedBy(excludeDirs);
  return (path) => !isExcluded(path) && !isIndexPagePath(path);
}

/** @throws AppError `not_ready` without an index; `invalid_request` where there are too many notes, or too many near ones */
export function clusterNotes({ indexPath, ceiling, excludeDirs }: ClusterTask): ClusteredNotes {
  const isCompared = comparedBy(excludeDirs);
  const compared: ComparedNote[] = [];
  const { notes } = readNoteVectors(indexPath, {
    wants: ({ path }) => compared.length <= MAX_NOTES && isCompared(path),
    onNote: ({ path, title, sha256: etag }, vector) => compared.push({ path, title, etag, vector }),
  });
  if (compared.length > MAX_NOTES) throw tooManyNotes();
  const without = notes.filter(({ path, whole }) => !whole && isCompared(path)).map(({ path }) => path);
  const clustering = clustersOf(compared, ceiling);
  if (clustering === null) throw tooManyPairs(ceiling);
  const withoutVector = { total: without.length, first: without.slice(0, TOLD_PATHS) };
  return { ...clustering, compared: compared.length, withoutVector };
}

function tooManyNotes(): AppError {
  const message = `There are more than ${MAX_NOTES} notes, and no more are compared. Folders in search.exclude_dirs are left out.`;
  return new AppError('invalid_request', message);
}

function tooManyPairs(ceiling: number): AppError {
  const message = `Within ${ceiling} of one another there are millions of pairs of notes: lower the ceiling.`;
  return new AppError('invalid_request', message);
}
