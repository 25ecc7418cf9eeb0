/**
 * The architecture of ARCHITECTURE.md as failing tests. Every rule runs over the real sources, and over a small file
 * that breaks it: a rule that cannot fail proves nothing.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { reachesAroundNoView } from './access-confinement.ts';
import { namesInTree, readArchitecturePage } from './architecture-page.ts';
import { keepsConfinedCalls, keepsConfinedImports } from './confinement.ts';
import { declaresWhatItImports, importsWhatItDeclares, type Manifest, readManifests } from './declarations.ts';
import { hasHeaders, hasNoBarrels, hasTellingNames, isShortOrSaysWhy, takesNoShortCuts } from './file-shape.ts';
import { followsImportTable, hasNoCycles, MAY_IMPORT } from './import-table.ts';
import { parseSource, type Rule, readSources, type SourceFile } from './source-files.ts';

const S = 'packages/shared/src';
const A = 'apps/api/src';
const I = 'apps/indexer/src';

let sources: SourceFile[];
beforeAll(() => {
  sources = readSources();
});

const broken = (rule: Rule, files: Record<string, string>) =>
  rule(Object.entries(files).map(([path, text]) => parseSource(path, text)));

const RULES: Record<string, Rule> = {
  'every import follows the import table': followsImportTable,
  'no import cycles': hasNoCycles,
  'files, SQL and libraries are imported only where they belong': keepsConfinedImports,
  'the environment is read and SQL is spoken only where it belongs': keepsConfinedCalls,
  'nothing reaches around what a caller may see': reachesAroundNoView,
  'names say what a file does': hasTellingNames,
  'no barrels': hasNoBarrels,
  'every file opens with its purpose': hasHeaders,
  'no file past 300 lines without a reason': isShortOrSaysWhy,
  'no short cuts': takesNoShortCuts,
};

describe('the sources', () => {
  it.each(Object.entries(RULES))('%s', (_name, rule) => {
    expect(rule(sources)).toEqual([]);
  });

  it('are read whole: product, unit tests, test support', () => {
    const paths = sources.map((file) => file.path);
    expect(paths).toContain(`${S}/queue/jobs.ts`);
    expect(paths).toContain(`${S}/queue/jobs.test.ts`);
    expect(paths).toContain('test/support/prepare-machine.mjs');
    const imports = sources.find((file) => file.path === 'test/contracts/queue.test.ts')?.imports;
    expect(imports?.map((one) => one.target)).toContain(`${S}/queue/in-memory.ts`);
  });

  it('import only files that are there', () => {
    const paths = new Set(sources.map((file) => file.path));
    const gone = sources.flatMap((file) =>
      file.imports
        .filter(({ own, target }) => own && /\.(ts|mjs)$/.test(target) && !paths.has(target))
        .map(({ target }) => `${file.path} imports ${target}`),
    );
    expect(gone).toEqual([]);
  });
});

describe('every package.json', () => {
  it('declares what its files import', () => {
    expect(declaresWhatItImports(sources, readManifests())).toEqual([]);
  });

  it('declares nothing that no file imports', () => {
    expect(importsWhatItDeclares(sources, readManifests())).toEqual([]);
  });
});

describe('the rules on declared packages', () => {
  const workspace = (over: Partial<Manifest>): Manifest => ({
    ...{ folder: 'apps/api', name: '@vault-mcp/api', dependencies: [], devDependencies: [], ...over },
  });
  const root = workspace({ folder: '', name: 'vault-mcp', devDependencies: ['vitest'] });
  const shared = workspace({ folder: 'packages/shared', name: '@vault-mcp/shared' });
  const parsed = (files: Record<string, string>) =>
    Object.entries(files).map(([path, text]) => parseSource(path, text));

  it.each([
    ['an undeclared package', `${A}/a.ts`, "import 'hono/cors';"],
    ['a package that only the root declares', `${A}/a.ts`, "import { expect } from 'vitest';"],
    ['a type of it', `${A}/a.ts`, "import type { Hono } from 'hono';"],
    ['an undeclared workspace', `${A}/a.ts`, "import '@vault-mcp/shared/log';"],
    ['a package that only another workspace declares, in a test', 'test/flows/a.test.ts', "import '@scope/one/two';"],
  ])('refuse %s', (_name, path, text) => {
    const manifests = [root, workspace({}), { ...shared, dependencies: ['@scope/one'] }];
    expect(declaresWhatItImports(parsed({ [path]: text }), manifests)).toHaveLength(1);
  });

  it('let tests use what the root declares, and anything use Node and itself', () => {
    const files = {
      [`${A}/a.test.ts`]: "import 'vitest'; import '@vault-mcp/shared/log';",
      [`${A}/a.ts`]: "import 'node:fs'; import 'fs'; import './b.ts'; import '@scope/one/two';",
    };
    const manifests = [root, workspace({ dependencies: ['@scope/one'] }), shared];
    expect(declaresWhatItImports(parsed(files), manifests)).toEqual([]);
  });

  it('refuse a dependency that nothing or only a test imports, and an allowance that is not needed', () => {
    const api = workspace({ dependencies: ['hono', 'zod'], devDependencies: ['@types/hono', '@types/zod', 'ajv'] });
    const files = parsed({ [`${A}/a.ts`]: "import 'hono';", [`${A}/a.test.ts`]: "import 'zod';" });
    expect(importsWhatItDeclares(files, [api], { 'apps/api': { hono: 'no reason' } })).toEqual([
      'apps/api declares zod without importing it',
      'apps/api declares ajv without importing it',
      'apps/api needs no allowance for hono any more',
    ]);
    expect(importsWhatItDeclares(files, [api], { 'apps/api': { zod: 'a', ajv: 'b' } })).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  it('names every row of the import table', () => {
    const named = namesInTree(readArchitecturePage());
    expect(Object.keys(MAY_IMPORT).filter((row) => !named.has(row))).toEqual([]);
  });

  it('names no file that is gone', () => {
    const paths = new Set(sources.map((file) => file.path));
    const files = [...namesInTree(readArchitecturePage())].filter((name) => name.endsWith('.ts'));
    expect(files).toContain(`${A}/context.ts`);
    expect(files.filter((file) => !paths.has(file))).toEqual([]);
  });

  it('is read by the indentation of its tree', () => {
    const tree = ['a/src/', '  one.ts two.ts  both', '  sub/       what it does', '    deep/    more', '  last/'];
    const page = ['## Folders', '', '```', ...tree, '             and what runs on', 'b/src/', '```', ''].join('\n');
    expect([...namesInTree(page)]).toEqual([
      'a/src',
      'a/src/one.ts',
      'a/src/two.ts',
      'a/src/sub',
      'a/src/sub/deep',
      'a/src/last',
      'b/src',
    ]);
    expect(() => namesInTree('# no tree')).toThrow('no tree');
  });
});

describe('the import table refuses', () => {
  it.each([
    ['the indexer from the api', `${A}/app.ts`, '@vault-mcp/indexer/indexer'],
    ['the api from the indexer', `${I}/main.ts`, '@vault-mcp/api/app'],
    ['search from http', `${A}/http/routes/search.ts`, '../../search/search.ts'],
    ['index-db from mcp', `${A}/mcp/tools/search.ts`, '@vault-mcp/shared/index-db/reader'],
    ['http from operations', `${A}/operations/read.ts`, '../http/errors.ts'],
    ['the queue from the vault', `${S}/vault/write.ts`, '../queue/jobs.ts'],
    ['the configuration from the index', `${S}/index-db/open.ts`, '../config/load.ts'],
    ['an app from a shared folder', `${S}/queue/jobs.ts`, '@vault-mcp/api/app'],
    ['the watcher from what embeds', `${I}/embed/lane.ts`, '../watch/watcher.ts'],
  ])('%s', (_name, path, specifier) => {
    expect(broken(followsImportTable, { [path]: `import { x } from '${specifier}';` })).toHaveLength(1);
    expect(broken(followsImportTable, { [path]: `import type { X } from '${specifier}';` })).toHaveLength(1);
    expect(broken(followsImportTable, { [path]: `export { x } from '${specifier}';` })).toHaveLength(1);
    expect(broken(followsImportTable, { [path]: `await import('${specifier}');` })).toHaveLength(1);
  });

  it('a folder without a row', () => {
    expect(broken(followsImportTable, { [`${A}/novelties/x.ts`]: '' })).toEqual([
      `${A}/novelties/x.ts stands in a folder that the import table has no row for`,
    ]);
    expect(broken(followsImportTable, { [`${S}/novelties/x.ts`]: '' })).toHaveLength(1);
  });

  it('nothing of what it allows: errors and log anywhere, the apps from the cli', () => {
    const allowed = {
      [`${S}/vault/path.ts`]: "import { AppError } from '../errors.ts'; import type { Logger } from '../log.ts';",
      [`${A}/http/routes/read.ts`]: "import { read } from '../../operations/read.ts';",
      'apps/cli/src/serve.ts': "import '@vault-mcp/api/app'; import '@vault-mcp/indexer/indexer';",
    };
    expect(broken(followsImportTable, allowed)).toEqual([]);
  });
});

describe('the cycle rule', () => {
  it('reports a cycle once, however long, types included', () => {
    const files = {
      [`${S}/queue/a.ts`]: "import { b } from './b.ts';",
      [`${S}/queue/b.ts`]: "import type { C } from './c.ts';",
      [`${S}/queue/c.ts`]: "import { a } from '@vault-mcp/shared/queue/a';",
      [`${S}/queue/d.ts`]: "import { a } from './a.ts';",
    };
    expect(broken(hasNoCycles, files)).toEqual([
      `${S}/queue/a.ts -> ${S}/queue/b.ts -> ${S}/queue/c.ts -> ${S}/queue/a.ts is an import cycle`,
    ]);
  });

  it('does not mistake a diamond for a cycle', () => {
    const files = {
      [`${S}/queue/a.ts`]: "import './b.ts'; import './c.ts';",
      [`${S}/queue/b.ts`]: "import './d.ts';",
      [`${S}/queue/c.ts`]: "import './d.ts';",
      [`${S}/queue/d.ts`]: '',
    };
    expect(broken(hasNoCycles, files)).toEqual([]);
  });
});

describe('confinement refuses', () => {
  it.each([
    ['fs in search', `${A}/search/search.ts`, "import { readFileSync } from 'node:fs';"],
    ['fs in the watcher', `${I}/watch/watcher.ts`, "import { readdir } from 'node:fs/promises';"],
    ['fs without its prefix', `${S}/embedding/builtin.ts`, "import fs from 'fs';"],
    ['a database in an operation', `${A}/operations/read.ts`, "import Database from 'better-sqlite3';"],
    ['hono in an operation', `${A}/operations/read.ts`, "import type { Context } from 'hono';"],
    [
      'the MCP SDK in an operation',
      `${A}/operations/read.ts`,
      "import { McpServer } from '@modelcontextprotocol/server';",
    ],
    ['BullMQ in the indexer', `${I}/jobs/worker.ts`, "import { Worker } from 'bullmq';"],
    [
      'the index writer in the api',
      `${A}/main.ts`,
      "import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';",
    ],
    ['the index writer in the cli', 'apps/cli/src/reindex.ts', "import '@vault-mcp/shared/index-db/writer';"],
    ['writing notes in http', `${A}/http/routes/write.ts`, "import { w } from '@vault-mcp/shared/vault/write';"],
    ['writing notes in the watcher', `${I}/watch/watcher.ts`, "import { w } from '@vault-mcp/shared/vault/write';"],
    ['a write without its lock', `${A}/operations/write.ts`, "import { r } from '@vault-mcp/shared/vault/write-edit';"],
    ['a database beside the locks', `${S}/vault/lock.ts`, "import Database from 'better-sqlite3';"],
    ['gray-matter anywhere', `${S}/vault/note/frontmatter.ts`, "import matter from 'gray-matter';"],
  ])('%s', (_name, path, text) => {
    expect(broken(keepsConfinedImports, { [path]: text })).toHaveLength(1);
  });

  it.each([
    ['process.env', 'export const key = process.env.KEY;'],
    ["process['env']", "export const key = process['env'];"],
    ['env from node:process', "import { env } from 'node:process';"],
    ['a prepared statement', 'export const x = (db) => db.prepare(sql);'],
    ['an executed statement', "export const x = (db) => db.exec('DELETE FROM files');"],
    ['a statement in a template', 'export const x = (db) => db.exec(`drop table t`);'],
  ])('%s', (_name, text) => {
    expect(broken(keepsConfinedCalls, { [`${A}/operations/read.ts`]: text })).toHaveLength(1);
  });

  it('nothing where it belongs, and no regular expression for SQL', () => {
    const allowed = {
      [`${S}/config/load.ts`]: 'export const env = process.env;',
      [`${S}/index-db/reader.ts`]: "import Database from 'better-sqlite3'; new Database('x').prepare('select 1');",
      [`${A}/operations/read.ts`]: 'export const m = /select (.+)/.exec(text); process.cwd();',
      [`${A}/main.ts`]: "import { mkdirSync } from 'node:fs';",
    };
    expect(broken(keepsConfinedCalls, allowed)).toEqual([]);
    expect(broken(keepsConfinedImports, allowed)).toEqual([]);
  });
});

describe('the rules of a single file refuse', () => {
  it.each([`${S}/utils/x.ts`, `${S}/vault/path-helpers.ts`, `${A}/search/SearchManager.ts`, `${S}/misc.ts`])(
    'the name %s',
    (path) => {
      expect(broken(hasTellingNames, { [path]: '' }).length).toBeGreaterThan(0);
    },
  );

  it('a file that only passes on, and any index.ts', () => {
    expect(broken(hasNoBarrels, { [`${S}/queue/all.ts`]: "/** x */ export * from './a.ts';" })).toHaveLength(1);
    expect(
      broken(hasNoBarrels, { [`${S}/queue/all.ts`]: "import './z.ts'; export { a } from './a.ts';" }),
    ).toHaveLength(1);
    expect(broken(hasNoBarrels, { [`${S}/queue/index.ts`]: 'export const a = 1;' })).toHaveLength(1);
    expect(broken(hasNoBarrels, { [`${S}/queue/a.ts`]: "export { b } from './b.ts'; export const a = 1;" })).toEqual(
      [],
    );
  });

  it('a missing header', () => {
    expect(broken(hasHeaders, { [`${S}/a.ts`]: '// a note\nexport const a = 1;' })).toHaveLength(1);
    expect(broken(hasHeaders, { 'apps/cli/src/main.ts': '#!/usr/bin/env node\n/** The command. */' })).toEqual([]);
  });

  it('301 lines, unless the header says why', () => {
    const lines = 'export {};\n'.repeat(300);
    expect(broken(isShortOrSaysWhy, { [`${S}/a.ts`]: `/** A. */\n${lines}` })).toHaveLength(1);
    expect(broken(isShortOrSaysWhy, { [`${S}/a.ts`]: lines })).toEqual([]);
    const reason = '/**\n * A table. Longer than 300\n * lines because it is one table.\n */\n';
    expect(broken(isShortOrSaysWhy, { [`${S}/a.ts`]: reason + lines })).toEqual([]);
  });

  it.each([
    ['a module mock', "vi.mock('./a.ts');"],
    ['a cast to any', 'export const a = (b as any).c;'],
    ['a silenced type error', '// @ts-ignore\nexport const a = 1;'],
    ['work left for later', '// TODO: the rest\nexport const a = 1;'],
    ['a test that leaves the others out', "it.only('x', () => {});"],
  ])('%s', (_name, text) => {
    expect(broken(takesNoShortCuts, { [`${S}/a.test.ts`]: text })).toHaveLength(1);
  });
});
