// What openapi.yaml says of one-fact writes and proposals, against what the running server answers to each way they can end.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contractChecks, isWrite, JSON_BODY } from '../support/contract-checks.ts';
import { readOperations } from '../support/openapi.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const FACT = { slug: 'Pear tree', content: 'It bears fruit in September' };
const TEA = { title: 'Tea at five', type: 'preference', namespace: 'Garden', body: 'Tea is at five, says Ada.' };

const { check } = contractChecks((await readOperations()).filter(isWrite));

/** That find what shares most of its words. */
const CEILINGS = { 'gate.distance_ceiling': 0.6, 'gate.bm25_ceiling': -50 };

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault({ 'Garden/Pear tree.md': '# Pear tree\n' }, CEILINGS);
});
afterAll(() => served.close());

const json = (method: string, body: unknown): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: JSON_BODY,
});

it('a fact is answered as openapi.yaml says, whatever becomes of it', async () => {
  const put = (fact: object) => served.get('/wiki/append', json('POST', fact));
  const said: Response[] = [];
  for (const fact of [
    FACT,
    FACT,
    { ...FACT, content: `${FACT.content} and October` },
    { ...FACT, content: `${FACT.content} and October`, on_refine: 'replace' },
    { ...FACT, slug: 'Pear trees' },
  ]) {
    said.push(await put(fact));
  }
  const statuses = await Promise.all(
    said.map(async (answer) => ((await answer.clone().json()) as { status: string }).status),
  );
  expect(statuses).toEqual(['created', 'same', 'refines', 'replaced', 'candidates']);
  for (const answer of said) await check('wikiAppend', 200, answer);
});

it('a proposal is answered as openapi.yaml says, whatever becomes of it', async () => {
  const put = async (more: object = {}) => {
    const answer = await served.get('/memory/propose', json('POST', { ...TEA, ...more }));
    await check('propose', 200, answer.clone());
    return [
      answer,
      (await answer.json()) as { status: string; action?: string; token?: string; path?: string },
    ] as const;
  };
  const [made, { path: target }] = await put();
  const etag = /^"([0-9a-f]{64})"$/.exec(made.headers.get('etag') ?? '')?.[1];
  expect(etag).toBeDefined();
  const said = [];
  for (const [title, decision] of [
    ['More tea', { action: 'update', target, append: 'With milk.' }],
    ['Once more', { action: 'discard', reason: 'It is there.' }],
    ['Tea at six', { action: 'supersede', target }],
  ] as const) {
    const [, { status, token }] = await put({ title });
    const [, tried] = await put({ title, decision, dry_run: true });
    const [, { action }] = await put({ title, token, decision });
    said.push([status, tried.status, tried.action, action]);
  }
  expect(said).toEqual(['update', 'discard', 'supersede'].map((action) => ['decide', 'dry_run', action, action]));
});

it.each([
  ['/memory/propose', () => TEA],
  ['/wiki/append', () => FACT],
  ['/wiki/ingest', () => ({ filename: 'a.txt', content: 'x' })],
  ['/memory/consolidate', () => ({ ceiling: 0.1 })],
  ['/memory/discards/1/restore', () => ({})],
])('If-Match is refused by its name where %s has no version to ask for', async (path, body) => {
  const { headers, ...sent } = json('POST', body());
  const answer = await served.get(path, { ...sent, headers: { ...(headers as object), 'if-match': '"e"' } });
  expect(answer.status).toBe(400);
  const { error } = (await answer.json()) as { error: string };
  expect(error).toMatch(/leave If-Match out\.$/);
  expect(error).not.toContain('expected_etag');
});
