/** Reads an open file whole, waiting for the disk. Danger: it may grow meanwhile, so the limit is held on what comes. */
import { readSync } from 'node:fs';

/**
 * @param expected bytes, as the file's stat has them
 * @param maxBytes most bytes read; 0 = no limit
 * @returns all bytes up to the end of the file; null when there are more than the limit
 */
export function readFromStart(fd: number, expected: number, maxBytes: number): Buffer | null {
  const limit = maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY;
  if (expected > limit) return null;
  const parts: Buffer[] = [];
  let total = 0;
  // One byte more than expected, so that the usual file ends within the first read.
  for (let size = expected + 1; ; size = 65_536) {
    const part = Buffer.allocUnsafe(size);
    const bytesRead = readSync(fd, part, 0, size, null);
    if (bytesRead === 0) return Buffer.concat(parts, total);
    total += bytesRead;
    if (total > limit) return null;
    parts.push(part.subarray(0, bytesRead));
  }
}
