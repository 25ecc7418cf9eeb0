/**
 * Who gets past what a caller may see: the whole vault, a vault or writer made by oneself, and what the index answers with
 * paths of its own. Danger: an operation is given a view and asks no further; so each place that reaches around it stands
 * here, with the reason why nothing hidden comes out of it.
 */
import { Visitor } from 'oxc-parser';
import type { Rule, SourceFile } from './source-files.ts';

const A = 'apps/api/src';

/** Places of the api that take `vault.whole`. */
const WHOLE_VAULT: Readonly<Record<string, string>> = {
  [`${A}/operations/etag.ts`]: 'hashes are remembered by path, of files that were located through the view',
  [`${A}/operations/survey-folder.ts`]: 'one thread for all; each question carries the rules of who asks',
  [`${A}/operations/vault-scripts.ts`]: 'scripts belong to the vault, and are run for who sees all of it',
  [`${A}/operations/link-graph.ts`]: 'one graph for all, of which each caller is given what the access lets it see',
  [`${A}/operations/superseded-by.ts`]: 'one list of files for all, of which the readable ones are taken',
  [`${A}/operations/wiki-append.ts`]: 'one list of files for all, of which the readable ones are taken',
  [`${A}/operations/gate-ports.ts`]: 'recovery and shelving are the program’s own, whoever proposed',
};

/** Places that make a vault, a view or a writer. */
const MAKERS: Readonly<Record<string, string>> = {
  [`${A}/callers.ts`]: 'the door: the view and the writer of each caller',
  [`${A}/main.ts`]: 'composition root',
  [`${A}/start-api.ts`]: 'composition root',
  [`${A}/open-writing.ts`]: 'composition root',
  [`${A}/open-files-folder.ts`]: 'another folder, beside the vault',
};
/** Each with the file that it is of. */
const MAKING = [
  ['createVaultWriter', 'vault/write.ts'],
  ['openVault', 'vault/vault.ts'],
  ['viewOf', 'vault/view.ts'],
] as const;

/** Reader methods that answer paths or texts by themselves, with the files that ask and why that is safe. */
const ANSWERS_BY_ITSELF: Readonly<Record<string, readonly string[]>> = {
  // Ids come from candidates that were narrowed to what may be read.
  chunks: ['search/lexical.ts', 'search/search.ts', 'memory/gate/word-hits.ts', 'memory/wiki/similar-facts.ts'],
  // Asked by a path that was located through the view; calibration is the operator's.
  chunksOf: ['operations/document-text.ts', 'memory/calibrate/read-samples.ts'],
  noteVectorOf: ['memory/calibrate/read-samples.ts', 'memory/gate/similar.ts'],
  embeddedChunksOf: ['memory/calibrate/read-samples.ts'],
  // Narrowed by the rules of who asks.
  indexedFolders: ['operations/search.ts'],
  noteNamesIn: ['memory/gate/up-to-date.ts'],
  supersededRows: ['operations/superseded-by.ts', 'operations/built-in-checks.ts', 'operations/consolidate.ts'],
  // The whole graph, from which each caller's own is made; built-in checks are the operator's.
  noteChanges: ['links/note-rows.ts', 'operations/changed-notes.ts'],
  quarantined: ['links/current-graph.ts', 'operations/built-in-checks.ts'],
  textlessDocuments: ['operations/built-in-checks.ts'],
  failedChunks: [],
  documentsLacking: [],
  fileHistory: [],
  linkingFiles: [],
};

function served(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ isTest, path }) => !isTest && path.startsWith(`${A}/`));
}

function nameOf(node: { type: string; name?: unknown; value?: unknown }): unknown {
  return node.type === 'Literal' ? node.value : node.name;
}

/** `vault.whole`, or `{ whole }` taken out of a vault. */
function takesWholeVault({ program }: SourceFile): boolean {
  let found = false;
  const isVault = (node: { type: string; name?: unknown; property?: { type: string; name?: unknown } }): boolean =>
    node.type === 'Identifier'
      ? node.name === 'vault'
      : node.type === 'MemberExpression' && node.property !== undefined && nameOf(node.property) === 'vault';
  new Visitor({
    MemberExpression({ object, property }) {
      found ||= nameOf(property) === 'whole' && isVault(object);
    },
    VariableDeclarator({ id, init }) {
      if (init === null || id.type !== 'ObjectPattern' || !isVault(init)) return;
      found ||= id.properties.some((one) => one.type === 'Property' && nameOf(one.key) === 'whole');
    },
  }).visit(program);
  return found;
}

function callsOf({ program }: SourceFile): { readonly functions: Set<unknown>; readonly methods: Set<unknown> } {
  const [functions, methods] = [new Set<unknown>(), new Set<unknown>()];
  new Visitor({
    CallExpression({ callee }) {
      if (callee.type === 'Identifier') functions.add(callee.name);
      if (callee.type !== 'MemberExpression') return;
      const { object, property } = callee;
      const of = object.type === 'MemberExpression' ? object.property : object;
      if (['Identifier', 'PrivateIdentifier'].includes(of.type) && nameOf(of) === 'reader')
        methods.add(nameOf(property));
    },
  }).visit(program);
  return { functions, methods };
}

export const reachesAroundNoView: Rule = (files) =>
  served(files).flatMap((file) => {
    const { functions, methods } = callsOf(file);
    const broken: string[] = [];
    if (takesWholeVault(file) && !(file.path in WHOLE_VAULT)) {
      broken.push(`${file.path} takes the whole vault, of which its caller may see a part`);
    }
    for (const [maker, of] of MAKING) {
      const isImported = file.imports.some(({ target }) => target === `packages/shared/src/${of}`);
      if (isImported && functions.has(maker) && !(file.path in MAKERS)) {
        broken.push(`${file.path} calls ${maker}; operations work on what they are given`);
      }
    }
    for (const [method, places] of Object.entries(ANSWERS_BY_ITSELF)) {
      if (methods.has(method) && !places.includes(file.path.slice(A.length + 1))) {
        broken.push(`${file.path} asks the index for ${method}, which knows nothing of what its caller may read`);
      }
    }
    return broken;
  });
