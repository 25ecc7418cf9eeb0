/** What every deletion answers of what became of the entry, so that one field means one thing for files and folders. */
import type { IndexedState } from './index-news.ts';

export interface Deletion {
  /** In the spelling on disk. */
  readonly path: string;
  /** Whether it is (in a dry run: would be) gone for good. */
  readonly permanent: boolean;
  /** Where it is now, from the vault's root; null when it is gone for good, and in a dry run. */
  readonly trashed: string | null;
  /** Notes and canvases that still link to it, or elsewhere to a file in it; null when the index cannot say just now. */
  readonly linked_from: readonly string[] | null;
  /** Absent in a dry run. */
  readonly indexed?: IndexedState;
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
}
