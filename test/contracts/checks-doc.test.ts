// docs/checks.md against what it tells of: the checks and codes there are, and the example, which is run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_CHECKS } from '@vault-mcp/api/checks/built-in/descriptions';
import { VaultScripts } from '@vault-mcp/api/checks/scripts/vault-scripts';
import { describe, expect, it } from 'vitest';
import { codeOf, page, ROOT, rowsOf } from '../support/doc-pages.ts';

const PAGE = page('docs/checks.md');
const EXAMPLES = join(ROOT, 'examples/vault/.scripts');
const FINDINGS = join(ROOT, 'apps/api/src/checks/built-in');

describe('docs/checks.md', () => {
  const rows = rowsOf(PAGE, '## What comes with the program');

  it('lists every check of the program, in order', () => {
    expect(rows.map(([name]) => name)).toEqual(BUILT_IN_CHECKS.map(({ name }) => `\`${name}\``));
  });

  it('lists every code of a finding, and no other', () => {
    const sources = readdirSync(FINDINGS)
      .filter((name) => name.endsWith('-findings.ts'))
      .map((name) => readFileSync(join(FINDINGS, name), 'utf8'))
      .join('\n');
    const made = new Set(
      [...sources.matchAll(/(?:findingId|about|placed)\(\s*'([a-z_]+)'/g)].map(([, code = '']) => `\`${code}\``),
    );
    const listed = rows.flatMap(([, finds = '']) => finds.match(/`[a-z]+(_[a-z]+)*`/g) ?? []);
    expect([...made].toSorted()).toEqual(listed.filter((code) => !['`index.ignore`'].includes(code)).toSorted());
  });

  it('shows the example as it is', () => {
    const [name = '', ...more] = readdirSync(EXAMPLES);
    expect(more).toEqual([]);
    expect(codeOf(PAGE)).toContain(readFileSync(join(EXAMPLES, name), 'utf8'));
  });

  it('shows an example that keeps to the contract', async () => {
    const scripts = new VaultScripts({ root: join(ROOT, 'examples/vault') });
    const { results, others } = await scripts.check({ run: true, timeZone: 'UTC', secrets: [] });
    expect([results, others]).toMatchObject([
      [
        {
          ...{ file: 'contracts.py', status: 'findings', exitCode: 0, breach: null, stderr: '' },
          findings: [{ code: 'contract_without_end', path: 'Household/Broadband.md' }],
        },
      ],
      [],
    ]);
  });
});
