// A note's whole life through the client that is typed by openapi.yaml: what the types promise is what the server does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { createVaultClient, markdown, type Schemas, type VaultClient } from '../typed-client/client.ts';

let served: ServedVault;
let client: VaultClient;

beforeAll(async () => {
  served = await serveVault({ 'Garden/Orchard.md': '# Orchard\n\nSee [[Pear tree]].\n' });
  client = createVaultClient(served.url, API_KEY);
});
afterAll(() => served.close());

const PEAR = { path: { path: 'Garden/Pear tree.md' } };
const ETAG = /^[0-9a-f]{64}$/;

/** The etag of a write's answer, which has to have one. */
function etagOf(answer: Pick<Schemas['NoteWritten'], 'etag'> | undefined): string {
  expect(answer?.etag).toMatch(ETAG);
  return answer?.etag ?? '';
}

async function readPear(): Promise<Schemas['Note']> {
  const { data, error } = await client.GET('/vault/{path}', { params: PEAR });
  expect(error).toBeUndefined();
  // One address answers notes, documents, maps and listings; the fields tell them apart.
  if (data === undefined || !('content' in data) || data.kind !== 'note') throw new Error('no note was answered');
  return data;
}

it('a note is made, read, changed in each way, found, moved and removed', async () => {
  const made = await client.PUT('/vault/{path}', {
    params: { ...PEAR, header: { 'If-None-Match': '*', 'X-Vault-Source': 'typed client' } },
    ...markdown('---\ntype: plant\n---\n# Pear tree\n\n## Pruning\n\nPrune in February.\n'),
  });
  expect(made.data).toMatchObject({ created: true, changed: true, timestamp: { bumped: true } });
  const first = etagOf(made.data);
  expect(made.response.headers.get('etag')).toBe(`"${first}"`);

  const read = await readPear();
  expect(read).toMatchObject({ etag: first, frontmatter: { type: 'plant' } });

  const patch: Schemas['PatchRequest'] = {
    targetType: 'heading',
    target: ['Pear tree', 'Pruning'],
    operation: 'append',
    content: 'Not in frost.',
  };
  const params = { ...PEAR, header: { 'If-Match': `"${first}"` } };
  const preview = await client.PATCH('/vault/{path}', {
    params: { ...params, query: { dry_run: 'true' } },
    body: patch,
  });
  expect(preview.data).toMatchObject({ dry_run: true, etag: first, diff: expect.stringContaining('+Not in frost.') });
  const patched = await client.PATCH('/vault/{path}', { params, body: patch });
  const second = etagOf(patched.data);
  expect(second).not.toBe(first);

  const stale = await client.PATCH('/vault/{path}', { params, body: patch });
  expect(stale.response.status).toBe(412);
  expect(stale.data).toBeUndefined();
  expect(stale.error?.code satisfies Schemas['Error']['code'] | undefined).toBe('precondition_failed');
  expect(stale.error?.error).toContain(second);

  const appended = await client.POST('/vault/{path}', {
    params: { ...PEAR, header: { 'If-Match': second } },
    ...markdown('Planted by the shed.'),
  });
  const set = await client.PATCH('/vault/{path}', {
    params: { ...PEAR, query: { wait: 'indexed', timeout: 20 } },
    body: { targetType: 'frontmatter', target: 'tags', operation: 'replace', value: ['garden'] },
  });
  expect(set.data).toMatchObject({ changed: true, indexed: 'indexed' });
  expect(etagOf(set.data)).not.toBe(etagOf(appended.data));
  expect((await readPear()).body).toBe(
    '# Pear tree\n\n## Pruning\n\nPrune in February.\n\nNot in frost.\n\nPlanted by the shed.\n',
  );

  const found = await client.GET('/search', { params: { query: { q: 'planted by the shed', tag: 'garden' } } });
  expect(found.data?.results.map(({ path }) => path)).toContain('Garden/Pear tree.md');

  const moved = await client.POST('/move', {
    body: { source: 'Garden/Pear tree.md', destination: 'Orchard/Williams pear.md' },
  });
  expect(moved.data).toMatchObject({ links_updated: 1, notes_updated: 1, left: [], folders_made: ['Orchard'] });
  expect((await client.GET('/vault/{path}', { params: PEAR })).error?.code).toBe('not_found');

  const removed = await client.DELETE('/vault/{path}', { params: { path: { path: 'Orchard/Williams pear.md' } } });
  expect(removed.data).toMatchObject({
    permanent: false,
    trashed: '.trash/Orchard/Williams pear.md',
    linked_from: ['Garden/Orchard.md'],
  });
});
