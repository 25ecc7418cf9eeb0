// The typed client: its types are what openapi.yaml makes, what fits the contract compiles, and what does not is found
// by the compiler before any server sees it.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DryRunAnswer } from '@vault-mcp/api/memory/types';
import type { NoteWriteAnswer } from '@vault-mcp/api/operations/change-note';
import type { ConsolidateAnswer } from '@vault-mcp/api/operations/consolidate';
import type { FolderCreated } from '@vault-mcp/api/operations/create-folder';
import type { DeletionAnswer } from '@vault-mcp/api/operations/delete-entry';
import type { FolderDeletionAnswer } from '@vault-mcp/api/operations/delete-folder';
import type { DescribedChecks } from '@vault-mcp/api/operations/describe-checks';
import type { CalloutList } from '@vault-mcp/api/operations/list-callouts';
import type { DiscardList } from '@vault-mcp/api/operations/list-discards';
import type { ExpiryList } from '@vault-mcp/api/operations/list-expiries';
import type { MoveAnswer } from '@vault-mcp/api/operations/move-entry';
import type { PatchNoteAnswer } from '@vault-mcp/api/operations/patch-note';
import type { RestoreAnswer } from '@vault-mcp/api/operations/restore-discard';
import type { MaintenanceRun } from '@vault-mcp/api/operations/run-maintenance';
import type { DiscardAnswer } from '@vault-mcp/api/operations/show-discard';
import type { StatusBody } from '@vault-mcp/api/operations/status';
import type { WikiAppendAnswer } from '@vault-mcp/api/operations/wiki-append';
import type { WikiIngestAnswer } from '@vault-mcp/api/operations/wiki-ingest';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { ROOT } from '../support/doc-pages.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import type { Schemas } from '../typed-client/client.ts';
import { generatedTypes } from '../typed-client/generated-types.ts';

const TYPED_CLIENT = join(ROOT, 'test/typed-client');

it('the types are those of openapi.yaml', async () => {
  await expect(await generatedTypes()).toMatchFileSnapshot(join(TYPED_CLIENT, 'openapi.ts'));
});

/** What the operations answer, against what the document says they do. Held by the type check, not by running. */
interface Answers {
  NoteWritten: NoteWriteAnswer;
  NotePatched: PatchNoteAnswer;
  EntryDeleted: DeletionAnswer;
  FolderCreated: FolderCreated;
  FolderDeleted: FolderDeletionAnswer;
  Moved: MoveAnswer;
  Status: StatusBody;
  ExpiryList: ExpiryList;
  CalloutList: CalloutList;
  Consolidation: ConsolidateAnswer;
  DiscardList: DiscardList;
  Discard: DiscardAnswer;
  ProposalTried: DryRunAnswer;
  ProposalShown: Extract<RestoreAnswer, { status: 'decide' }>;
  ProposalDone: Extract<RestoreAnswer, { status: 'done' }>;
  /** With the block that is rendered of it. */
  MaintenanceRun: MaintenanceRun & { markdown: string };
  DescribedChecks: DescribedChecks;
  WikiAppended: WikiAppendAnswer;
  WikiIngested: WikiIngestAnswer;
}

/** Without `readonly`, `undefined` and the mark of a checked path, which no JSON has. */
type Plain<T> = T extends readonly (infer E)[]
  ? Plain<E>[]
  : T extends VaultPath
    ? string
    : T extends object
      ? { -readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> }
      : T;

it('an operation answers what the document describes, each field of it', () => {
  expectTypeOf<Plain<Answers>>().toExtend<Pick<Schemas, keyof Answers>>();
  expectTypeOf<{ [N in keyof Answers]: keyof Answers[N] }>().toEqualTypeOf<{
    [N in keyof Answers]: keyof Schemas[N];
  }>();
});

const NOTE = "params: { path: { path: 'Garden/Pear tree.md' } }";

const FITTING: [string, string][] = [
  [
    'a note read as it is',
    `const { data } = await client.GET('/vault/{path}', { ${NOTE} }); if (data && 'tags' in data) data.tags.length;`,
  ],
  ['a new note', `await client.PUT('/vault/{path}', { ${NOTE}, ...markdown('# Pear tree') });`],
  [
    'a note on a condition',
    `await client.DELETE('/vault/{path}', { params: { path: { path: 'a.md' }, header: { 'If-Match': '*' } } });`,
  ],
  [
    'a patch in JSON',
    `await client.PATCH('/vault/{path}', { ${NOTE}, body: { targetType: 'heading', target: 'Plan', operation: 'delete' } });`,
  ],
  [
    'a refusal told by its code',
    `const { error } = await client.GET('/search', { params: { query: { q: 'a' } } }); if (error?.code === 'not_ready') void 0;`,
  ],
  [
    'a move',
    `(await client.POST('/move', { body: { source: 'a.md', destination: 'b.md' } })).data?.left[0]?.reason.length;`,
  ],
];

/** And what the compiler has to name. */
const UNFITTING: [string, string, RegExp][] = [
  ['an unknown path', `await client.GET('/vaults/', {});`, /"\/vaults\/"/],
  ['a method that is not served', `await client.PUT('/search', {});`, /"\/search"/],
  ['a missing path', `await client.GET('/vault/{path}', {});`, /params/],
  ['a missing body', `await client.POST('/move', {});`, /body/],
  ['a misspelt field', `await client.POST('/move', { body: { source: 'a.md', destinaton: 'b.md' } });`, /destinaton/],
  [
    'a parameter of another type',
    `await client.GET('/search', { params: { query: { q: 'a', k: 'three' } } });`,
    /string/,
  ],
  [
    'a value that is none of those there are',
    `await client.GET('/search', { params: { query: { q: 'a', kind: 'image' } } });`,
    /"image"/,
  ],
  [
    'an operation that no patch knows',
    `await client.PATCH('/vault/{path}', { ${NOTE}, body: { targetType: 'body', operation: 'insert' } });`,
    /"insert"/,
  ],
  [
    'a field that no answer has',
    `(await client.POST('/move', { body: { source: 'a', destination: 'b' } })).data?.moved;`,
    /moved/,
  ],
  [
    'an answer taken for certain',
    `(await client.GET('/search', { params: { query: { q: 'a' } } })).data.results;`,
    /possibly 'undefined'/,
  ],
  [
    'a code that is not in the table',
    `const { error } = await client.GET('/search', { params: { query: { q: 'a' } } }); if (error?.code === 'missing') void 0;`,
    /"missing"/,
  ],
];

describe('to the compiler', () => {
  let errorsIn: (program: number) => string[];

  beforeAll(async () => {
    const folder = await createTempFolder('typed-client');
    const client = JSON.stringify(join(TYPED_CLIENT, 'client.ts'));
    const head = `import { createVaultClient, markdown } from ${client};\nconst client = createVaultClient('', 'key');\n`;
    const programs = [...FITTING, ...UNFITTING].map(([, code]) => `${head}void markdown;\n${code}\n`);
    for (const [at, text] of programs.entries()) writeFileSync(join(folder.path, `program-${at}.mts`), text);
    const config = {
      extends: join(ROOT, 'tsconfig.test.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')], rewriteRelativeImportExtensions: false },
      include: ['*.mts'],
    };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    await folder.remove();
    // A message may go on, indented, on the lines below its first.
    const errors = stdout.split(/\n(?=\S)/);
    errorsIn = (program) => errors.filter((error) => error.startsWith(`program-${program}.mts(`));
    expect(errors.filter((error) => error !== '' && !error.startsWith('program-'))).toEqual([]);
  });

  it.each(FITTING.map(([name], at) => [name, at] as const))('%s is right', (_name, at) => {
    expect(errorsIn(at)).toEqual([]);
  });

  it.each(UNFITTING.map(([name, , names], at) => [name, names, FITTING.length + at] as const))(
    '%s is wrong, and named',
    (_name, names, at) => {
      expect(errorsIn(at).join('\n')).toMatch(names);
    },
  );
});
