/**
 * Has the cache cleared of what the index has not needed for long, after a reconcile: then the index says of every file what it
 * needs. Danger: on the side and on the writer's thread, so one at a time, and in turns.
 */
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import type { Logger } from '@vault-mcp/shared/log';
import type { ContentCache } from './cache/cache.ts';
import type { CacheNeeds } from './cache/sweep.ts';

export interface SweepDeps {
  readonly cache: Pick<ContentCache, 'sweep'>;
  readonly writer: Pick<IndexWriter, 'embeddings' | 'storedFile' | 'storedFiles'>;
  /** Whose vectors the index holds. */
  readonly space: string;
  readonly logger: Pick<Logger, 'info'>;
  /** Told of an index that cannot be asked. Must not throw. */
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
}

/** @returns what asks for a sweep; resolves when it has ended, never rejects */
export function createCacheSweep(deps: SweepDeps): () => Promise<void> {
  const { cache, logger, onError, now = Date.now } = deps;
  let running: Promise<void> | null = null;
  const sweep = async (): Promise<void> => {
    try {
      const gone = await cache.sweep(needsOf(deps), { nowMs: now() });
      if (gone) logger.info({ entries: gone }, 'the cache was cleared of what nothing has needed for long');
    } catch (error) {
      onError(error);
    } finally {
      running = null;
    }
  };
  return () => {
    running ??= sweep();
    return running;
  };
}

function needsOf({ writer, space }: SweepDeps): CacheNeeds {
  // Gathered when first asked for, and once: no index of the table tells files by their bytes.
  let held: Set<string> | null = null;
  return {
    chunks: (path) => writer.storedFile(path) !== undefined,
    vector: (of, textHash) => of === space && writer.embeddings.holds(textHash),
    extraction(sha256) {
      held ??= new Set([...writer.storedFiles()].map((file) => file.sha256));
      return held.has(sha256);
    },
  };
}
