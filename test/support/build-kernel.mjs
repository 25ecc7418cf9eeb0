/**
 * Compiles each kernel's .wat into the -bytes.ts beside it. Run `node test/support/build-kernel.mjs` after every change to
 * one of them; a test beside each fails until then.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const SOURCES = ['embedding/builtin/kernel.wat', 'index-db/signature-kernel.wat'];

for (const path of SOURCES) {
  const file = new URL(`../../packages/shared/src/${path}`, import.meta.url);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { buffer } = (await wabt()).parseWat(name, readFileSync(file, 'utf8'), { simd: true }).toBinary({});
  const lines =
    Buffer.from(buffer)
      .toString('base64')
      .match(/.{1,110}/g) ?? [];
  writeFileSync(
    new URL(name.replace('.wat', '-bytes.ts'), file),
    `/** ${name} in binary form, written by test/support/build-kernel.mjs. Do not edit: change ${name} and build again. */
export const ${name.replace('.wat', '').replaceAll('-', '_').toUpperCase()}_BASE64 =
  '${lines.join("' +\n  '")}';
`,
  );
}
