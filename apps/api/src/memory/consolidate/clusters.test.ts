import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparedNote, clustersOf, TOLD } from './clusters.ts';

/** A vector at an angle in degrees. */
const at = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
};
const note = (path: string, degrees: number): ComparedNote => ({
  ...{ path, title: path.toUpperCase(), etag: `etag of ${path}`, vector: at(degrees) },
});
const distanceOf = (degrees: number) => 1 - Math.cos((degrees * Math.PI) / 180);
const named = (notes: readonly ComparedNote[], ceiling: number) =>
  clustersOf(notes, ceiling)?.clusters.map(({ members }) => members.map(({ path }) => path));

describe('notes that could be one', () => {
  it('are all near one another and in one folder, with what is known of each', () => {
    const notes = [note('A/c.md', 8), note('A/a.md', 0), note('B/b.md', 4), note('A/far.md', 90), note('root.md', 4)];
    expect(clustersOf(notes, distanceOf(10))?.clusters).toEqual([
      {
        namespace: 'A',
        diameter: expect.closeTo(distanceOf(8), 5),
        members: [
          { path: 'A/a.md', title: 'A/A.MD', etag: 'etag of A/a.md' },
          { path: 'A/c.md', title: 'A/C.MD', etag: 'etag of A/c.md' },
        ],
      },
    ]);
  });

  it('come those of the smallest diameter first, then by path', () => {
    const notes = [
      ...[note('C/1.md', 0), note('C/2.md', 6), note('B/1.md', 50), note('B/2.md', 50)],
      ...[note('A/1.md', 120), note('A/2.md', 120), note('D/1.md', 180), note('D/2.md', 183)],
    ];
    expect(named(notes, distanceOf(10))).toEqual([
      ['A/1.md', 'A/2.md'],
      ['B/1.md', 'B/2.md'],
      ['D/1.md', 'D/2.md'],
      ['C/1.md', 'C/2.md'],
    ]);
  });

  it('are the equal ones of a folder, however many, without a pair being kept', () => {
    const notes = Array.from({ length: 300 }, (_, n) => note(`${n % 2 === 0 ? 'A' : 'B'}/${n}.md`, 30));
    const found = clustersOf(notes, 0.01, 0);
    expect(found?.clusters.map(({ namespace, members, diameter }) => [namespace, members.length, diameter])).toEqual([
      ['A', 150, 0],
      ['B', 150, 0],
    ]);
    expect([found?.crossNamespace.total, found?.crossNamespace.first.length]).toEqual([150 * 150, TOLD]);
  });

  it('are not looked for where too many are near', () => {
    const notes = [note('1.md', 1), note('2.md', 2), note('3.md', 3)];
    expect(clustersOf(notes, 0.5, 2)).toBeNull();
    expect(clustersOf(notes, 0.5, 3)?.clusters).toHaveLength(1);
  });

  it('are none of no notes', () => {
    expect(clustersOf([], 0.5)).toEqual({ clusters: [], crossNamespace: { total: 0, first: [] } });
  });
});

describe('near notes of different folders', () => {
  it('are told, the nearest first, and are no cluster', () => {
    const notes = [note('A/1.md', 0), note('B/1.md', 5), note('C/1.md', 2), note('D/1.md', 0)];
    const { clusters, crossNamespace } = clustersOf(notes, distanceOf(4)) ?? {};
    expect(clusters).toEqual([]);
    expect(crossNamespace?.total).toBe(4);
    expect(crossNamespace?.first.map(({ a, b }) => `${a} ${b}`)).toEqual([
      ...['A/1.md D/1.md', 'A/1.md C/1.md', 'C/1.md D/1.md', 'B/1.md C/1.md'],
    ]);
    expect(crossNamespace?.first.map(({ distance }) => distance)).toEqual(
      [0, 2, 2, 3].map((degrees) => expect.closeTo(distanceOf(degrees), 5)),
    );
  });
});

describe('a clustering', () => {
  const many = fc.array(
    fc.record({ folder: fc.constantFrom('A', 'B', 'C'), degrees: fc.integer({ min: 0, max: 40 }) }),
    { maxLength: 24 },
  );
  const notesOf = (all: readonly { folder: string; degrees: number }[]) =>
    all.map(({ folder, degrees }, n) => note(`${folder}/${n}.md`, degrees));
  const CEILING = distanceOf(6.5);
  const angleOf = ({ vector: [x = 0, y = 0] }: ComparedNote) => (Math.atan2(y, x) * 180) / Math.PI;
  const isNear = (a: ComparedNote, b: ComparedNote) => Math.abs(angleOf(a) - angleOf(b)) < 6.5;

  it('holds near notes of one folder alone, each note once, and no two groups that could be one', () => {
    fc.assert(
      fc.property(many, (all) => {
        const notes = notesOf(all);
        const byPath = new Map(notes.map((one) => [one.path, one]));
        const groups = (named(notes, CEILING) ?? []).map((paths) =>
          paths.map((path) => byPath.get(path) as ComparedNote),
        );
        const allNear = (one: readonly ComparedNote[], other: readonly ComparedNote[]) =>
          one.every((a) => other.every((b) => a.path.slice(0, 1) === b.path.slice(0, 1) && isNear(a, b)));
        const grouped = groups.flat().map(({ path }) => path);
        expect(new Set(grouped).size).toBe(grouped.length);
        const singles = notes.filter(({ path }) => !grouped.includes(path)).map((one) => [one]);
        const parts = [...groups, ...singles];
        for (const [n, group] of parts.entries()) {
          expect(allNear(group, group)).toBe(true);
          for (const other of parts.slice(n + 1)) expect(allNear(group, other)).toBe(false);
        }
      }),
    );
  });

  it('counts every near pair of different folders', () => {
    fc.assert(
      fc.property(many, (all) => {
        const notes = notesOf(all);
        const across = notes.flatMap((a, n) =>
          notes.slice(n + 1).filter((b) => a.path.slice(0, 1) !== b.path.slice(0, 1) && isNear(a, b)),
        );
        const { total, first } = clustersOf(notes, CEILING)?.crossNamespace ?? {};
        expect([total, first?.length]).toEqual([across.length, Math.min(TOLD, across.length)]);
      }),
    );
  });

  it('is the same whatever the order of the notes', () => {
    fc.assert(
      fc.property(many, (all) => {
        const notes = notesOf(all);
        expect(clustersOf([...notes].reverse(), CEILING)).toEqual(clustersOf(notes, CEILING));
      }),
    );
  });
});
