// docs/memory.md on the write gate, held to it: the decisions and fall backs it lists, and its example, which is run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDS } from '@vault-mcp/shared/records/record-set';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { JSON_BODY } from '../support/contract-checks.ts';
import { page, ROOT, rowsOf } from '../support/doc-pages.ts';
import { serveVault } from '../support/served-vault.ts';

const PAGE = page('docs/memory.md');
const HEADING = '## The write gate';
const { schemas } = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8')).components;

/** What is sent, and what is shown of the answer. */
function examples(): { sent: Record<string, unknown>; shown: string }[] {
  const [, chapter = ''] = PAGE.text.split(`${HEADING}\n`);
  const [own = ''] = chapter.split(/^## /m);
  const calls = [...own.replaceAll(`'$TOKEN'`, 'TOKEN').matchAll(/^\$ propose '([^']*)'\n([\s\S]*?)^```$/gm)];
  return calls.map(([, sent = '', shown = '']) => ({ sent: JSON.parse(sent), shown: shown.replaceAll(/\n/g, '') }));
}

/** The texts of an answer, but for those that are cut short or another each time. */
function textsOf(shown: string): [string, string][] {
  const pairs = [...shown.matchAll(/"(\w+)":"([^"]*)"/g)].map(([, key = '', value = '']): [string, string] => [
    key,
    value,
  ]);
  return pairs.filter(([key, value]) => !value.includes('…') && key !== 'expires_at');
}

describe('what is said of the data folder', () => {
  it.each([
    ['README.md', '## Where data lives'],
    ['docs/memory.md', '## What to back up'],
  ])('names in %s every record that no rebuild brings back', (path, heading) => {
    const files = rowsOf(page(path), heading).map(([first = '']) => first.replaceAll('`', ''));
    // The discards stand in the vault.
    for (const { record } of RECORDS.filter(({ record }) => record !== 'discards')) {
      expect(files.filter((file) => file.startsWith(record))).toHaveLength(1);
    }
  });
});

describe('docs/memory.md on the write gate', () => {
  it('lists every decision and every reason to fall back, and no other', () => {
    const rows = rowsOf(PAGE, HEADING).map(([first = '']) => first);
    const { action } = schemas.Decision.properties;
    const reasons = schemas.ProposalDone.properties.fell_back.enum.filter((reason: string | null) => reason !== null);
    const listed = rows
      .filter((row) => row.startsWith('`') && row !== '`fell_back`')
      .map((row) => row.replaceAll('`', ''));
    expect(listed.filter((one) => action.enum.includes(one))).toEqual(action.enum);
    expect(listed.filter((one) => !action.enum.includes(one)).toSorted()).toEqual(reasons.toSorted());
  });

  it('shows calls that are answered as shown', async () => {
    const served = await serveVault(
      { 'Home.md': '# Home\n' },
      { 'gate.distance_ceiling': 0.3, 'gate.bm25_ceiling': -36 },
    );
    try {
      let token = '';
      const calls = examples();
      expect(calls).toHaveLength(3);
      for (const { sent, shown } of calls) {
        const body = JSON.stringify({ ...sent, ...(sent.token !== undefined && { token }) });
        const answer = await served.get('/memory/propose', { method: 'POST', headers: JSON_BODY, body });
        const text = await answer.text();
        const said = JSON.parse(text);
        token = said.token ?? token;
        expect(textsOf(shown).length).toBeGreaterThan(2);
        for (const [key, value] of textsOf(shown)) expect(text).toContain(`"${key}":"${value}"`);
        expect(Object.keys(said).filter((key) => shown.includes(`"${key}"`)).length).toBeGreaterThan(3);
      }
    } finally {
      await served.close();
    }
  });
});
