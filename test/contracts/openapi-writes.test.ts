// What openapi.yaml says of changing the vault, against the running server: each status of each of these operations is
// answered, down to the fields of the bodies, and each request it shows is taken.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { createVaultWriter, type VaultWriter } from '@vault-mcp/shared/vault/write';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  appWith,
  CALLER,
  contractChecks,
  failing,
  isWrite,
  JSON_BODY,
  NOTE,
  pathOf,
} from '../support/contract-checks.ts';
import { examplesOf, type Operation, readOperations } from '../support/openapi.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { fillVault } from '../support/vault-files.ts';

const PEAR = `---
type: plant
---
# Pear tree

Planted in February. ^when

# Plan

## Costs

- 10 for stakes
`;
const FILES = {
  'Garden/Pear tree.md': PEAR,
  'Garden/Orchard.md': '# Orchard\n\n[[Pear tree]] and [[Pear tree|the pear]].\n',
  'Garden/Beds/Herbs.md': '# Herbs\n',
  'Shelf.base': 'filters: file.name == "Pear tree"\nviews: "[[Pear tree]]"\n',
  'Files/scan.pdf': 'this is no PDF',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

const { operations, check, unanswered } = contractChecks((await readOperations()).filter(isWrite));

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault(FILES);
});
afterAll(() => served.close());
beforeEach(async () => {
  for (const name of await readdir(served.vaultPath)) await rm(join(served.vaultPath, name), { recursive: true });
  fillVault(served.vaultPath, FILES);
});

const TEXT = { 'content-type': 'text/markdown' };
const text = (method: string, body: string, headers: Record<string, string> = {}): RequestInit => ({
  ...{ method, body, headers: { ...TEXT, ...headers } },
});
const json = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  ...{ method, body: JSON.stringify(body), headers: { ...JSON_BODY, ...headers } },
});
const pdf = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  ...{ method: 'PUT', body, headers: { 'content-type': 'application/pdf', ...headers } },
});
const at = (path: string) => `/vault/${path}`;
const MOVE = { source: 'Garden/Pear tree.md', destination: 'Orchard/Williams.md' };
const FACT = { slug: 'Pear tree', content: 'It bears fruit in September' };
const TEA = { title: 'Tea at five', type: 'preference', namespace: 'Garden', body: 'Tea is at five, says Ada.' };
const SOURCE = { filename: 'Interview.txt', content: 'She planted it in 1987.' };
const PATCH = { targetType: 'heading', target: ['Plan', 'Costs'], operation: 'append', content: '- 40 for the pump' };

const CASES: [string, number, string, RequestInit][] = [
  ['writeNote', 200, at('New/Deep/Plum.md'), text('PUT', '# Plum\n')],
  ['writeNote', 200, at(NOTE), text('PUT', PEAR, { 'x-vault-source': 'a flow' })],
  ['writeNote', 200, at('Dry.md?dry_run'), text('PUT', '# Dry\n')],
  ['writeNote', 200, at(`${NOTE}?dry_run=true`), text('PUT', '# Dry\n')],
  ['writeNote', 200, at('Waited.md?wait=indexed&timeout=0'), text('PUT', '# Waited\n')],
  ['writeNote', 400, at('.git/config'), text('PUT', 'x')],
  ['writeNote', 400, at('list.txt'), text('PUT', 'x')],
  ['writeNote', 400, at('Garden/'), text('PUT', 'x')],
  ['writeNote', 400, at(NOTE), json('PUT', 'x')],
  ['writeNote', 400, at(`${NOTE}?wait=forever`), text('PUT', 'x')],
  ['writeNote', 412, at(NOTE), text('PUT', 'x', { 'if-none-match': '*' })],
  ['writeNote', 412, at(`${NOTE}?dry_run`), text('PUT', 'x', { 'if-match': '"other"' })],
  ['fileDocument', 200, at('Garden/Files/plan.pdf'), pdf('no PDF in truth')],
  ['fileDocument', 200, at('Garden/Files/plan.pdf?wait=0'), pdf('no PDF in truth', { 'x-vault-source': 'a scanner' })],
  ['fileDocument', 200, at('Files/scan.pdf?wait=indexed&timeout=0'), pdf('this is no PDF')],
  ['fileDocument', 200, at('Files/scan.pdf?overwrite&wait=0'), pdf('other bytes')],
  ['fileDocument', 200, at('Files/scan.pdf?overwrite&dry_run'), pdf('other bytes')],
  ['fileDocument', 200, at('Garden/Files/plan.pdf?dry_run'), pdf('no PDF in truth')],
  ['fileDocument', 400, at('Files/scan.pdf'), pdf('other bytes')],
  ['fileDocument', 400, at('Garden/plan.pdf'), pdf('x')],
  ['fileDocument', 400, at('Files/new.pdf'), pdf('')],
  ['fileDocument', 400, at('Files/new.pdf?wait=61'), pdf('x')],
  ['fileDocument', 412, at('Files/scan.pdf?overwrite'), pdf('x', { 'if-match': '"other"' })],
  ['fileDocument', 412, at('Files/scan.pdf?dry_run'), pdf('x', { 'if-none-match': '*' })],
  ['appendToNote', 200, at(NOTE), text('POST', 'More.')],
  ['appendToNote', 200, at('Inbox.md'), text('POST', 'First.')],
  ['appendToNote', 200, at(`${NOTE}?dry_run=1`), text('POST', 'More.')],
  ['appendToNote', 400, at('Files/scan.pdf'), text('POST', 'x')],
  ['appendToNote', 412, at(NOTE), text('POST', 'x', { 'if-match': '"other"' })],
  ['patchNote', 200, at(NOTE), json('PATCH', PATCH)],
  ['patchNote', 200, at(`${NOTE}?dry_run`), json('PATCH', PATCH)],
  ['patchNote', 200, at(NOTE), json('PATCH', { ...PATCH, operation: 'replace', target: 'Plan', dryRun: true })],
  ['patchNote', 200, at(NOTE), text('PATCH', 'In March.', { 'target-type': 'block', target: '^when' })],
  ['patchNote', 200, at(NOTE), { method: 'PATCH', headers: { target: 'Plan%3A%3ACosts', operation: 'delete' } }],
  ['patchNote', 200, at(NOTE), json('PATCH', 'tree', { 'target-type': 'frontmatter', target: 'type' })],
  ['patchNote', 200, at(NOTE), json('PATCH', { find: 'February', replace: 'March' }, { 'target-type': 'text' })],
  ['patchNote', 400, at(NOTE), json('PATCH', { ...PATCH, target: 'Nowhere' })],
  ['patchNote', 400, at(NOTE), json('PATCH', { ...PATCH, operation: 'insert' })],
  ['patchNote', 400, at('Files/scan.pdf'), json('PATCH', PATCH)],
  ['patchNote', 404, at('Nowhere.md'), json('PATCH', PATCH)],
  ['patchNote', 412, at(NOTE), json('PATCH', { ...PATCH, ifMatch: 'other' })],
  ['deleteEntry', 200, at('picture.svg'), { method: 'DELETE' }],
  ['deleteEntry', 200, at(`${NOTE}?dry_run`), { method: 'DELETE' }],
  ['deleteEntry', 200, at(`${NOTE}?permanent`), { method: 'DELETE' }],
  ['deleteEntry', 200, at('Files/scan.pdf'), { method: 'DELETE' }],
  ['deleteEntry', 400, at('Garden'), { method: 'DELETE' }],
  ['deleteEntry', 404, at('Nowhere.md'), { method: 'DELETE' }],
  ['deleteEntry', 412, at(NOTE), { method: 'DELETE', headers: { 'if-match': '"other"' } }],
  ['moveEntry', 200, '/move', json('POST', MOVE)],
  ['moveEntry', 200, '/move?dry_run', json('POST', MOVE)],
  ['moveEntry', 200, '/move', json('POST', { ...MOVE, update_links: false })],
  ['moveEntry', 200, '/move', json('POST', { ...MOVE, update_links: false, dry_run: true })],
  ['moveEntry', 200, '/move', json('POST', { source: 'Garden/Beds', destination: 'Beds' })],
  ['moveEntry', 200, '/move', json('POST', { source: 'picture.svg', destination: 'picture.svg' })],
  ['moveEntry', 400, '/move', json('POST', { source: 'Garden/Pear tree.md' })],
  ['moveEntry', 400, '/move', json('POST', { ...MOVE, destination: 'Garden/Orchard.md' })],
  ['moveEntry', 400, '/move?dry_run', json('POST', { ...MOVE, dry_run: false })],
  ['moveEntry', 404, '/move', json('POST', { ...MOVE, source: 'Nowhere.md' })],
  ['moveEntry', 412, '/move', json('POST', MOVE, { 'if-match': '"other"' })],
  ['createFolder', 200, '/folder/Shed/Tools', { method: 'PUT' }],
  ['createFolder', 200, '/folder/Garden/', { method: 'PUT' }],
  ['createFolder', 200, '/folder/Attic?dry_run', { method: 'PUT' }],
  ['createFolder', 400, '/folder/picture.svg', { method: 'PUT' }],
  ['deleteFolder', 200, '/folder/Garden?recursive&dry_run', { method: 'DELETE' }],
  ['deleteFolder', 200, '/folder/Garden/Beds/?recursive', { method: 'DELETE' }],
  ['deleteFolder', 200, '/folder/Garden?recursive&permanent', { method: 'DELETE' }],
  ['deleteFolder', 400, '/folder/Garden', { method: 'DELETE' }],
  ['deleteFolder', 404, '/folder/Nowhere', { method: 'DELETE' }],
  ['propose', 200, '/memory/propose', json('POST', TEA, { 'idempotency-key': 'k-1', 'x-vault-source': 'a flow' })],
  ['propose', 200, '/memory/propose?dry_run', json('POST', TEA)],
  ['propose', 200, '/memory/propose', json('POST', { ...TEA, dry_run: true, decision: { action: 'create' } })],
  ['propose', 400, '/memory/propose', json('POST', { ...TEA, token: 'no such token', decision: { action: 'create' } })],
  ['propose', 400, '/memory/propose', json('POST', { ...TEA, idempotency_key: 'a' }, { 'idempotency-key': 'b' })],
  ['propose', 400, '/memory/propose', json('POST', TEA, { 'idempotency-key': 'x'.repeat(129) })],
  ['propose', 400, '/memory/propose', json('POST', TEA, { 'if-match': '"other"' })],
  ['propose', 400, '/memory/propose', json('POST', { ...TEA, namespace: '.git' })],
  ['wikiAppend', 200, '/wiki/append?wait=indexed', json('POST', { ...FACT, links: ['Ada'] })],
  ['wikiAppend', 200, '/wiki/append?dry_run', json('POST', FACT, { 'x-vault-source': 'a flow' })],
  ['wikiAppend', 400, '/wiki/append', json('POST', { ...FACT, content: ' - ' })],
  ['wikiAppend', 400, '/wiki/append', json('POST', FACT, { 'if-match': '"other"' })],
  ['wikiIngest', 200, '/wiki/ingest', json('POST', { url: 'https://example.org/a', content: '<p>' })],
  ['wikiIngest', 200, '/wiki/ingest?dry_run', json('POST', SOURCE, { 'x-vault-source': 'a flow' })],
  ['wikiIngest', 400, '/wiki/ingest', json('POST', { url: 'http://127.0.0.1/' })],
  ['wikiIngest', 400, '/wiki/ingest', json('POST', { ...SOURCE, url: 'https://example.org/a' })],
  ['wikiIngest', 400, '/wiki/ingest', json('POST', SOURCE, { 'if-match': '"other"' })],
];

/** One call of each operation that is done when nothing stands in its way. */
const CALLS: Readonly<Record<string, [string, RequestInit]>> = {
  writeNote: [at(NOTE), text('PUT', '# New\n')],
  fileDocument: [at('Garden/Files/plan.pdf?wait=0'), pdf('no PDF in truth')],
  appendToNote: [at(NOTE), text('POST', 'More.')],
  patchNote: [at(NOTE), json('PATCH', PATCH)],
  deleteEntry: [at(NOTE), { method: 'DELETE' }],
  moveEntry: ['/move', json('POST', MOVE)],
  createFolder: ['/folder/Garden/Shed', { method: 'PUT' }],
  deleteFolder: ['/folder/Garden?recursive', { method: 'DELETE' }],
  propose: ['/memory/propose', json('POST', TEA)],
  wikiAppend: ['/wiki/append', json('POST', FACT)],
  wikiIngest: ['/wiki/ingest', json('POST', SOURCE)],
};

describe('what openapi.yaml describes of writing', () => {
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

  it.each(operations.map(({ id }) => id))('%s waits its turn, and says so when that never comes', async (id) => {
    const { context } = served;
    const locks = await openPathLocks(context.config.data.path, { waitMs: 50 });
    const writer = createVaultWriter(context.vault, { locks, noteMaxBytes: context.config.vault.note_max_bytes });
    const others = await openPathLocks(context.config.data.path);
    try {
      const held = ['Garden', 'Wiki'].map((path) => ({ path: parseVaultPath(path), tree: true }));
      await others.hold(held, async () => {
        await check(id, 409, await call(id, appWith({ ...context, locks, writer })));
      });
    } finally {
      others.close();
      locks.close();
    }
  });

  it.each(operations.map(({ id }) => id))('%s says that the disk is full', async (id) => {
    await check(id, 507, await call(id, appWith({ ...served.context, writer: withoutSpace() })));
  });

  it.each(operations.map(({ id }) => id))('%s hides what went wrong inside', async (id) => {
    const answer = await call(id, appWith({ ...served.context, vault: failing(), writer: failing() }));
    expect(await answer.clone().text()).not.toMatch(/ENOSPC|private/);
    await check(id, 500, answer);
  });

  it('propose says that there is no index to compare with yet', async () => {
    const app = appWith({ ...served.context, reader: openIndexReader('/nonexistent/index.db') });
    await check('propose', 503, await call('propose', app));
  });

  it('was answered with every status it lists', () => {
    expect(unanswered()).toEqual([]);
  });
});

describe('every request that openapi.yaml shows', () => {
  /** What beside its body a call takes that is not shown in it. */
  const HEADERS: Readonly<Record<string, Record<string, string>>> = {
    'patchNote text': { 'target-type': 'text' },
    'patchNote frontmatter': { 'target-type': 'frontmatter', target: 'status', operation: 'replace' },
    'patchNote example': { target: 'Plan::Costs', operation: 'append' },
  };
  const shown = operations.flatMap((each) =>
    examplesOf(each.request).map(({ name, type, value }) => [each.id, name, type, value, each] as const),
  );

  it.each(shown)('%s (%s, as %s) is taken', async (id, name, type, value, each) => {
    const isJson = type.endsWith('json');
    const more = type.includes('patch-instruction') ? {} : HEADERS[`${id} ${name}`];
    const answer = await served.get(pathOf(each), {
      method: each.method,
      headers: { 'content-type': type, ...more },
      body: isJson ? JSON.stringify(value) : String(value),
    });
    await check(id, 200, answer);
  });
});

it('a source is named in printable characters, and a condition as one etag', async () => {
  for (const { id, method } of operations) {
    const [path, init] = callOf(id);
    for (const header of [
      { 'x-vault-source': 'x'.repeat(101) },
      { 'if-match': 'W/"abc"' },
      { 'if-match': '"a", "b"' },
    ]) {
      const answer = await served.get(path, { ...init, method, headers: { ...init.headers, ...header } });
      expect([id, header, answer.status]).toEqual([id, header, 400]);
    }
  }
});

function callOf(id: string): [string, RequestInit] {
  const found = CALLS[id];
  if (found === undefined) throw new Error(`No call of ${id} is known here`);
  return found;
}

async function call(id: Operation['id'], app: ReturnType<typeof appWith>): Promise<Response> {
  const [path, init] = callOf(id);
  return app.request(path, { ...init, headers: { ...CALLER, ...init.headers } });
}

/** What a writer does on a disk without space, without such a disk: errors.test.ts has a real one. */
function withoutSpace(): VaultWriter {
  const refuse = async () => {
    throw new AppError(
      'insufficient_storage',
      'The disk that holds the vault is full: free some space, then try again.',
    );
  };
  return new Proxy({} as VaultWriter, { get: () => refuse });
}
