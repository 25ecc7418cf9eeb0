/**
 * What the wiki already says that means much the same as a fact, in whatever words. The nearest chunks are looked for first, and
 * then each fact in them is compared by itself: a whole chunk, with its title and its other facts, is far from any one of them.
 * Danger: it is a look beside the write and must never fail or hold it up, so whatever goes wrong becomes a reason why there may
 * be more; and what a caller may not read is left out before the nearest are chosen.
 */
import { cosineDistance } from '@vault-mcp/shared/embedding/cosine-distance';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import { type Logger, reasonOf } from '@vault-mcp/shared/log';
import type { ReadRules } from '@vault-mcp/shared/vault/access';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { embedQuery, nearestChunks, sharesSpace } from '../../search/dense.ts';
import { type ChunkFact, factsIn } from './chunk-facts.ts';

export interface SimilarPassage {
  readonly path: VaultPath;
  /** 1-based, where the text begins. */
  readonly line: number;
  /** A bullet or a line as it stands there, or its beginning. */
  readonly text: string;
  /** Cosine distance of the two facts. */
  readonly distance: number;
}

export interface SimilarPassages {
  /** The nearest first. */
  readonly similar: readonly SimilarPassage[];
  /** Why there may be more. */
  readonly degraded: readonly SimilarDegraded[];
}

export type SimilarDegraded = 'embedder_unreachable' | 'vectors_pending' | 'index_building' | 'no_ceiling';

export interface SimilarPorts {
  readonly reader: Pick<IndexReader, 'space' | 'denseCandidates' | 'chunks'>;
  /** Null: words only, by choice. */
  readonly embedder: Embedder | null;
  readonly log: Logger;
}

export interface SimilarLook {
  readonly fact: string;
  /** The wiki's folder. */
  readonly dir: VaultPath;
  readonly readable: ReadRules | null;
  /** Cosine distance beyond which nothing is similar; null where none is known for the embedder. */
  readonly ceiling: number | null;
  /** `search.embed_timeout_seconds` */
  readonly timeoutSeconds: number;
}

const SHOWN = 5;
/** Looked through for facts; and facts that are compared, for a long list has hundreds and each is embedded. */
const NEAR_CHUNKS = 5;
const MAX_FACTS = 100;
const SHOWN_CHARACTERS = 300;

/** Never rejects. */
export async function similarPassages(
  { reader, embedder, log }: SimilarPorts,
  look: SimilarLook,
): Promise<SimilarPassages> {
  if (embedder === null) return none();
  if (look.ceiling === null) return none('no_ceiling');
  try {
    if (!sharesSpace(reader, embedder)) return none('vectors_pending');
    const query = await embedQuery(embedder, look.fact, look.timeoutSeconds, log);
    if ('degraded' in query)
      return none(query.degraded === 'vectors_pending' ? query.degraded : 'embedder_unreachable');
    const filter = {
      prefix: look.dir,
      kind: 'note',
      excludeDirs: [],
      includeSuperseded: false,
      readable: look.readable,
    } as const;
    const near = nearestChunks(reader, query.vector, filter, NEAR_CHUNKS, undefined);
    const facts = reader.chunks(near.map(({ chunkId }) => chunkId)).flatMap((chunk) => factsIn(chunk));
    const compared = await compare(embedder, look, facts.slice(0, MAX_FACTS));
    if (compared === null) return none('embedder_unreachable');
    const nearest = compared
      .filter(({ distance }) => distance <= (look.ceiling ?? 0))
      .sort((one, other) => one.distance - other.distance);
    const similar = oncePerLine(nearest)
      .slice(0, SHOWN)
      .map(({ path, line, text, distance }) => ({ path: path as VaultPath, line, text: beginning(text), distance }));
    return { similar, degraded: [] };
  } catch (error) {
    log.debug({ reason: reasonOf(error) }, 'the wiki could not be asked for what is like a fact');
    return none('index_building');
  }
}

/** Each with its distance from the fact, both embedded alike; null when the embedder did not answer in time. */
async function compare(
  embedder: Embedder,
  { fact, timeoutSeconds }: SimilarLook,
  facts: readonly ChunkFact[],
): Promise<(ChunkFact & { readonly distance: number })[] | null> {
  if (facts.length === 0) return [];
  const signal = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  const tooLate = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const work = embedder.embedDocuments([fact, ...facts.map(({ said }) => said)], signal).catch(() => null);
  const [own, ...outcomes] = (await Promise.race([work, tooLate])) ?? [];
  if (own === undefined || 'error' in own) return null;
  return facts.flatMap((one, at) => {
    const outcome = outcomes[at];
    if (outcome === undefined || 'error' in outcome) return [];
    return [{ ...one, distance: cosineDistance(own.vector, outcome.vector) }];
  });
}

/** The first of each line: chunks overlap, and where one begins within a line it holds the end of it only. */
function oncePerLine<T extends Pick<ChunkFact, 'path' | 'line'>>(facts: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const fact of facts) {
    const place = `${fact.line} ${fact.path}`;
    if (!first.has(place)) first.set(place, fact);
  }
  return [...first.values()];
}

function none(reason?: SimilarDegraded): SimilarPassages {
  return { similar: [], degraded: reason === undefined ? [] : [reason] };
}

function beginning(text: string): string {
  const characters = [...text.slice(0, SHOWN_CHARACTERS * 2)];
  return characters.length <= SHOWN_CHARACTERS ? text : `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`;
}
