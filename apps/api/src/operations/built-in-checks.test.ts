// What the checks of the program say while they cannot look at everything: over a real vault and index, of which some is
// kept from them.
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault, testConfig } from '../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import type { OperationContext } from '../context.ts';
import { type BuiltInResult, runBuiltInChecks } from './built-in-checks.ts';
import { type FoundLinks, findLinks } from './find-links.ts';

const LONG = Array.from({ length: 30 }, (_, n) => `The pump was serviced in year ${n}.`).join('\n');
const FILES = {
  'Home.md': '[[Plan]] [[Nowhere]]\n',
  'Plan.md': `${LONG}\n`,
  'Alone.md': `${LONG} Once more.\n`,
  'Odd.md': `${LONG} UNEMBEDDABLE\n`,
  'Files/unused.pdf': 'this is no PDF',
};
const LARGE = { 'Large.md': `[[Alone]] ${'x'.repeat(9_000)}` };

/** One that fails over one text. */
async function choosy(): Promise<Embedder> {
  const embedder = await createEmbedder(testConfig('/nowhere').embedding, { logger: silentLogger() });
  return {
    ...{ provider: embedder.provider, model: embedder.model, dims: embedder.dims, space: embedder.space },
    embedDocuments: async (texts) => {
      const outcomes = await embedder.embedDocuments(texts);
      return outcomes.map((outcome, at) => (texts[at]?.includes('UNEMBEDDABLE') ? { error: 'too odd' } : outcome));
    },
    embedQuery: (text) => embedder.embedQuery(text),
    health: () => embedder.health(),
    close: () => embedder.close(),
  };
}

let vault: IndexedVault;
let context: OperationContext;
beforeAll(async () => {
  vault = await indexVault({ files: FILES, env: { NOTE_MAX_BYTES: '8000' }, embedder: await choosy() });
  await vault.settled();
  context = await operationContext(vault);
}, 60_000);
afterAll(() => vault.remove());

type Brief = readonly [status: number | string, ...degraded: string[]];
const brief = ({ outcome }: BuiltInResult): Brief =>
  'problem' in outcome ? [outcome.problem] : [outcome.found.findings.length, ...outcome.degraded];
const checked = async (over: Partial<OperationContext> = {}) => {
  const results = await runBuiltInChecks({ ...context, ...over });
  return Object.fromEntries(results.map((result) => [result.description.name, brief(result)]));
};
/** The same index while it is in another state. */
const inState = (state: 'building' | 'failed'): IndexReader =>
  new Proxy(vault.reader, {
    get(reader, name: keyof IndexReader) {
      if (name === 'indexerStatus') return () => ({ ...reader.indexerStatus(), state });
      const method = reader[name] as (...args: unknown[]) => unknown;
      return method.bind(reader);
    },
  });

describe('the checks of the program', () => {
  it('say that they looked at everything, but for notes without vectors', async () => {
    expect(await checked()).toEqual({
      ...{ links: [1], frontmatter: [0], expires: [0], headings: [0], documents: [2], unreadable: [0] },
      ...{ names: [0], conflict_copies: [0], orphans: [2], near_duplicates: [1, 'vectors_pending'] },
      superseded: [0],
    });
  });

  it('say nothing while the index is being built of what may be untrue, and that the rest may lack something', async () => {
    const building = 'the index is still being built (GET /readyz shows the progress)';
    expect(await checked({ reader: inState('building') })).toMatchObject({
      ...{ links: [1, 'index_building'], documents: [building], orphans: [building], frontmatter: [0] },
      near_duplicates: [1, 'index_building', 'vectors_pending'],
    });
    vault.put('Home.md', '[[Plan]]\n');
    await reindex();
    try {
      expect((await checked({ reader: inState('failed') })).links).toEqual([
        'the index could not be built (GET /readyz says why)',
      ]);
    } finally {
      vault.put('Home.md', FILES['Home.md']);
      await reindex();
    }
  });

  it('say that notes could not be read, where these might matter', async () => {
    const [name, text] = Object.entries(LARGE)[0] ?? ['', ''];
    vault.put(name, text);
    await reindex();
    const part = 'partly_unread';
    expect(await checked()).toEqual({
      ...{ links: [1, part], frontmatter: [0, part], expires: [0, part], headings: [0, part], documents: [2, part] },
      ...{ unreadable: [1], names: [0], conflict_copies: [0], orphans: [2, part] },
      near_duplicates: [1, part, 'vectors_pending'],
      superseded: [0, part],
    });
    // It may link to one that is said to stand alone.
    const { degraded, left_out }: FoundLinks = await findLinks(context, { path: '' });
    expect([degraded, left_out]).toEqual([
      [part],
      [{ path: 'Large.md', reason: expect.stringMatching(/could not be indexed: .*8000/) }],
    ]);
  });
});

/** Brings the index up to date with the disk. */
async function reindex(): Promise<void> {
  await vault.composed.indexer.build().run({ rebuild: false });
  await vault.settled();
}
