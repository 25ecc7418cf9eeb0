/**
 * What a program writes to a pipe, up to a limit. Danger: it may write without end, or byte by byte, so nothing past the
 * limit is kept, and what is kept takes no more than twice its size, in however many pieces it came.
 */
import { Readable } from 'node:stream';

const FIRST_BYTES = 4096;

/**
 * @param onOverflow called once, when there is more than the limit
 * @returns what came so far, as UTF-8; bytes that are none become U+FFFD
 */
export function gather(stream: unknown, maxBytes: number, onOverflow: () => void): () => string {
  // A piece of its own for each read would hold 64 KB for one byte.
  let kept = Buffer.alloc(0);
  let length = 0;
  let isOver = false;
  if (stream instanceof Readable) {
    stream.on('data', (part: Buffer) => {
      if (isOver) return;
      const end = Math.min(length + part.length, maxBytes);
      if (end > kept.length)
        kept = grown(kept, length, Math.min(Math.max(end, 2 * kept.length, FIRST_BYTES), maxBytes));
      part.copy(kept, length, 0, end - length);
      isOver = length + part.length > maxBytes;
      length = end;
      if (isOver) onOverflow();
    });
    // A pipe that breaks has told what it had to tell.
    stream.on('error', () => {});
  }
  return () => kept.toString('utf8', 0, length);
}

function grown(kept: Buffer, length: number, size: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(size);
  kept.copy(larger, 0, 0, length);
  return larger;
}
