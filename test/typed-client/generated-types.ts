/**
 * Makes the types of the HTTP surface from openapi.yaml, formatted as this repository's code is. Danger: the generator
 * runs on TypeScript 5 while everything else here is compiled by 7, which is why this folder is a workspace with a
 * TypeScript of its own.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';

const ROOT = join(import.meta.dirname, '../..');

const HEADER = `/**
 * The HTTP surface as types, made from openapi.yaml: \`npx vitest run test/contracts/openapi-types.test.ts -u\` writes it
 * anew. Longer than 300 lines because openapi.yaml is.
 */
`;

/** The text of `openapi.ts`. */
export async function generatedTypes(): Promise<string> {
  const document = pathToFileURL(join(ROOT, 'openapi.yaml'));
  // What has a default may be left out of a request, so the default must not make it required.
  const types = astToString(await openapiTypes(document, { defaultNonNullable: false }));
  return formatted(HEADER + types);
}

function formatted(text: string): string {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = ['format', '--stdin-file-path=test/typed-client/openapi.ts'];
  return execFileSync(process.execPath, [biome, ...args], { cwd: ROOT, input: text, encoding: 'utf8' });
}
