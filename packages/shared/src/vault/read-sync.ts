/**
 * Reads an open file, waiting for the disk. Danger: it may grow meanwhile, so the limit is held on what comes; and most
 * files are read into one place, so that what is given is the file's only until the next one is read.
 */
import { readSync } from 'node:fs';

/** Thousands of buffers, each let go at once, would keep a thread larger than all that it remembers. */
const room = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * @param expected bytes, as the file's stat has them
 * @param maxBytes most bytes read; 0 = no limit
 * @returns all bytes up to the end of the file; null when there are more than the limit
 */
export function readFromStart(fd: number, expected: number, maxBytes: number): Buffer | null {
  const limit = maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY;
  if (expected > limit) return null;
  // One byte more than expected, so that the usual file ends before its buffer does.
  let bytes = expected < room.length ? room : Buffer.allocUnsafeSlow(expected + 1);
  for (let total = 0; ; ) {
    const bytesRead = readSync(fd, bytes, total, bytes.length - total, total);
    total += bytesRead;
    if (total > limit) return null;
    if (bytesRead === 0) return bytes.subarray(0, total);
    if (total === bytes.length) bytes = Buffer.concat([bytes], 2 * total);
  }
}

/** The first bytes of an open file, at most 64 KiB; all of it where it has no more. */
export function readHead(fd: number, length: number): Buffer {
  const wanted = Math.min(length, room.length);
  for (let total = 0; ; ) {
    const bytesRead = readSync(fd, room, total, wanted - total, total);
    total += bytesRead;
    if (bytesRead === 0 || total === wanted) return room.subarray(0, total);
  }
}
