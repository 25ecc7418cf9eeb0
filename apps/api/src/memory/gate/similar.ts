/**
 * The notes that say something similar to a candidate: by meaning and by words, each with its ceiling, as they stand on the
 * disk. Danger: a note that is missing here is written a second time, and one that the caller may not read must not even take a
 * place among the candidates; so the index is brought up to date first, and narrowed before anything is cut.
 */
import { cosineDistance } from '@vault-mcp/shared/embedding/cosine-distance';
import { AppError } from '@vault-mcp/shared/errors';
import type { SearchFilter } from '@vault-mcp/shared/index-db/rows';
import { parseStructure } from '@vault-mcp/shared/vault/note/parse';
import { supersededBy } from '@vault-mcp/shared/vault/note/superseded-by';
import { nameOf, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import { readNoteFile } from '@vault-mcp/shared/vault/read';
import { rankingConstants } from '../../search/constants.ts';
import { sharesSpace } from '../../search/dense.ts';
import { fuse } from '../../search/fuse.ts';
import { firstCharacters } from '../../search/query-text.ts';
import type { GatePorts } from '../ports.ts';
import type { Candidate, GateDegraded, SimilarNote } from '../types.ts';
import { type CandidateChunks, candidateChunks } from './candidate-chunks.ts';
import { candidateVector } from './candidate-vector.ts';
import type { Ceilings } from './ceilings.ts';
import { haveVectors } from './pending-vectors.ts';
import { touchOf } from './target-rights.ts';
import { bringCompared, UP_TO_DATE_MS } from './up-to-date.ts';
import { wordHits } from './word-hits.ts';

export interface Similar {
  /** Best first. */
  readonly similar: readonly SimilarNote[];
  readonly degraded: readonly GateDegraded[];
}

const SHOWN = 5;
const NEAREST_NOTES = 20;
const SHOWN_CHARACTERS = 4_000;

type SimilarPorts = Pick<
  GatePorts,
  | 'vault'
  | 'writer'
  | 'caller'
  | 'config'
  | 'reader'
  | 'analyzer'
  | 'embedder'
  | 'proposals'
  | 'now'
  | 'log'
  | 'bringUpToDate'
>;

/** @throws AppError `not_ready` while there is nothing to compare with yet */
export async function findSimilar(ports: SimilarPorts, candidate: Candidate, ceilings: Ceilings): Promise<Similar> {
  requireIndex(ports);
  const degraded = new Set<GateDegraded>();
  if (!(await bringCompared(ports, candidate.namespace))) degraded.add('index_behind');
  const parts = candidateChunks(candidate, ports.config.chunking);
  const vector = await vectorOf(ports, parts, degraded);
  if (vector !== null && !(await haveVectors(ports))) degraded.add('vectors_pending');
  const find = () => findHits(ports, { candidate, parts, vector }, ceilings);
  const first = await readHits(ports, find());
  if (first.stale.length === 0) return { similar: first.similar, degraded: [...degraded] };
  if (!(await ports.bringUpToDate(first.stale, UP_TO_DATE_MS))) degraded.add('index_behind');
  const { similar } = await readHits(ports, find());
  return { similar, degraded: [...degraded] };
}

/** @throws AppError `not_ready` */
export function requireIndex({ reader }: Pick<GatePorts, 'reader'>): void {
  if (reader.indexerStatus()?.state === 'ready') return;
  throw new AppError(
    'not_ready',
    'The index is still building, and what it does not hold yet could not be compared with: propose this again in a moment. GET /readyz shows the progress.',
  );
}

async function vectorOf(
  ports: SimilarPorts,
  parts: CandidateChunks,
  degraded: Set<GateDegraded>,
): Promise<Float32Array | null> {
  const { embedder } = ports;
  if (embedder === null) return null;
  const found = await candidateVector({ ...ports, embedder }, parts);
  if (found === null) return null;
  if ('vector' in found) {
    // Asked again: the index may have changed its space while the candidate was embedded.
    if (sharesSpace(ports.reader, embedder)) return found.vector;
    degraded.add('vectors_pending');
    return null;
  }
  degraded.add(found.degraded);
  return null;
}

interface Hit {
  readonly path: VaultPath;
  /** Of the version that the index has. */
  readonly sha256: string;
  readonly distance: number | null;
  readonly bm25: number | null;
}

/** A candidate with what it is compared by. */
interface Compared {
  readonly candidate: Candidate;
  readonly parts: CandidateChunks;
  /** Null: by words alone. */
  readonly vector: Float32Array | null;
}

function findHits(ports: SimilarPorts, { candidate, parts, vector }: Compared, ceilings: Ceilings): readonly Hit[] {
  const { reader, config, embedder } = ports;
  const filter = filterFor(ports, candidate.namespace);
  const near =
    vector === null || ceilings.distance === null
      ? null
      : reader
          .nearestNotes(vector, filter, NEAREST_NOTES)
          .filter(({ distance }) => distance <= (ceilings.distance ?? 0));
  const worded = wordHits(ports, { candidate, parts, filter, ceiling: ceilings.bm25 });
  const constants = rankingConstants(config.fusion, embedder?.provider ?? null);
  const distances = new Map(near?.map((note) => [note.fileId, note]));
  // A note takes a chunk's place: each is there once in either arm.
  const arms = {
    dense: near?.map(({ fileId }) => ({ fileId, chunkId: fileId })) ?? null,
    lexical: [...worded.keys()].map((fileId) => ({ fileId, chunkId: fileId })),
  };
  return fuse(arms, constants)
    .slice(0, SHOWN)
    .flatMap(({ fileId }) => {
      const [dense, words] = [distances.get(fileId), worded.get(fileId)];
      const row = dense ?? words;
      if (row === undefined) return [];
      const { path, sha256 } = row;
      // Who decides is told how far a note is that words alone found.
      const distance = dense?.distance ?? (vector === null ? null : distanceTo(reader, path, vector));
      return [{ path: path as VaultPath, sha256, distance, bm25: words?.bm25 ?? null }];
    });
}

/** Null while the note has no vector. */
function distanceTo(reader: SimilarPorts['reader'], path: string, vector: Float32Array): number | null {
  const own = reader.noteVectorOf(path);
  return own === null ? null : cosineDistance(own, vector);
}

function filterFor({ vault, config }: SimilarPorts, namespace: VaultPath): SearchFilter {
  const key = `${pathKey(namespace)}/`;
  return {
    kind: 'note',
    // Who files into a folder that is kept out of the search has to see what is in it all the same.
    excludeDirs: config.searchExcludeDirs.filter((folder) => !key.startsWith(`${pathKey(folder)}/`)),
    includeSuperseded: false,
    readable: vault.access.readRules,
  };
}

/** The hits as they stand on the disk; `stale` are those that the index has in another version. */
async function readHits(
  ports: SimilarPorts,
  hits: readonly Hit[],
): Promise<{ readonly similar: SimilarNote[]; readonly stale: VaultPath[] }> {
  const similar: SimilarNote[] = [];
  const stale: VaultPath[] = [];
  for (const hit of hits) {
    const note = await readSimilar(ports, hit);
    if (note !== null) similar.push(note);
    if (note?.etag !== hit.sha256) stale.push(hit.path);
  }
  return { similar, stale };
}

/** Null for one that is gone, was superseded since the index took it in, or cannot be read any more. */
async function readSimilar(ports: SimilarPorts, hit: Hit): Promise<SimilarNote | null> {
  const { vault, config } = ports;
  try {
    const file = await readNoteFile(vault, hit.path, { maxBytes: config.noteMaxBytes });
    const { frontmatter, headings, text, bodyFrom } = parseStructure(file.text);
    const { title } = frontmatter.data;
    if (supersededBy(frontmatter.data) !== null) return null;
    const body = text.slice(bodyFrom).trim();
    const shown = firstCharacters(body, SHOWN_CHARACTERS);
    return {
      path: file.path,
      title:
        typeof title === 'string'
          ? title
          : (headings.find(({ depth }) => depth === 1)?.text ?? nameOf(file.path).replace(/\.md$/i, '')),
      body: shown,
      ...(shown.length < body.length && { truncated: true }),
      etag: file.sha256,
      distance: hit.distance,
      // Ranks compare with the words of the whole vault, hidden ones too.
      bm25: vault.access.readRules === null ? hit.bm25 : null,
      read_only: !file.validUtf8 || (await touchOf(ports, file.path)) !== 'all',
    };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
