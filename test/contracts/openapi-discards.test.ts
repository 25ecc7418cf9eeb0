// What openapi.yaml says of discards, against the running server: each status of each operation is answered, down to the
// fields of the bodies.
import { AppError } from '@vault-mcp/shared/errors';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appWith, CALLER, contractChecks, failing, JSON_BODY, pathOf } from '../support/contract-checks.ts';
import { discarded } from '../support/discarding-vault.ts';
import { readOperations } from '../support/openapi.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const FILES = { 'Garden/Pear tree.md': '# Pear tree\n\nPrune in February.\n', 'Call.md': '# Call Ruth\n' };
const { operations, check, unanswered } = contractChecks(
  (await readOperations()).filter(({ path }) => path.startsWith('/memory/discards')),
);
const JSON_ACCEPT = { accept: 'application/json' };
const RESTORE = { method: 'POST', headers: { ...CALLER, ...JSON_BODY } };

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault(FILES, { 'gate.distance_ceiling': 0.4, 'gate.bm25_ceiling': -1 });
  await discardSome(served.context);
});
afterAll(() => served.close());

/** A restored one, one with all that an entry can have, two to restore: one like a note that is there, and one unlike. */
async function discardSome({ discards }: ServedVault['context']): Promise<void> {
  const seen = [{ path: 'Garden/Pear tree.md', etag: 'e' }];
  await discards.append({ ...discarded('a'), source: 'chat 7', seen, decision: { action: 'discard' } });
  await discards.append({
    ...{ id: 'b', kind: 'replaced', agent: 'claude' },
    note: { path: 'Call.md', etag: 'e', text: 'old' },
  });
  const like = { title: 'Pear tree', body: 'Prune in February. Prune in February.' };
  await discards.append(discarded('c', { candidate: like }));
  await discards.append(discarded('d', { candidate: { title: 'Quince jelly', body: 'It sets with pectin.' } }));
  await discards.markRestored(1, 'Garden/Tea.md');
}

const CASES: [string, number, string, RequestInit][] = [
  ['listDiscards', 200, '/memory/discards?limit=1', { headers: JSON_ACCEPT }],
  ['listDiscards', 200, '/memory/discards', {}],
  ['listDiscards', 400, '/memory/discards?limit=0', {}],
  ['listDiscards', 400, '/memory/discards?cursor=x', {}],
  ['showDiscard', 200, '/memory/discards/1', { headers: JSON_ACCEPT }],
  ['showDiscard', 200, '/memory/discards/2', { headers: JSON_ACCEPT }],
  ['showDiscard', 200, '/memory/discards/1', {}],
  ['showDiscard', 400, '/memory/discards/one', {}],
  ['showDiscard', 404, '/memory/discards/6', {}],
  ['restoreDiscard', 200, '/memory/discards/3/restore', { method: 'POST' }],
  ['restoreDiscard', 200, '/memory/discards/4/restore', { method: 'POST', headers: JSON_BODY, body: '{}' }],
  ['restoreDiscard', 400, '/memory/discards/1/restore', { method: 'POST' }],
  ['restoreDiscard', 400, '/memory/discards/one/restore', { method: 'POST' }],
  ['restoreDiscard', 404, '/memory/discards/6/restore', { method: 'POST' }],
];

describe('what openapi.yaml describes of discards', () => {
  it.each(CASES)('%s is answered with %i at %s', async (id, status, path, init) => {
    await check(id, status, await served.get(path, init));
  });

  it.each(operations.map((each) => [each.id, each] as const))(
    '%s is not answered without the key, nor to a page of another site',
    async (id, each) => {
      const { method } = each;
      await check(id, 401, await fetch(served.url + pathOf(each), { method }));
      await check(id, 403, await served.get(pathOf(each), { method, headers: { origin: 'null' } }));
    },
  );

  it.each(operations.map((each) => [each.id, each] as const))('%s hides what went wrong inside', async (id, each) => {
    const broken = appWith({ ...served.context, discards: failing() });
    const answer = await broken.request(pathOf(each), { method: each.method, headers: CALLER });
    expect(await answer.clone().text()).not.toMatch(/ENOSPC|private/);
    await check(id, 500, answer);
  });

  it.each([
    ['locked', 409],
    ['insufficient_storage', 507],
  ] as const)('restoreDiscard is answered with %s where nothing can be recorded', async (code, status) => {
    const begin = () => {
      throw new AppError(code, 'As the store of proposals says it: try again.');
    };
    const { proposals } = served.context;
    const others = { unsettled: () => [], expired: () => [], answersSince: () => [] };
    const app = appWith({ ...served.context, proposals: { ...proposals, ...others, begin } });
    await check('restoreDiscard', status, await app.request('/memory/discards/2/restore', RESTORE));
  });

  it('restoreDiscard says that there is no index yet', async () => {
    const app = appWith({ ...served.context, reader: openIndexReader('/nonexistent/index.db') });
    await check('restoreDiscard', 503, await app.request('/memory/discards/2/restore', RESTORE));
  });

  it('was answered with every status it lists', () => {
    expect(unanswered()).toEqual([]);
  });
});

describe('a proposal that nobody decided in time', () => {
  it.each([
    ['listed', ''],
    ['shown', '/7'],
  ])('is among the discards when they are %s, though nobody has proposed anything since', async (_how, path) => {
    const { discards, proposals } = served.context;
    const before = (await discards.stats()).count;
    const candidate = { title: `Tea ${path}`, type: 'fact', namespace: '', body: 'At four.', frontmatter: {} };
    const { row } = proposals.begin({
      kind: 'propose',
      agent: 'claude',
      request: candidate,
      candidateHash: `h${path}`,
    });
    proposals.offer(row.id, { seen: [], expiresMs: 1, again: false });
    expect((await served.get(`/memory/discards${path}`, { headers: JSON_ACCEPT })).status).toBeLessThan(405);
    expect((await discards.stats()).count).toBe(before + 1);
    const { entries } = await discards.list({ limit: 1 });
    expect(entries).toMatchObject([{ kind: 'expired', title: candidate.title }]);
  });
});
