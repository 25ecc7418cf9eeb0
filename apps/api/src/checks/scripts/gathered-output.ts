/** What a program writes to a pipe, up to a limit. Danger: it may write without end, so nothing past the limit is kept. */
import { Readable } from 'node:stream';

/**
 * @param onOverflow called once, when there is more than the limit
 * @returns what came so far, as UTF-8; bytes that are none become U+FFFD
 */
export function gather(stream: unknown, maxBytes: number, onOverflow: () => void): () => string {
  const parts: Buffer[] = [];
  let room = maxBytes;
  if (stream instanceof Readable) {
    stream.on('data', (part: Buffer) => {
      if (room < 0) return;
      if (part.length > 0 && room > 0) parts.push(part.subarray(0, room));
      room -= part.length;
      if (room < 0) onOverflow();
    });
    // A pipe that breaks has told what it had to tell.
    stream.on('error', () => {});
  }
  return () => Buffer.concat(parts).toString('utf8');
}
