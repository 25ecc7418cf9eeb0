/**
 * What is only touched in one place: the file system, SQL, the environment, each library that is a part's own
 * business. Each entry names the places and why they are the only ones.
 */
import { Visitor } from 'oxc-parser';
import type { Rule, SourceFile } from './source-files.ts';

const S = 'packages/shared/src';
const A = 'apps/api/src';
const I = 'apps/indexer/src';
const C = 'apps/cli/src';

interface Confinement {
  readonly what: RegExp;
  readonly to: readonly string[];
  readonly why: string;
}

/** Composition roots: files directly in an app's src. */
const ROOT_OF = (app: string) => `${app}/*`;

/** Packages and Node modules. A place is a folder, a file, or (with `/*`) the files directly in a folder. */
const CONFINED_PACKAGES: readonly Confinement[] = [
  {
    what: /^(node:)?fs(\/promises)?$|^fs-extra$|^graceful-fs$/,
    to: [
      ...[`${S}/vault`, `${S}/records`, `${S}/config/load.ts`, `${S}/index-db`, `${I}/cache`, `${I}/extract`],
      ...[`${A}/console`, ROOT_OF(A), ROOT_OF(I), C],
      // Asks what kind of file system the vault is on, nothing else.
      `${I}/watch/polling.ts`,
      // Opens the files of the installed model package, whose names no caller can say.
      `${S}/embedding/builtin/weight-files.ts`,
    ],
    why: 'a path from a caller reaches the file system through vault/path only',
  },
  {
    what: /^(better-sqlite3|sqlite-vec|node:sqlite)$/,
    to: [
      ...[`${S}/index-db`, `${S}/records`, `${I}/cache`],
      // The locks between processes: who is alive is an exclusive SQLite lock, who comes first a small table.
      ...[`${S}/vault/lock-owner.ts`, `${S}/vault/lock-tickets.ts`],
    ],
    why: 'SQL stands in index-db and in each store of records',
  },
  {
    what: /^(hono|@hono\/.+|@modelcontextprotocol\/hono)(\/.+)?$/,
    to: [`${A}/http`, ROOT_OF(A)],
    why: 'operations and everything below know no HTTP',
  },
  {
    what: /^@modelcontextprotocol\/(server|sdk)(\/.+)?$/,
    to: [`${A}/mcp`, `${A}/http/routes/mcp.ts`, ROOT_OF(A), C],
    why: 'operations and everything below know no MCP',
  },
  { what: /^(bullmq|ioredis)$/, to: [`${S}/queue`], why: 'the rest speaks to the queue contract' },
  { what: /^pino$/, to: [`${S}/log.ts`], why: 'the rest is handed a logger' },
  { what: /^chokidar$/, to: [`${I}/watch`], why: "watching is the indexer's" },
  { what: /^(pdf-parse|pdfjs-dist|node-tesseract-ocr)(\/.+)?$/, to: [`${I}/extract`], why: 'parsers of foreign files' },
  { what: /^yaml$/, to: [`${S}/vault/note`, `${S}/config`], why: 'every other use would need its limits again' },
  { what: /^(node:)?child_process$/, to: [`${I}/extract`, `${A}/checks`, `${S}/records`], why: 'programs we start' },
  { what: /^(gray-matter|js-yaml)$/, to: [], why: 'they run code in, or are bombed by, hostile frontmatter' },
];

/** Our own files that only some may import. */
const CONFINED_FILES: readonly Confinement[] = [
  {
    what: new RegExp(`^${S}/index-db/writer\\.ts$`),
    to: [I, `${S}/index-db`],
    why: 'the index has one writer, the indexer',
  },
  {
    what: new RegExp(`^${S}/vault/write\\.ts$`),
    to: [
      ...[`${A}/operations`, `${A}/memory`, `${I}/catalog/publish.ts`, `${S}/vault`],
      ...[`${I}/links/link-upkeep.ts`, `${S}/link-repair/mend-file.ts`],
      // Composition roots make the writer, and name its type in what operations are given.
      ...[ROOT_OF(A), ROOT_OF(I), C],
    ],
    why: 'notes are changed by operations, by the index page’s generator and where links are mended alone',
  },
  {
    what: new RegExp(
      `^${S}/vault/(write-(edit|file|remove|rename|folder|target)|make-folder|move-entry|remove-tree|remove-for-good|take-away|trash|durable)\\.ts$`,
    ),
    to: [`${S}/vault`],
    why: 'without vault/write no lock is held',
  },
];

const ENVIRONMENT_READERS = [`${S}/config/load.ts`];
const SQL_PLACES = CONFINED_PACKAGES.find(({ what }) => what.test('better-sqlite3'))?.to ?? [];
const SQL_STATEMENT = /^\s*(select|insert|update|delete|create|drop|alter|pragma|begin|commit|rollback|with)\b/i;

function isAt(path: string, place: string): boolean {
  if (place.endsWith('/*')) {
    const folder = place.slice(0, -1);
    return path.startsWith(folder) && !path.slice(folder.length).includes('/');
  }
  return path === place || path.startsWith(`${place}/`);
}

/** Tests may reach for anything: they look at the result from outside. */
function productOutside(files: readonly SourceFile[], places: readonly string[]): SourceFile[] {
  return files.filter((file) => !file.isTest && !places.some((place) => isAt(file.path, place)));
}

export const keepsConfinedImports: Rule = (files) =>
  [...CONFINED_PACKAGES, ...CONFINED_FILES].flatMap(({ what, to, why }) =>
    productOutside(files, to).flatMap((file) =>
      file.imports
        .filter(({ target }) => what.test(target))
        .map(({ target }) => `${file.path} imports ${target}, but ${why}`),
    ),
  );

/** `process.env`, however it is reached, and SQL text handed to a connection that came from elsewhere. */
export const keepsConfinedCalls: Rule = (files) => [
  ...productOutside(files, ENVIRONMENT_READERS)
    .filter(readsEnvironment)
    .map((file) => `${file.path} reads process.env; configuration arrives as an argument`),
  ...productOutside(files, SQL_PLACES)
    .filter(speaksSql)
    .map((file) => `${file.path} holds an SQL statement; those stand in index-db and the stores of records`),
];

function readsEnvironment(file: SourceFile): boolean {
  let found = false;
  new Visitor({
    MemberExpression(node) {
      const { object, property } = node;
      found ||= object.type === 'Identifier' && object.name === 'process' && propertyName(property) === 'env';
    },
    ImportDeclaration(node) {
      const isProcess = /^(node:)?process$/.test(node.source.value);
      const takesEnv = node.specifiers.some(
        (one) => one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' && one.imported.name === 'env',
      );
      found ||= isProcess && takesEnv;
    },
  }).visit(file.program);
  return found;
}

function speaksSql(file: SourceFile): boolean {
  let found = false;
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || !first) return;
      const method = propertyName(callee.property);
      if (method === 'prepare') found = true;
      if (method === 'exec' || method === 'pragma') found ||= SQL_STATEMENT.test(literalStart(first));
    },
  }).visit(file.program);
  return found;
}

function propertyName(property: { type: string; name?: unknown; value?: unknown }): unknown {
  return property.type === 'Literal' ? property.value : property.name;
}

function literalStart(node: { type: string; value?: unknown; quasis?: { value: { raw: string } }[] }): string {
  if (node.type === 'TemplateLiteral') return node.quasis?.[0]?.value.raw ?? '';
  return typeof node.value === 'string' ? node.value : '';
}
