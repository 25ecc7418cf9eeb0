/**
 * An embedder that answers nonsense, over HTTP, at index time and at query time: words find meanwhile and the answer says what
 * it lacks, what is wrong is told by health and by the chunk, and all is well by itself once the embedder is. Danger: an index takes
 * zeros and NaN as they come and ranks garbage from then on.
 */
import { search } from '@vault-mcp/api/operations/search';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOllama, type Misbehaviour, type Row, startFakeOllama } from '../support/fake-ollama.ts';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { operationContext } from '../support/reading-context.ts';
import { rows } from '../support/remote-embedder.ts';

const DIMS = 64;
const FILES = {
  'Heating.md': '# Heating\n\nThe boiler was serviced in March.\n',
  'Chimney.md': '# Chimney\n\nThe chimney was swept by Odell.\n',
  'Garden/Tomatoes.md': '# Tomatoes\n\nSow them indoors, plant out after frost.\n',
};

let server: FakeOllama;
let indexed: IndexedVault;
beforeEach(async () => {
  server = await startFakeOllama({ dims: DIMS });
});
afterEach(async () => {
  await indexed?.remove();
  await server.close();
});

const PROVIDERS = {
  ollama: {},
  openai: { EMBED_API_KEY: 'a-key-for-tests' },
} as const;
type Provider = keyof typeof PROVIDERS;

/** Asks again soon. */
function open(provider: Provider): Promise<IndexedVault> {
  return indexVault({
    files: FILES,
    env: {
      ...{ EMBED_PROVIDER: provider, EMBED_MODEL: 'test-model', EMBED_DIMS: String(DIMS), OLLAMA_URL: server.url },
      ...{ EMBED_BATCH_SIZE: '4', EMBED_MAX_ATTEMPTS: '2' },
      ...{ EMBED_BACKOFF_SECONDS: '0.01', EMBED_BACKOFF_MAX_SECONDS: '1' },
      ...PROVIDERS[provider],
    },
  });
}

const each = (change: (embedding: number[], index: number) => unknown): Misbehaviour =>
  rows((all: Row[]) => all.map((row, index) => ({ ...row, embedding: change(row.embedding as number[], index) })));

/** Every way of answering that is no vector of the texts asked for. */
const NONSENSE: readonly (readonly [what: string, answer: Misbehaviour])[] = [
  ['zeros', each((v) => v.map(() => 0))],
  ['NaN, which JSON writes as null', each((v) => v.map(() => null))],
  ['infinity', { kind: 'text', text: `{"data":[{"index":0,"embedding":[${'1e999,'.repeat(DIMS - 1)}1]}]}` }],
  ['strings', each((v) => v.map(String))],
  ['base64', each((v) => Buffer.from(Float32Array.from(v).buffer).toString('base64'))],
  ['other dims', each((v) => v.slice(1))],
  ['no dims', each(() => [])],
  ['nested vectors', each((v) => [v])],
  ['too few vectors', rows((all) => all.slice(1))],
  ['too many vectors', rows((all) => [...all, ...all])],
  ['an index twice', rows((all) => [...all, ...all].slice(0, all.length).map((row) => ({ ...row, index: 7 })))],
  ['indices that are strings', rows((all) => all.map((row) => ({ ...row, index: String(row.index) })))],
  ['no rows', rows(() => null)],
  ['rows that are null', rows((all) => all.map(() => null))],
  ['a page of HTML', { kind: 'text', text: '<!doctype html><title>Sign in</title>' }],
  ['JSON that ends in the middle', { kind: 'text', text: '{"data":[{"index":0,"embedding":[0.1,' }],
  ['nothing', { kind: 'text', text: '' }],
];

/** One of each kind: a vault each takes its time, and a query is asked with all of them. */
const AT_INDEX_TIME = new Set([
  'zeros',
  'base64',
  'other dims',
  'too few vectors',
  'rows that are null',
  'a page of HTML',
]);

async function ask(query: string) {
  const { results, degraded } = await search(await operationContext(indexed), { query });
  return { first: results[0], degraded };
}

/** Nothing is done for it but what the timer does: what waits is tried again soon, what was refused at each reconcile. */
async function healed(): Promise<void> {
  await indexed.queue.add('reconcile', {});
  await indexed.settled();
  expect(indexed.reader.failedChunks(10)).toEqual([]);
  expect(await ask('chimney')).toMatchObject({ first: { path: 'Chimney.md', matched: 'both' }, degraded: [] });
}

/** The indexer's report comes with its heartbeat. */
const isTold = (ok: boolean) =>
  indexed.until(() => indexed.reader.indexerStatus()?.embedder?.ok === ok, `the embedder's health to be told as ${ok}`);

describe('an embedder', () => {
  it.each(NONSENSE.filter(([what]) => AT_INDEX_TIME.has(what)))(
    'that answers %s when notes are embedded is done without, told of, and made up for',
    async (_what, bad) => {
      server.misbehave = () => bad;
      indexed = await open('ollama');
      await indexed.settled({ vectors: false });
      await isTold(false);
      const { error } = indexed.reader.indexerStatus()?.embedder ?? {};
      expect(error?.length).toBeGreaterThan(20);
      expect(await ask('chimney')).toMatchObject({ first: { path: 'Chimney.md', matched: 'lexical' } });
      expect((await ask('chimney')).degraded).not.toEqual([]);

      server.misbehave = () => null;
      await healed();
    },
  );
});

describe.each(['ollama', 'openai'] as const)('%s', (provider) => {
  it('that answers nonsense to a query is done without for that query, and asked again', async () => {
    indexed = await open(provider);
    await indexed.settled();
    for (const [what, bad] of NONSENSE) {
      server.misbehave = () => bad;
      expect(await ask('chimney'), what).toMatchObject({
        first: { path: 'Chimney.md', matched: 'lexical' },
        degraded: ['embedder_unreachable'],
      });
    }
    server.misbehave = () => null;
    await indexed.until(async () => (await ask('chimney')).degraded.length === 0, 'the embedder to be asked again');
  });

  it('that answers nonsense for one text marks that text, and finds the others by meaning', async () => {
    server.misbehave = (texts) => each((v, index) => (texts[index]?.includes('Odell') ? v.map(() => 0) : v));
    indexed = await open(provider);
    await indexed.settled({ vectors: false });
    await indexed.until(() => indexed.reader.failedChunks(10).length === 1, 'the text to be marked');
    expect(await ask('boiler')).toMatchObject({ first: { path: 'Heating.md', matched: 'both' } });
    expect(await ask('chimney')).toMatchObject({ first: { path: 'Chimney.md', matched: 'lexical' } });
    server.misbehave = () => null;
    await healed();
    await isTold(true);
  });

  it('whose dims change midway keeps what it has, says what to set, and goes on when they are as before', async () => {
    indexed = await open(provider);
    await indexed.settled();
    server.misbehave = () => each((v) => [...v, 0.5]);
    indexed.put('New.md', '# New\n\nA lamp was bought.\n');
    await indexed.composed.indexer.recover();
    await isTold(false);
    expect(indexed.reader.indexerStatus()?.embedder?.error).toMatch(/EMBED_DIMS.* to 65/);
    expect(await ask('lamp')).toMatchObject({ first: { path: 'New.md', matched: 'lexical' } });
    server.misbehave = () => null;
    await healed();
    await isTold(true);
    expect(await ask('lamp')).toMatchObject({ first: { path: 'New.md', matched: 'both' } });
  });
});
