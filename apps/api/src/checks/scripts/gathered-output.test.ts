import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gather } from './gathered-output.ts';

/** What is kept of these pieces, and how often it was too much. */
async function gathered(pieces: readonly Uint8Array[], maxBytes: number) {
  const stream = new PassThrough();
  let overflows = 0;
  const text = gather(stream, maxBytes, () => {
    overflows++;
  });
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  return { text: text(), overflows };
}

it('what is written comes out as it is, up to the limit, in whatever pieces it came', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 9_000, size: 'max' }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(40_000), async (parts, maxBytes) => {
      const whole = Buffer.concat(parts);
      expect(await gathered(parts, maxBytes)).toEqual({
        text: whole.subarray(0, maxBytes).toString('utf8'),
        overflows: whole.length > maxBytes ? 1 : 0,
      });
    }),
    { numRuns: 50 },
  );
});

it('a character that came in two pieces is one', async () => {
  expect((await gathered([Buffer.from([0xc3]), Buffer.from([0xa9])], 10)).text).toBe('é');
});

it('no piece is held on to, however small: a read of one byte would keep its whole buffer', async () => {
  const stream = new PassThrough();
  const text = gather(stream, 1_000_000, () => {});
  const piece = Buffer.from('a');
  stream.write(piece);
  await new Promise((resolve) => setImmediate(resolve));
  // Whoever kept the piece itself would see it change.
  piece.write('b');
  expect(text()).toBe('a');
});
