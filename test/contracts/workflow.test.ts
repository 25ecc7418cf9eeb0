/**
 * The workflow for GitHub's machines, which cannot run here, held to what it repeats: the checks of .ci/run, the programs
 * that tests drive, the Node versions that are supported. That it is a workflow at all, its schema says here, and actionlint
 * where there is Go (.ci/run, and the workflow itself).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { page, ROOT } from '../support/doc-pages.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly steps: readonly Step[];
}

const FILE = '.github/workflows/ci.yml';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const workflow = parse(read(FILE)) as { permissions: object; jobs: Record<string, Job> };
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.flatMap(({ run = '' }) => run.replaceAll(/\\\n\s*/g, '').split('\n')).map((each) => each.trim());
const manifest = JSON.parse(read('package.json')) as { engines: { node: string }; scripts: Record<string, string> };

/** `20.19.0` as a number that compares, missing parts counting as 0. */
function comparable(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major * 1e6 + minor * 1e3 + patch;
}

describe('the workflow', () => {
  it('is one, by the schema of workflows', () => {
    expect(validateWorkflow(read(FILE))).toEqual({ actionType: 'workflow', errors: [] });
  });

  it.each([
    ['a misspelt key of a job', 'runs-on: ubuntu', 'run-on: ubuntu'],
    ['a misspelt key of a step', '- run: npm run lint', '- rum: npm run lint'],
    ['a right that there is not', 'contents: read', 'contents: reed'],
    ['minutes that are no number', 'timeout-minutes: 60', 'timeout-minutes: soon'],
    ['a job to wait for that there is not', 'timeout-minutes: 60', 'needs: nobody\n    timeout-minutes: 60'],
    ['a step’s indentation lost', '      - run: npm run lint', '    - run: npm run lint'],
  ])('would not be one with %s', (_what, right, wrong) => {
    const broken = read(FILE).replace(right, wrong);
    expect(broken).not.toBe(read(FILE));
    expect(validateWorkflow(broken).errors).not.toEqual([]);
  });

  it('runs every check that .ci/run does', () => {
    const checks = [
      ...read('.ci/run')
        .replaceAll(/ \\\n\s*/g, ' ')
        .matchAll(/^\s*(?:TEST_[A-Z]+=1 )?(?:check|count_tests) "[^"]+" (.+)$/gm),
    ];
    const asked = checks.map(([, command = '']) => command.replace(/ --silent| --(?: "\$@")?$/g, '').trim());
    // Functions of that file: what its comments say they run.
    const stand = {
      build_tools: 'npm ci',
      boot: 'npm start --',
      conformance: 'npm run conformance',
      lint_workflow: 'go run github.com/rhysd/actionlint',
    };
    expect(asked).toEqual(expect.arrayContaining(Object.keys(stand)));
    for (const check of asked) {
      const command = stand[check as keyof typeof stand] ?? check;
      expect(
        commands.filter((each) => each.includes(command)),
        check,
      ).not.toEqual([]);
    }
  });

  it('runs npm scripts and commands that are there', () => {
    const scripts = commands.flatMap((each) =>
      [...each.matchAll(/\bnpm (?:run )?([a-z:]+)/g)].map(([, name = '']) => name),
    );
    expect(scripts.filter((name) => name !== 'ci' && !(name in manifest.scripts))).toEqual([]);
    const tools = commands.flatMap((each) => [...each.matchAll(/\bnpx ([a-z-]+)/g)].map(([, name = '']) => name));
    expect(tools.length).toBeGreaterThan(1);
    expect(tools.filter((name) => !existsSync(join(ROOT, 'node_modules/.bin', name)))).toEqual([]);
  });

  it('runs the oldest Node that is supported, and 24', () => {
    const oldest = manifest.engines.node.replace('>=', '');
    const matrix = workflow.jobs.test?.strategy?.matrix.node ?? [];
    expect(matrix).toEqual([oldest.replace(/\.0$/, ''), '24']);
    const fixed = steps.map((step) => step.with?.['node-version']).filter((each) => /^\d/.test(each ?? ''));
    for (const version of fixed) expect(comparable(version ?? '')).toBeGreaterThanOrEqual(comparable(oldest));
  });

  it('installs what prepare-machine.mjs asks for', () => {
    const lists = [...read('test/support/prepare-machine.mjs').matchAll(/packages: \[([^\]]+)\]/g)];
    const needed = lists.flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name));
    const installed = commands
      .filter((each) => each.includes('apt-get'))
      .join(' ')
      .split(/\s+/);
    expect(needed.length).toBeGreaterThan(5);
    expect(installed).toEqual(expect.arrayContaining(needed));
  });

  it('tests the images where a Docker engine is', () => {
    const withContainers = steps.filter((step) => step.env?.TEST_CONTAINERS === '1');
    expect(withContainers.map(({ run }) => run)).toEqual(['npx vitest run']);
  });

  it('may read the repository and nothing else, knows no secret, and ends', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(read(FILE)).not.toContain('secrets.');
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((each) => !/^actions\/(checkout|setup-node)@v\d+$/.test(each))).toEqual([]);
  });

  it('is checked by the version of actionlint that CONTRIBUTING.md names', () => {
    const [tool] = /github\.com\/rhysd\/actionlint\/cmd\/actionlint@v[\d.]+/.exec(read(FILE)) ?? [];
    expect(tool).toBeDefined();
    expect(page('CONTRIBUTING.md').text).toContain(`go run ${tool}`);
    expect(read('.ci/run')).toContain(`go install ${tool}`);
  });
});
