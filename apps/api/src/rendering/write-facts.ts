/** Sentences that the answers of several writes have in common. Pure. */
import type { NoteWriteAnswer } from '../operations/change-note.ts';
import type { IndexedState } from '../operations/index-news.ts';
import type { WikiAppendAnswer } from '../operations/wiki-append.ts';

/** In quotation marks, so that blanks at its ends are seen. */
export function named(path: string): string {
  return `"${path}"`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The version to expect next, or in a dry run the one that was looked at. */
export function etagFact(etag: string | null, dryRun: boolean | undefined): string {
  if (dryRun) return etag === null ? 'There is no version yet.' : `Computed from etag ${etag}.`;
  return `etag now: ${etag}`;
}

export function timestampFact({ timestamp, dry_run }: Pick<NoteWriteAnswer, 'timestamp' | 'dry_run'>): string {
  if (timestamp.bumped) return dry_run ? 'Its timestamp would be set.' : 'Its timestamp was set.';
  const reason = timestamp.reason ?? 'no reason is known';
  return `Timestamp not set: ${reason.replace(/\.$/, '')}.`;
}

const WRITTEN: Readonly<Record<IndexedState, string>> = {
  indexed: 'Search finds it by words now.',
  queued: 'The indexer was told; search may not know of it yet.',
  deferred: 'The indexer could not be told; search knows of it once the indexer has seen it by itself.',
  excluded: 'It is not indexed, so search never finds it.',
};

const REMOVED: Readonly<Record<IndexedState, string>> = {
  indexed: 'Search no longer finds it.',
  queued: 'The indexer was told; search may still find it for a moment.',
  deferred: 'The indexer could not be told; search finds it until the indexer has seen that it is gone.',
  excluded: 'It was not indexed, so search never found it.',
};

/** Whether search knows; nothing where the answer does not say. */
export function indexFacts(indexed: IndexedState | undefined, happened: 'written' | 'removed'): string[] {
  if (indexed === undefined) return [];
  return [(happened === 'written' ? WRITTEN : REMOVED)[indexed]];
}

/** Whether git has it; where nothing is committed there is nothing to say. */
export function commitFacts(committed: WikiAppendAnswer['committed']): string[] {
  switch (committed?.state) {
    case undefined:
    case 'off':
      return [];
    case 'committed':
      return ['It was committed.'];
    case 'pending':
      return ['Git is still at its commit.'];
    case 'failed':
      return [`It was not committed: ${committed.reason?.replace(/\.$/, '')}.`];
  }
}
