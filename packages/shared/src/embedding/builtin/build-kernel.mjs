/**
 * Compiles kernel.wat into kernel-bytes.ts. Run `node packages/shared/src/embedding/builtin/build-kernel.mjs` after
 * every change to kernel.wat; kernel.test.ts fails until then.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const source = readFileSync(new URL('./kernel.wat', import.meta.url), 'utf8');
const { buffer } = (await wabt()).parseWat('kernel.wat', source, { simd: true }).toBinary({});
const lines =
  Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,110}/g) ?? [];
writeFileSync(
  new URL('./kernel-bytes.ts', import.meta.url),
  `/** kernel.wat in binary form, written by build-kernel.mjs. Do not edit: change kernel.wat and build again. */
export const KERNEL_BASE64 =
  '${lines.join("' +\n  '")}';
`,
);
