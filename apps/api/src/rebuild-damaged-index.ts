/**
 * What a program that reads the index does when SQLite says that its file is damaged: asks the indexer to build it
 * anew. Danger: every request meets the damage until the file is replaced, and a rebuild asked for while one is under
 * way runs as another one afterwards; so it is asked for once per file.
 */
import { fileIdentity } from '@vault-mcp/shared/index-db/open';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';

/** A rebuild may keep the file; what is still or again damaged after this long needs another one. */
const ASK_AGAIN_MS = 10 * 60_000;

export interface RebuildDependencies {
  readonly indexPath: string;
  readonly queue: Pick<JobProducer, 'add'>;
  readonly log: Logger;
  /** Clock in milliseconds; tests pass their own. */
  readonly now?: () => number;
}

/** @returns what to hand to the index reader as `onDamaged` */
export function rebuildDamagedIndex({
  indexPath,
  queue,
  log,
  now = Date.now,
}: RebuildDependencies): (error: unknown) => void {
  let asked: { readonly file: string | null; readonly at: number } | null = null;
  return (error) => {
    const file = fileIdentity(indexPath);
    if (asked && asked.file === file && now() - asked.at < ASK_AGAIN_MS) return;
    const asking = { file, at: now() };
    asked = asking;
    log.error({ err: error }, 'the index is damaged; asking the indexer to build it anew');
    queue.add('reconcile', { rebuild: true }).catch((refusal: unknown) => {
      // Not asked, then: the next request that meets the damage tries again.
      if (asked === asking) asked = null;
      log.error({ err: refusal }, 'the rebuild of the damaged index could not be queued');
    });
  };
}
