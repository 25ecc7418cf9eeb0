/**
 * Tells the indexer what a move changed. Danger: the queue may be away; the files are right all the same, and the
 * indexer's own watch and comparison find them, so a failure here is logged and fails nothing.
 */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { OperationContext } from '../context.ts';
import type { MoveSurvey } from './move-survey.ts';

/** From so many paths on, one comparison of everything is less work than a job for each. */
const JOBS_AT_MOST = 500;

/** @param written files whose links changed, as they are called after the move */
export async function announceMove(
  { queue, log }: Pick<OperationContext, 'queue' | 'log'>,
  { movedFiles, relocation }: Pick<MoveSurvey, 'movedFiles' | 'relocation'>,
  written: readonly VaultPath[],
): Promise<void> {
  const notes = written.filter((path) => path.toLowerCase().endsWith('.md'));
  const paths = new Set([...movedFiles, ...movedFiles.map(relocation.movedTo), ...notes]);
  try {
    if (paths.size > JOBS_AT_MOST) await queue.add('reconcile', {});
    else await Promise.all(Array.from(paths, (path) => queue.add('sync-path', { path, source: 'news' })));
  } catch (error) {
    log.warn({ err: error }, 'a move could not be announced; the indexer will find it by itself');
  }
}
