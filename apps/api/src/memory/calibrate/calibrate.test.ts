import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../../test/support/indexed-vault.ts';
import { calibrate } from './calibrate.ts';

const SUBJECTS = ['boiler', 'garden', 'ledger', 'violin', 'harbour', 'compiler', 'vineyard', 'glacier'];

/** A note about one subject, in two sections that are a chunk each; no two notes have their other words in common. */
function noteAbout(subject: string, n: number): string {
  const words = (part: string) =>
    Array.from({ length: 120 }, (_, i) => `${subject}${part}${(i * 7 + n) % 40}`).join(' ');
  return `# ${subject} ${n}\n\n## Before\n\n${words('old')} ${words('both')}\n\n## After\n\n${words('new')} ${words('both')}\n`;
}

const files = Object.fromEntries(
  Array.from({ length: 48 }, (_, n) => [`${n}.md`, noteAbout(SUBJECTS[n % SUBJECTS.length] as string, n)]),
);

let vault: IndexedVault;
beforeAll(async () => {
  vault = await indexVault({
    files: {
      ...files,
      'Left out/copy.md': files['0.md'] as string,
      'superseded.md': `---\nsuperseded_by: 1.md\n---\n${files['1.md']}`,
    },
    env: { CHUNK_MIN_TOKENS: '32' },
  });
  await vault.settled();
}, 60_000);
afterAll(() => vault.remove());

function measured(change: Partial<Parameters<typeof calibrate>[0]> = {}) {
  return calibrate({
    indexPath: vault.config.index.path,
    reader: vault.reader,
    analyzer: createAnalyzer('en'),
    excludeDirs: ['Left out'],
    samples: 400,
    inForce: { distance: null, bm25: null },
    ...change,
  });
}

describe('a calibration', () => {
  it('compares the notes the gate compares, each with the others and with itself', () => {
    const { space, notes, with_vectors, sampled, distance, bm25 } = measured();
    expect({ space, notes, with_vectors, sampled }).toEqual({
      space: vault.reader.space(),
      notes: 48,
      with_vectors: 48,
      sampled: 48,
    });
    expect(distance.values).toEqual({ far: (48 * 47) / 2, near: 48, same: 48 });
    expect(bm25.values).toEqual({ far: 48, near: 48, same: 48 });
  });

  it('suggests ceilings that part notes of one subject from the rest', () => {
    const { distance, bm25 } = measured();
    const nearest = distance.suggested?.ceiling as number;
    expect(distance.suggested?.admits.far).toBeLessThanOrEqual(0.005);
    const [same, other] = ['8.md', '1.md'].map((path) =>
      vault.reader
        .nearestNotes(vault.reader.noteVectorOf('0.md') as Float32Array, vaultFilter, 100)
        .find((note) => note.path === path),
    );
    expect(same?.distance).toBeLessThan(other?.distance as number);
    expect(nearest).toBeLessThan(other?.distance as number);
    // Twenty notes never have a word of one subject in common here, so that nothing is far.
    expect(bm25.suggested?.ceiling).toBeLessThan(0);
    expect(bm25.suggested?.admits).toMatchObject({ far: 0 });
  });

  it('comes to the same whenever it is run, and to nearly the same of a part of the notes', () => {
    expect(measured()).toEqual(measured());
    expect(measured({ samples: 30 })).toMatchObject({ sampled: 30, notes: 48, distance: { values: { near: 30 } } });
  });

  it('says what the ceilings in force let through', () => {
    const { distance, bm25 } = measured({ inForce: { distance: 2, bm25: -1e6 } });
    expect(distance.in_force).toEqual({ ceiling: 2, admits: { far: 1, near: 1, same: 1 } });
    expect(bm25.in_force).toEqual({ ceiling: -1e6, admits: { far: 0, near: 0, same: 0 } });
    expect(measured().distance.in_force).toBeNull();
  });

  it('suggests nothing of too few notes', () => {
    const { distance, bm25 } = measured({ samples: 7 });
    expect([distance.suggested, bm25.suggested]).toEqual([null, null]);
    expect(distance.bins.length).toBeGreaterThan(0);
  });

  it('tells how far it is, once a note', () => {
    const told: number[][] = [];
    measured({ samples: 3, onProgress: (...at) => told.push(at) });
    expect(told).toEqual([0, 1, 2].map((done) => [done, 3]));
  });

  it('of words alone has ranks, and no distances', () => {
    const { distance, bm25 } = measured({ reader: withoutVectors(vault) });
    expect(distance).toEqual({ values: { far: 0, near: 0, same: 0 }, bins: [], suggested: null, in_force: null });
    expect(bm25).toEqual(measured().bm25);
  });

  it('needs an index', () => {
    const indexPath = `${vault.base}/none.db`;
    const reader = openIndexReader(indexPath);
    expect(() => measured({ indexPath, reader })).toThrow(expect.objectContaining({ code: 'not_ready' }));
    reader.close();
  });
});

const vaultFilter = { excludeDirs: [], includeSuperseded: false, readable: null };

/** The index as it is while no note has its vector. */
function withoutVectors({ reader }: IndexedVault): IndexReader {
  return new Proxy(reader, {
    get: (target, name) => {
      if (name === 'noteVectorOf') return () => null;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
