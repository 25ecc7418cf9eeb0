import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../../test/support/reading-context.ts';
import { ceilingsFor } from '../gate/ceilings.ts';
import { type SimilarLook, type SimilarPorts, similarPassages } from './similar-facts.ts';

const FACT = 'The boiler in the cellar is serviced by Aurelia every year in May';
const LOOK: SimilarLook = {
  ...{ fact: FACT, dir: 'Wiki' as VaultPath, readable: null, ceiling: 0.6, timeoutSeconds: 5 },
};

describe('what the wiki says already', () => {
  let indexed: IndexedVault;
  let ports: SimilarPorts;

  beforeAll(async () => {
    const said = 'Aurelia services the boiler in the cellar, every year in May.';
    indexed = await indexVault({
      files: {
        'Wiki/heating.md': `# Heating\n\n## Updates\n\n- ${said}\n`,
        'Wiki/secret/boiler.md': `# Boiler\n\n${said}\n`,
        'Wiki/roof.md': '# Roof\n\nTiles were laid by Otto.\n',
        'Notes/boiler.md': `# Boiler\n\n${said}\n`,
      },
    });
    await indexed.settled();
    const { reader, embedder } = await operationContext(indexed);
    ports = { reader, embedder, log: silentLogger() };
  }, 60_000);

  afterAll(() => indexed.remove());

  it('in other words is found in the wiki alone, with its line', async () => {
    const { similar, degraded } = await similarPassages(ports, LOOK);
    expect(degraded).toEqual([]);
    expect(similar.map(({ path }) => path).sort()).toEqual(['Wiki/heating.md', 'Wiki/secret/boiler.md']);
    expect(similar[0]).toMatchObject({ line: expect.any(Number), text: expect.stringContaining('Aurelia') });
  });

  it('is shown as the bullet itself, where it stands, without what stands beside it', async () => {
    const { similar } = await similarPassages(ports, LOOK);
    const bullet = similar.find(({ path }) => path === 'Wiki/heating.md');
    expect(bullet).toMatchObject({ line: 5, text: '- Aurelia services the boiler in the cellar, every year in May.' });
  });

  it('where the caller may not read is not', async () => {
    const readable = [
      { prefix: 'wiki/secret', read: false },
      { prefix: 'wiki', read: true },
    ];
    const { similar } = await similarPassages(ports, { ...LOOK, readable });
    expect(similar.map(({ path }) => path)).toEqual(['Wiki/heating.md']);
  });

  it('farther than the ceiling is not', async () => {
    expect(await similarPassages(ports, { ...LOOK, ceiling: 0 })).toEqual({ similar: [], degraded: [] });
  });
});

describe('with the embedder and the ceiling that are shipped', () => {
  const FACTS = [
    'The organ of the chapel was built by Ernst Sauer in 1888',
    'The bell tower leans four degrees to the north',
    'Mass is read in the chapel on the first Sunday of the month',
    'The roof was covered with slate after the fire of 1921',
    'Its archive is kept in the town hall, in forty boxes',
    'The key hangs at the bakery across the road',
    'Bats live under the eaves from May to September',
  ];
  let indexed: IndexedVault;
  let look: (fact: string) => ReturnType<typeof similarPassages>;

  beforeAll(async () => {
    const bullets = FACTS.map((fact) => `- ${fact} [[parish]] (added 2026-01-02)`).join('\n');
    indexed = await indexVault({
      files: {
        'Wiki/chapel.md': `---\ntitle: Chapel\n---\n\n# Chapel\n\n## Updates\n\n${bullets}\n`,
        'Wiki/roof-of-the-mill.md':
          '# Mill\n\n## Updates\n\n- The mill wheel turns again since 2004 (added 2026-01-02)\n',
      },
      env: { EMBED_PROVIDER: 'builtin' },
    });
    await indexed.settled();
    const { reader, embedder } = await operationContext(indexed);
    const none = { distanceCeiling: null, bm25Ceiling: 0 };
    const ceiling = ceilingsFor(none, embedder)?.distance ?? null;
    look = (fact) => similarPassages({ reader, embedder, log: silentLogger() }, { ...LOOK, fact, ceiling });
  }, 60_000);

  afterAll(() => indexed.remove());

  it.each(FACTS)('a fact of a page of seven is shown word for word: %s', async (fact) => {
    const { similar } = await look(fact);
    expect(similar[0]).toMatchObject({ path: 'Wiki/chapel.md', text: expect.stringContaining(fact) });
    expect(similar[0]?.distance).toBeLessThan(0.01);
  });

  it('the one fact of a page is shown, and one in other words', async () => {
    expect((await look('The mill wheel turns again since 2004')).similar).toMatchObject([
      { path: 'Wiki/roof-of-the-mill.md', line: 5 },
    ]);
    const { similar } = await look('Ernst Sauer built the chapel organ in the year 1888');
    expect(similar.map(({ line }) => line)).toEqual([9]);
  });

  it('a fact about something else is shown nothing', async () => {
    expect(await look('Whales sleep with half of their brain awake')).toEqual({ similar: [], degraded: [] });
  });
});

describe('a line that two chunks hold', () => {
  it('is shown once, as the chunk has it that is nearer to the fact', async () => {
    const chunk = (text: string) => ({ path: 'Wiki/a.md', lineStart: 3, lineEnd: 3, text });
    const chunks = [chunk('and rings at noon.'), chunk('- The bell is of bronze and rings at noon.')];
    const reader = {
      space: () => 's',
      denseCandidates: () => [
        { chunkId: 1, distance: 0.1 },
        { chunkId: 2, distance: 0.1 },
      ],
      chunks: () => chunks,
    } as unknown as SimilarPorts['reader'];
    const vectorOf = (text: string) => new Float32Array(text.includes('bronze') ? [1, 0] : [0.8, 0.6]);
    const embedder = {
      ...{ space: 's', dims: 2, embedQuery: async () => new Float32Array([1, 0]) },
      embedDocuments: async (texts: readonly string[]) => texts.map((text) => ({ vector: vectorOf(text) })),
    } as unknown as Embedder;
    const look = { ...LOOK, fact: 'The bell is of bronze' };
    const { similar } = await similarPassages({ reader, embedder, log: silentLogger() }, look);
    expect(similar).toMatchObject([{ line: 3, text: '- The bell is of bronze and rings at noon.' }]);
  });
});

describe('a look that cannot be made', () => {
  const embedder = (embedQuery: Embedder['embedQuery']) => ({ space: 's', dims: 1, embedQuery }) as Embedder;
  const reader = (denseCandidates: IndexReader['denseCandidates']) =>
    ({ space: () => 's', denseCandidates, chunks: () => [] }) as unknown as SimilarPorts['reader'];
  const works = embedder(async () => new Float32Array([1]));
  const log = silentLogger();

  it.each([
    ['without an embedder, by choice', { embedder: null, reader: reader(() => []) }, LOOK, []],
    ['without a ceiling', { embedder: works, reader: reader(() => []) }, { ...LOOK, ceiling: null }, ['no_ceiling']],
    [
      'with a dead embedder',
      { embedder: embedder(() => Promise.reject(new Error('dead'))), reader: reader(() => []) },
      LOOK,
      ['embedder_unreachable'],
    ],
    [
      'over vectors of another space',
      { embedder: works, reader: { ...reader(() => []), space: () => 'other' } },
      LOOK,
      ['vectors_pending'],
    ],
    [
      'without an index',
      {
        embedder: works,
        reader: reader(() => {
          throw new Error('not ready');
        }),
      },
      LOOK,
      ['index_building'],
    ],
  ])('%s says why, and fails nothing', async (_what, parts, look, degraded) => {
    expect(await similarPassages({ ...parts, log }, look)).toEqual({ similar: [], degraded });
  });
});
