/**
 * The row of a file that could not be indexed: its path and the reason, so that "not found" and "could not be read"
 * never look alike. Danger: most reasons pass without the file changing (a raised limit, a granted permission, a disk
 * that is well again), and a row that looks up to date would keep the file out for good.
 */
import { createHash } from 'node:crypto';
import type { FileRecord } from '@vault-mcp/shared/index-db/file-store';
import type { FileKind, FileStat } from '@vault-mcp/shared/index-db/rows';

/** Of a file that nobody could look at. */
const UNKNOWN_STAT: FileStat = { size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };

/**
 * The digest of a row whose reason may pass: never the one in force, so that every reconcile looks at the file again; the
 * same for the same reason, so that finding it unchanged changes nothing.
 */
export function passingDigest(reason: string): string {
  return `passing-${createHash('sha256').update(reason).digest('hex').slice(0, 16)}`;
}

/** @param stat null when the file could not even be looked at */
export function quarantineRecord(file: {
  readonly path: string;
  readonly kind: FileKind;
  readonly reason: string;
  readonly digest: string;
  readonly stat: FileStat | null;
}): FileRecord {
  const { path, kind, reason, digest, stat } = file;
  return {
    ...{ path, kind, reason, digest },
    sha256: '',
    stat: stat ? plainStat(stat) : UNKNOWN_STAT,
    title: path.slice(path.lastIndexOf('/') + 1),
    description: '',
    type: null,
    tags: [],
    supersededBy: null,
    state: 'quarantined',
    chunks: [],
    links: [],
  };
}

/** What the index keeps of a stat. */
export function plainStat({ size, mtimeMs, ctimeMs, inode }: FileStat): FileStat {
  return { size, mtimeMs, ctimeMs, inode };
}
