import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { SIGNATURE_KERNEL_BASE64 } from './signature-kernel-bytes.ts';

test('the binary is what signature-kernel.wat compiles to; else run test/support/build-kernel.mjs', async () => {
  const source = readFileSync(new URL('./signature-kernel.wat', import.meta.url), 'utf8');
  const compiled = (await wabt()).parseWat('signature-kernel.wat', source, { simd: true }).toBinary({}).buffer;
  expect(Buffer.from(compiled).toString('base64')).toBe(SIGNATURE_KERNEL_BASE64);
});
