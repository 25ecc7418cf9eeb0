/** A file's times and size as answers give them: the Obsidian plugin's form, whole milliseconds since the epoch. Pure. */

export interface ReportedStat {
  /** When the file was made, as far as the file system knows. */
  readonly ctime: number;
  readonly mtime: number;
  /** Bytes. */
  readonly size: number;
}

/** Not every file system knows a file's birth; there the last change of its inode is the nearest there is. */
export function reportedStat(stat: {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
}): ReportedStat {
  const born = stat.birthtimeMs > 0 ? stat.birthtimeMs : stat.ctimeMs;
  return { ctime: Math.floor(born), mtime: Math.floor(stat.mtimeMs), size: stat.size };
}
