// Every built-in check over a real vault with a real index, each with a file that triggers it; and scripts beside them.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asVault } from '../../../../test/support/as-vault.ts';
import { type IndexedVault, indexVault } from '../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import { BUILT_IN_CHECKS } from '../checks/built-in/descriptions.ts';
import type { OperationContext } from '../context.ts';
import { describeChecks } from './describe-checks.ts';
import { type CheckResult, type MaintenanceRun, runMaintenance } from './run-maintenance.ts';

const PROSE = Array.from({ length: 30 }, (_, n) => `The pump was serviced in year ${n}, and the filter changed.`).join(
  '\n',
);

const FILES = {
  'Home.md': '[[Plan]] [[Nowhere]] [[Nowhere]] [[Roof]] [x](gone.png)\n',
  'Plan.md': '# Plan\n\n## Log\n\n## log\n\n[[Home]] ![[used.pdf]]\n',
  'House/Roof.md': 'See [[Home]].\n',
  'Garden/Roof.md': 'See [[Home]].\n',
  'Alone.md': 'Nobody knows me.\n',
  'Bad yaml.md': '---\ntitle: [\n---\n[[Home]]\n',
  'Bad date.md': '---\nexpires: [2026-02-30, 2027-01-01, 2026-02-30]\n---\n[[Home]]\n',
  'Large.md': `[[Home]] ${'x'.repeat(5_000)}`,
  'Files/used.pdf': 'this is no PDF',
  'Files/unused.pdf': 'this is none either',
  'Is it?.md': '[[Home]]\n',
  'aux.md': '[[Home]]\n',
  'Café.md': '[[Home]]\n',
  'CAFÉ.md': '[[Home]]\n',
  'Plan.sync-conflict-20260101.md': 'A copy.\n',
  'Pump.md': `# Pump\n\n${PROSE}\n[[Home]]\n`,
  'Pump again.md': `# Pump\n\n${PROSE}\nOnce more.\n[[Home]]\n`,
  'Was/Gone.md': '---\nsuperseded_by: Was/Nowhere.md\n---\n[[Home]]\n',
  'Was/Two.md': '---\nsuperseded_by: Roof\n---\n[[Home]]\n',
  'Was/Self.md': '---\nsuperseded_by: "[[Was/Self]]"\n---\n[[Plan]]\n',
  'Was/One way.md': '---\nsuperseded_by: "[[Other way]]"\n---\n',
  'Was/Other way.md': '---\nsuperseded_by: "[[One way]]"\n---\n',
  'Stub A.md': 'To do. [[Home]]\n',
  'Stub B.md': 'To do. [[Home]]\n',
};

let vault: IndexedVault;
let context: OperationContext & { now(): Date };
beforeAll(async () => {
  vault = await indexVault({
    files: FILES,
    env: { NOTE_MAX_BYTES: '4000', DOC_OCR: 'false', MAINTENANCE_SCRIPTS: 'true' },
  });
  await vault.settled();
  context = { ...(await operationContext(vault)), now: () => new Date('2026-03-01T12:00:00Z') };
}, 60_000);
afterAll(() => vault.remove());

const run = (over: Partial<OperationContext> = {}) => runMaintenance({ ...context, ...over });
const named = ({ checks }: MaintenanceRun, name: string): CheckResult => {
  const found = checks.find((check) => check.name === name);
  if (found === undefined) throw new Error(`no check ${name}`);
  return found;
};
const brief = async (name: string) =>
  named(await run(), name).findings.map(({ code, severity, path, line }) =>
    [severity, code, `${path}${line === undefined ? '' : `:${line}`}`].join(' '),
  );

describe('each built-in check', () => {
  const EXAMPLES: [string, string[]][] = [
    [
      'links',
      [
        'warning broken_link Home.md:1',
        'warning broken_link Home.md:1',
        'warning broken_link Home.md:1',
        'warning ambiguous_link Home.md:1',
      ],
    ],
    ['frontmatter', ['error unusable_frontmatter Bad yaml.md']],
    ['expires', ['error bad_expires Bad date.md', 'error bad_expires Bad date.md']],
    ['headings', ['warning duplicate_heading Plan.md:3']],
    [
      'documents',
      [
        'warning document_without_text Files/unused.pdf',
        'warning document_without_text Files/used.pdf',
        'warning unlinked_document Files/unused.pdf',
      ],
    ],
    ['unreadable', ['error unreadable Large.md']],
    [
      'names',
      ['warning unportable_name Is it?.md', 'warning unportable_name aux.md', 'warning colliding_names CAFÉ.md'],
    ],
    ['conflict_copies', ['warning conflict_copy Plan.sync-conflict-20260101.md']],
    ['orphans', ['info orphan_note Alone.md']],
    ['near_duplicates', ['info near_duplicate Pump again.md']],
    [
      'superseded',
      ['dangling Was/Gone', 'cycle Was/One way', 'self Was/Self', 'ambiguous Was/Two'].map(
        (found) => `warning superseded_${found}.md`,
      ),
    ],
  ];

  it.each(EXAMPLES)('%s finds what is wrong, and nothing else', async (name, findings) => {
    expect(await brief(name)).toEqual(findings);
  });

  it('is tried here', () => {
    const tried = [...EXAMPLES.map(([name]) => name), 'script_contract'];
    expect(BUILT_IN_CHECKS.map(({ name }) => name)).toEqual(tried);
  });

  it('says of each finding what it is, and of most what to do', async () => {
    const { checks } = await run();
    for (const { findings } of checks) {
      for (const { message, fix } of findings)
        expect([message, fix]).toEqual([expect.stringMatching(/\.$|…$/), expect.any(String)]);
    }
    const messages = checks.flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages).toContain('[[Roof]] could mean House/Roof.md, Garden/Roof.md; Obsidian opens the first.');
    expect(messages).toContain('"Plan::Log" stands here 2 times (lines 3, 5), so the name means none of them.');
  });

  it('gives ids that are unique, and the same when lines have moved', async () => {
    const idsOf = ({ checks }: MaintenanceRun) => checks.flatMap(({ findings }) => findings.map(({ id }) => id)).sort();
    const before = await run();
    expect(new Set(idsOf(before)).size).toBe(idsOf(before).length);
    const moved: [string, string][] = [
      ['Home.md', `\n\nMore.\n\n${FILES['Home.md']}`],
      ['Plan.md', `Text.\n\n${FILES['Plan.md']}`],
      ['Bad date.md', FILES['Bad date.md'].replace('[2026-02-30, 2027', '[2025-01-01, 2026-02-30, 2027')],
    ];
    for (const [path, text] of moved) vault.put(path, text);
    await reindex();
    try {
      const after = await run();
      expect(idsOf(after)).toEqual(idsOf(before));
      expect(named(after, 'links').findings[0]?.line).toBe(5);
    } finally {
      for (const [path] of moved) vault.put(path, FILES[path as keyof typeof FILES]);
      await reindex();
    }
  });

  it('follows what is put right, at once where files are asked', async () => {
    vault.put('Bad yaml.md', '---\ntitle: Good\n---\n[[Home]]\n');
    await rm(join(vault.vaultPath, 'aux.md'));
    try {
      expect(await brief('frontmatter')).toEqual([]);
      expect(await brief('names')).not.toContain('warning unportable_name aux.md');
    } finally {
      for (const path of ['Bad yaml.md', 'aux.md'] as const) vault.put(path, FILES[path]);
      await reindex();
    }
  });

  it('is counted, all of it, whatever the answer holds', async () => {
    const { checks, counts, could_not_run } = await run();
    expect(named({ checks } as MaintenanceRun, 'links').counts).toEqual({ error: 0, warning: 4, info: 0 });
    expect([counts, could_not_run]).toEqual([{ error: 4, warning: 16, info: 2 }, 0]);
  });
});

describe('without an index', () => {
  it('what asks the files is checked, and the rest is said not to have been', async () => {
    const result = await run({ reader: openIndexReader(join(vault.base, 'no index.db')) });
    const status = Object.fromEntries(result.checks.map(({ name, status: each }) => [name, each]));
    expect(status).toEqual({
      ...{
        links: 'could_not_run',
        documents: 'could_not_run',
        orphans: 'could_not_run',
        near_duplicates: 'could_not_run',
      },
      ...{
        frontmatter: 'findings',
        expires: 'findings',
        headings: 'findings',
        unreadable: 'findings',
        names: 'findings',
      },
      ...{ conflict_copies: 'findings', script_contract: 'ok', superseded: 'could_not_run' },
    });
    expect(named(result, 'links').reason).toContain('There is no index yet');
    expect(result.could_not_run).toBe(5);
  });
});

describe('the scripts of the vault', () => {
  const self = (check: string, order: number) => ({
    schema: 2,
    check,
    title: `Check ${check}`,
    description: 'Ours.',
    order,
  });
  const finding = { id: 'a', code: 'ours', severity: 'error', path: 'Home.md', message: 'No.' };
  const script = (check: string, order: number, findings: object[], exit: number) =>
    [
      'import json, sys',
      `self = json.loads(${JSON.stringify(JSON.stringify(self(check, order)))})`,
      'if "--describe" in sys.argv: print(json.dumps(self)); sys.exit(0)',
      `print(json.dumps({**self, "findings": json.loads(${JSON.stringify(JSON.stringify(findings))})}))`,
      `sys.exit(${exit})`,
    ].join('\n');

  beforeAll(() => {
    vault.put('.scripts/first.py', script('first', 5, [finding], 1));
    vault.put('.scripts/liar.py', script('liar', 15, [finding], 0));
    vault.put('.scripts/twin.py', script('first', 25, [], 0));
    vault.put('.scripts/broken.mjs', 'throw new Error("oh no");');
    vault.put('.scripts/check_old.py', 'print("all is well")');
    vault.put('.scripts/tool.py', '');
  });
  afterAll(() => rm(join(vault.vaultPath, '.scripts'), { recursive: true }));

  it('stand among the checks, by the order that they say', async () => {
    const { checks, not_checks, scripts } = await run();
    const own = checks.filter(({ source }) => source === 'script');
    expect(own.map(({ name, file, order, status }) => [name, file, order, status])).toEqual([
      ['first', 'first.py', 5, 'findings'],
      ['liar', 'liar.py', 15, 'findings'],
      ['first', 'twin.py', 25, 'ok'],
      ['broken', 'broken.mjs', 1_000_000, 'could_not_run'],
      ['check_old', 'check_old.py', 1_000_000, 'legacy'],
    ]);
    expect(checks.slice(0, 3).map(({ name }) => name)).toEqual(['first', 'links', 'liar']);
    expect(own[0]).toEqual({
      ...{ name: 'first', title: 'Check first', description: 'Ours.', order: 5, source: 'script', file: 'first.py' },
      ...{ status: 'findings', reason: null, exit_code: 1, duration_ms: expect.any(Number), text: null, stderr: '' },
      degraded: [],
      ...{ counts: { error: 1, warning: 0, info: 0 }, findings: [finding] },
    });
    expect(own[3]?.stderr).toContain('oh no');
    expect(own[4]?.text).toBe('all is well\n');
    expect(not_checks).toEqual([{ file: 'tool.py', reason: 'it does not describe itself' }]);
    expect(scripts).toEqual({ run: true, reason: null, confined: expect.any(Boolean) });
  });

  it('are told when they call themselves what a check of the program is called', async () => {
    vault.put('.scripts/own.py', script('links', 30, [], 0));
    try {
      expect(await brief('script_contract')).toContain('warning script_name_taken .scripts/own.py');
    } finally {
      await rm(join(vault.vaultPath, '.scripts/own.py'));
    }
  });

  it('are held to their contract by a check of their own', async () => {
    expect(await brief('script_contract')).toEqual([
      'error script_could_not_run .scripts/broken.mjs',
      'info script_undescribed .scripts/check_old.py',
      'warning script_exit_code .scripts/liar.py',
      'warning script_name_taken .scripts/twin.py',
    ]);
    const advice = named(await run(), 'script_contract').findings.map(({ fix }) => fix);
    expect(new Set(advice).size).toBe(advice.length);
  });

  it('are described without being run', async () => {
    const { checks, not_checks } = await describeChecks(context);
    const own = checks.filter(({ source }) => source === 'script');
    expect(own.map(({ name, status, reason }) => [name, status, reason])).toEqual([
      ['first', 'described', null],
      ['liar', 'described', null],
      ['first', 'described', null],
      ['broken', 'could_not_run', 'asked to describe itself, it ended with 1'],
      ['check_old', 'legacy', 'it does not describe itself'],
    ]);
    expect(checks.filter(({ source }) => source === 'built-in').map(({ name }) => name)).toEqual(
      BUILT_IN_CHECKS.map(({ name }) => name),
    );
    expect(not_checks).toHaveLength(1);
  });

  it('that are switched off are said to be, also by the check of their contract', async () => {
    const config = { ...context.config, maintenance: { scripts: false as const } };
    const off = await run({ config });
    expect(off.scripts).toEqual({ run: false, reason: expect.stringContaining('switched off'), confined: null });
    expect(off.checks.every(({ source }) => source === 'built-in')).toBe(true);
    expect(named(off, 'script_contract')).toMatchObject({ status: 'could_not_run', reason: off.scripts.reason });
    expect((await describeChecks({ ...context, config })).scripts).toEqual(off.scripts);
  });

  it('in a folder that is no folder are none', async () => {
    const elsewhere = join(vault.base, 'elsewhere');
    await mkdir(elsewhere, { recursive: true });
    const off = await runMaintenance({ ...context, vault: asVault({ ...context.vault, root: elsewhere }) });
    expect(off.scripts).toEqual({ run: false, reason: 'the vault has no folder .scripts', confined: null });
    expect(named(off, 'script_contract').status).toBe('ok');
  });
});

/** Brings the index up to date with the disk. */
async function reindex(): Promise<void> {
  await vault.composed.indexer.build().run({ rebuild: false });
  await vault.settled();
}
