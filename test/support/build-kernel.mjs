/**
 * Compiles the built-in embedder's kernel.wat into kernel-bytes.ts. Run `node test/support/build-kernel.mjs` after every
 * change to kernel.wat; kernel.test.ts fails until then.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const FOLDER = new URL('../../packages/shared/src/embedding/builtin/', import.meta.url);
const source = readFileSync(new URL('kernel.wat', FOLDER), 'utf8');
const { buffer } = (await wabt()).parseWat('kernel.wat', source, { simd: true }).toBinary({});
const lines =
  Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,110}/g) ?? [];
writeFileSync(
  new URL('kernel-bytes.ts', FOLDER),
  `/** kernel.wat in binary form, written by test/support/build-kernel.mjs. Do not edit: change kernel.wat and build again. */
export const KERNEL_BASE64 =
  '${lines.join("' +\n  '")}';
`,
);
