import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { KERNEL_BASE64 } from './kernel-bytes.ts';
import { createMatrices, packWeights, ROUNDED_LENGTH } from './matrix.ts';

test('the binary is what kernel.wat compiles to; else run test/support/build-kernel.mjs', async () => {
  const source = readFileSync(new URL('./kernel.wat', import.meta.url), 'utf8');
  const compiled = (await wabt()).parseWat('kernel.wat', source, { simd: true }).toBinary({}).buffer;
  expect(Buffer.from(compiled).toString('base64')).toBe(KERNEL_BASE64);
});

describe('a product of matrices', () => {
  const [ROWS, DEPTH, COLUMNS] = [8, 16, 24];
  const matrices = createMatrices(16 * 1024 * 1024);
  const x = matrices.floats(ROWS * DEPTH);
  const rounded = matrices.shorts(ROWS * DEPTH);
  const rowScales = matrices.floats(ROWS);
  const out = matrices.floats(ROWS * COLUMNS);

  function multiply(values: number[], weights: number[], bias: number[], relu: boolean): Float32Array {
    const packed = packWeights(matrices, Float32Array.from(weights), Float32Array.from(bias), DEPTH);
    x.set(values);
    const { kernel } = matrices;
    kernel.round(x.byteOffset, DEPTH * 4, rounded.byteOffset, rowScales.byteOffset, ROWS, DEPTH, ROUNDED_LENGTH);
    kernel.multiply(
      rounded.byteOffset,
      packed.panels.byteOffset,
      out.byteOffset,
      COLUMNS * 4,
      ROWS,
      COLUMNS,
      DEPTH / 2,
      rowScales.byteOffset,
      packed.scales.byteOffset,
      packed.bias.byteOffset,
      relu ? 1 : 0,
    );
    return out;
  }

  const numbers = (length: number, size: number) =>
    fc.array(fc.float({ min: -size, max: size, noNaN: true }), { minLength: length, maxLength: length });

  test('is within a thousandth of the product of lengths, whatever the scale of rows and columns', () => {
    const inputs = [
      numbers(ROWS * DEPTH, 1000),
      numbers(DEPTH * COLUMNS, 10),
      numbers(COLUMNS, 5),
      fc.boolean(),
    ] as const;
    fc.assert(
      fc.property(...inputs, (values, weights, bias, relu) => {
        multiply(values, weights, bias, relu);
        for (let r = 0; r < ROWS; r++) {
          for (let c = 0; c < COLUMNS; c++) {
            const row = values.slice(r * DEPTH, (r + 1) * DEPTH);
            const column = row.map((_, k) => weights[k * COLUMNS + c] ?? 0);
            const exact = row.reduce((sum, value, k) => sum + value * (column[k] ?? 0), bias[c] ?? 0);
            const expected = relu ? Math.max(0, exact) : exact;
            const slack = 1e-3 * Math.hypot(...row) * Math.hypot(...column) + 1e-5;
            expect(Math.abs((out[r * COLUMNS + c] ?? Number.NaN) - expected)).toBeLessThanOrEqual(slack);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('does not overflow where row and column are as long as they may be and point the same way', () => {
    multiply(new Array(ROWS * DEPTH).fill(7), new Array(DEPTH * COLUMNS).fill(3), new Array(COLUMNS).fill(0), false);
    for (const value of out) expect(value).toBeCloseTo(7 * 3 * DEPTH, 1);
  });

  test('is the bias for a row of zeros', () => {
    multiply(new Array(ROWS * DEPTH).fill(0), new Array(DEPTH * COLUMNS).fill(1), new Array(COLUMNS).fill(2), false);
    expect(Array.from(out)).toEqual(new Array(ROWS * COLUMNS).fill(2));
  });

  test('asking for more memory than was ordered says so', () => {
    const small = createMatrices(10);
    expect(() => small.floats(1_000_000)).toThrow(RangeError);
  });
});
