import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseByteRange } from './byte-range.ts';

describe('a Range header', () => {
  it('is read as first and last byte, from a byte on, or as the last bytes', () => {
    expect(parseByteRange('bytes=0-99', 1000)).toEqual({ start: 0, end: 99 });
    expect(parseByteRange('bytes=900-', 1000)).toEqual({ start: 900, end: 999 });
    expect(parseByteRange('bytes=-100', 1000)).toEqual({ start: 900, end: 999 });
  });

  it('is cut to the file', () => {
    expect(parseByteRange('bytes=990-5000', 1000)).toEqual({ start: 990, end: 999 });
    expect(parseByteRange('bytes=-5000', 1000)).toEqual({ start: 0, end: 999 });
  });

  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b'])(
    'means the whole file when it is %j',
    (header) => {
      expect(parseByteRange(header, 1000)).toBeNull();
    },
  );

  it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('is refused when it is %j of 1000 bytes', (header) => {
    expect(() => parseByteRange(header, 1000)).toThrow(expect.objectContaining({ code: 'range_not_satisfiable' }));
  });

  it('never yields a range outside the file', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), fc.integer({ min: 1, max: 3000 }), (first, last, size) => {
        let range: ReturnType<typeof parseByteRange>;
        try {
          range = parseByteRange(`bytes=${first}-${last}`, size);
        } catch {
          expect(first).toBeGreaterThanOrEqual(size);
          return;
        }
        if (range === null) expect(last).toBeLessThan(first);
        else expect(0 <= range.start && range.start <= range.end && range.end < size).toBe(true);
      }),
    );
  });
});
