/**
 * The repository's own sources, parsed: what every architecture rule reads. Danger: a rule over an empty list always
 * holds, so reading throws when it finds suspiciously little; and rules see only imports written as literals.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParseResult, parseSync, Visitor } from 'oxc-parser';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
/** Where the product's code stands; tests and benches have rules of their own. */
const PRODUCT_ROOTS = ['packages/shared/src', 'apps/api/src', 'apps/indexer/src', 'apps/cli/src'];
const TEST_ROOTS = ['test', 'bench'];

export interface Import {
  /** Path of one of our own files from the repository's root, or a package specifier (`hono`, `node:fs/promises`). */
  readonly target: string;
  readonly own: boolean;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** From the repository's root, `/`-separated. */
  readonly path: string;
  readonly text: string;
  /** A `*.test.ts` beside the source, or anything under test/ or bench/. */
  readonly isTest: boolean;
  readonly imports: readonly Import[];
  readonly program: ParseResult['program'];
  /** Texts of all comments, without their markers. */
  readonly comments: readonly string[];
}

/** A rule: the broken places, each a sentence that starts with the file. */
export type Rule = (files: readonly SourceFile[]) => string[];

const WORKSPACES: readonly (readonly [string, string])[] = [
  ['@vault-mcp/shared/', 'packages/shared/src/'],
  ['@vault-mcp/api/', 'apps/api/src/'],
  ['@vault-mcp/indexer/', 'apps/indexer/src/'],
  ['@vault-mcp/cli/', 'apps/cli/src/'],
];

/** @throws Error when a file does not parse, or so few are found that the rules would hold for nothing */
export function readSources(): SourceFile[] {
  const files = [...PRODUCT_ROOTS, ...TEST_ROOTS].flatMap(filesUnder);
  if (files.length < 30) throw new Error(`Only ${files.length} sources found under ${REPOSITORY}; is the path right?`);
  return files.map((path) => parseSource(path, readFileSync(posix.join(REPOSITORY, path), 'utf8')));
}

function filesUnder(root: string): string[] {
  let names: string[];
  try {
    names = readdirSync(posix.join(REPOSITORY, root), { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return names
    .map((name) => posix.join(root, name.split(sep).join('/')))
    .filter((path) => /\.(ts|mjs|js)$/.test(path) && !path.includes('/node_modules/'))
    .sort();
}

/** Pure: the same from a file or from a test's own text. */
export function parseSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text);
  const [error] = parsed.errors;
  if (error) throw new Error(`${path} does not parse: ${error.message}`);
  return {
    path,
    text,
    isTest: path.endsWith('.test.ts') || TEST_ROOTS.some((root) => path.startsWith(`${root}/`)),
    imports: importsOf(path, text, parsed),
    program: parsed.program,
    comments: parsed.comments.map((comment) => comment.value),
  };
}

function importsOf(path: string, text: string, { module, program }: ParseResult): Import[] {
  const typeDeclarations = new Set(
    program.body
      .filter((node) => node.type === 'ImportDeclaration' && node.importKind === 'type')
      .map((node) => node.start),
  );
  const found = new Map<string, boolean>();
  const add = (specifier: string, typeOnly: boolean) =>
    found.set(specifier, typeOnly && (found.get(specifier) ?? true));

  for (const { start, moduleRequest, entries } of module.staticImports) {
    const allTypes = entries.length > 0 && entries.every((entry) => entry.isType);
    add(moduleRequest.value, typeDeclarations.has(start) || allTypes);
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest) add(moduleRequest.value, isType);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2]) add(literal[2], false);
  }
  for (const required of requiredBy(program)) add(required, false);
  return [...found].map(([specifier, typeOnly]) => ({ ...resolve(path, specifier), typeOnly }));
}

/** What is loaded on demand by a `require` of the file's own making. */
function requiredBy(program: ParseResult['program']): string[] {
  const found: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'require') return;
      if (first?.type === 'Literal' && typeof first.value === 'string') found.push(first.value);
    },
  }).visit(program);
  return found;
}

function resolve(from: string, specifier: string): { target: string; own: boolean } {
  if (specifier.startsWith('.')) return { target: posix.join(posix.dirname(from), specifier), own: true };
  for (const [name, folder] of WORKSPACES) {
    if (specifier.startsWith(name)) return { target: `${folder}${specifier.slice(name.length)}.ts`, own: true };
  }
  return { target: specifier, own: false };
}
