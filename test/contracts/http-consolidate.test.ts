// POST /memory/consolidate on a served vault: what a stranger sends, what comes back in either form, what it leaves in the
// vault, in the records and in the history, and that each form of it is what openapi.yaml says.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsolidateAnswer } from '@vault-mcp/api/operations/consolidate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CEILING, FILES, MERGE, NAMES } from '../support/consolidation-suite.ts';
import { contractChecks, JSON_BODY } from '../support/contract-checks.ts';
import { examplesOf, readOperations } from '../support/openapi.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const { check, operation } = contractChecks(await readOperations());

let served: ServedVault;
const changes: unknown[] = [];
beforeEach(async () => {
  changes.length = 0;
  const record = (change: unknown) => void changes.push(change);
  served = await serveVault(FILES, {}, { parts: { history: { record } } });
});
afterEach(() => served.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  served.get('/memory/consolidate', {
    method: 'POST',
    headers: { ...JSON_BODY, accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const note = (path: string) => readFile(join(served.vaultPath, path), 'utf8');

describe('consolidation over REST', () => {
  it('shows the clusters as text to whoever asks for no other form', async () => {
    const answer = await post({ ceiling: CEILING }, { accept: '*/*' });
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(/^Compared 7 notes, and 1 superseded left out: 2 clusters within 0\.3 of one another\.\n/);
    expect(text).toMatch(/\n3 notes in House, at most 0\.\d{3} apart:\n {2}House\/boiler again\.md \| boiler again\n/);
    expect(text).toMatch(/\nTo make each cluster one note: "write": true/);
  });

  it('merges what it is sent, and tells what it could not merge, each as openapi.yaml says', async () => {
    const other = { ...MERGE, members: ['House/apples.md', 'House/garden.md'] };
    const answer = await post({ ceiling: CEILING, write: true, merges: [MERGE, other] }, { 'x-vault-source': 'curl' });
    await check('consolidate', 200, answer.clone());
    const said = (await answer.json()) as ConsolidateAnswer;
    expect(said).toMatchObject({ dry_run: false, remaining: 1, reindex: 'queued' });
    expect(said.errors).toMatchObject([{ code: 'invalid_value', members: other.members }]);
    expect(await note('House/boiler-2.md')).toContain('Serviced in May, thrice.');
    for (const path of NAMES) expect(await note(path)).toContain('superseded_by: "[[House/boiler-2]]"');
    expect(changes).toMatchObject([{ operation: 'consolidate', agent: 'operator', source: 'curl' }]);
    const [row] = served.context.audit.read({ limit: 1 });
    expect(row).toMatchObject({ surface: 'rest', operation: 'consolidate', outcome: 'ok' });
  });

  it('takes as many merges as it allows, as long as a text may be', async () => {
    const body = 'ü'.repeat(30_000);
    const merges = Array.from({ length: 50 }, (_, n) => ({ members: [`${n}.md`, 'x.md'], title: `T ${n}`, body }));
    const said = (await (await post({ ceiling: CEILING, write: true, merges })).json()) as ConsolidateAnswer;
    expect(said.errors).toHaveLength(50);
  });

  it('takes each request that openapi.yaml shows', async () => {
    const shown = examplesOf(operation('consolidate').request);
    expect(shown).toHaveLength(2);
    for (const { value } of shown) await check('consolidate', 200, await post(value));
  });

  it.each([
    ['no ceiling', {}, /ceiling/],
    ['a merge of one note', { ceiling: 0.1, merges: [{ ...MERGE, members: ['a.md'] }] }, /members/],
    [
      'a member that is neither',
      { ceiling: 0.1, merges: [{ ...MERGE, members: ['a.md', 1] }] },
      /a path, or \{path, etag\}/,
    ],
    ['a wish to write where nobody merges', { ceiling: 0.1, write: true }, /gate\.model/],
  ])('refuses %s and says what to send', async (_what, body, message) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: expect.stringMatching(message) });
  });
});
