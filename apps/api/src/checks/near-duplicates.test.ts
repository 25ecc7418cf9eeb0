import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NOTES, MIN_BYTES, NEAR, NearDuplicates, similarityAbove, TOLD_PAIRS } from './near-duplicates.ts';

const unit = (...values: number[]): Float32Array => {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
};
/** A vector at an angle in degrees. */
const at = (angle: number) => unit(Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180), 0);

interface Note {
  readonly angle: number | null;
  readonly version?: string;
  readonly bytes?: number;
}

/** Asks as the thread does: only of what is wanted are there vectors. */
function asked(kept: NearDuplicates, notes: Readonly<Record<string, Note>>, space: string | null = 'space') {
  const states = Object.entries(notes).map(([path, { angle, version = '1', bytes = 1_000 }]) => ({
    ...{ path, title: path, sha256: version, version, bytes, whole: angle !== null },
  }));
  const read: string[] = [];
  for (const state of states) {
    const angle = notes[state.path]?.angle ?? null;
    if (space === null || angle === null || !kept.wants(state, space)) continue;
    read.push(state.path);
    kept.onNote(state, at(angle));
  }
  const answer = kept.compare({ space, notes: states });
  return { ...answer, read, names: answer.pairs.map(({ a, b }) => `${a} ${b}`) };
}

describe('notes that say nearly the same', () => {
  it('are the pairs that point nearly the same way, the most alike first', () => {
    const { pairs, names } = asked(new NearDuplicates(), {
      b: { angle: 0 },
      a: { angle: 10 },
      c: { angle: 4 },
      d: { angle: 40 },
    });
    expect(names).toEqual(['b c', 'a c', 'a b']);
    expect(pairs[2]?.similarity).toBeCloseTo(Math.cos((10 * Math.PI) / 180), 5);
  });

  it('are told anew of what changed, came or went, and of nothing else is anything read again', () => {
    const kept = new NearDuplicates();
    expect(asked(kept, { a: { angle: 0 }, b: { angle: 5 }, c: { angle: 50 } }).names).toEqual(['a b']);
    const edited = asked(kept, { a: { angle: 0 }, b: { angle: 48, version: '2' }, c: { angle: 50 } });
    expect([edited.names, edited.read]).toEqual([['b c'], ['b']]);
    const gone = asked(kept, { a: { angle: 0 }, c: { angle: 50 }, d: { angle: 1 } });
    expect([gone.names, gone.read]).toEqual([['a d'], ['d']]);
    expect(asked(kept, { a: { angle: 0 }, c: { angle: 50 }, d: { angle: 1 } })).toMatchObject({
      names: ['a d'],
      read: [],
    });
  });

  it('are compared anew when the vectors are another model’s', () => {
    const kept = new NearDuplicates();
    asked(kept, { a: { angle: 0 }, b: { angle: 5 } });
    const other = asked(kept, { a: { angle: 0 }, b: { angle: 80 } }, 'another');
    expect([other.names, other.read]).toEqual([[], ['a', 'b']]);
  });

  it('are no stubs, which are all alike', () => {
    const short = MIN_BYTES - 1;
    expect(asked(new NearDuplicates(), { a: { angle: 0, bytes: short }, b: { angle: 0, bytes: short } }).names).toEqual(
      [],
    );
  });

  it('lack those without vectors, which are counted', () => {
    const { names, pending, problem } = asked(new NearDuplicates(), {
      a: { angle: 0 },
      b: { angle: null },
      c: { angle: 1 },
    });
    expect([names, pending, problem]).toEqual([['a c'], 1, null]);
  });

  it.each([
    ['there are no vectors', { a: { angle: null } }, null, /search goes by words alone/],
    ['no note has one yet', { a: { angle: null }, b: { angle: null } }, 'space', /no note has its vectors yet/],
  ])('are not looked for where %s, which is said', (_what, notes, space, problem) => {
    expect(asked(new NearDuplicates(), notes, space)).toMatchObject({
      pairs: [],
      problem: expect.stringMatching(problem),
    });
  });

  it('are not looked for among too many', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_NOTES + 1 }, (_, n) => [`${n}`, { angle: null }]));
    expect(asked(new NearDuplicates(), many).problem).toContain(`no more than ${MAX_NOTES}`);
  });
});

describe('of notes that nearly all say the same', () => {
  /** The first of them, with the angle of each. */
  const many = (count: number, angleOf: (n: number) => number = () => 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n).padStart(5, '0'), { angle: angleOf(n) }]));
  const pairsOf = (count: number) => (count * (count - 1)) / 2;
  /** What another tells that has seen nothing before. */
  const anew = (notes: Readonly<Record<string, Note>>) => {
    const { pairs, total } = asked(new NearDuplicates(), notes);
    return { pairs, total };
  };

  it('all pairs are counted, and the best of them told', () => {
    const { pairs, names, total } = asked(new NearDuplicates(), { ...many(2_000), odd: { angle: 90 } });
    expect([pairs.length, total]).toEqual([TOLD_PAIRS, pairsOf(2_000)]);
    expect([names[0], names[998], names[999]]).toEqual(['00000 00001', '00000 00999', '00000 01000']);
  });

  it('one that changes, comes or goes leaves what somebody would tell who sees all anew', () => {
    const kept = new NearDuplicates();
    let notes: Record<string, Note> = many(120, (n) => n / 20);
    asked(kept, notes);
    const steps: ((all: Record<string, Note>) => Record<string, Note>)[] = [
      (all) => ({ ...all, '00000': { angle: 3, version: '2' } }),
      ({ '00001': _one, '00060': _other, ...rest }) => rest,
      (all) => ({ ...all, new: { angle: 2.5 }, far: { angle: 60 } }),
      (all) => Object.fromEntries(Object.entries(all).slice(0, 70)),
      (all) => Object.fromEntries(Object.entries(all).slice(60)),
      (all) => ({ ...all, ...many(60, (n) => n / 10) }),
    ];
    for (const step of steps) {
      notes = step(notes);
      const { pairs, total } = asked(kept, notes);
      expect({ pairs, total }).toEqual(anew(notes));
    }
  });

  it('those with the best pairs may all go, and the next best are told', () => {
    const kept = new NearDuplicates();
    const notes = many(400);
    asked(kept, notes);
    const left = Object.fromEntries(Object.entries(notes).slice(30));
    const { pairs, total } = asked(kept, left);
    expect([pairs, total]).toEqual([anew(left).pairs, pairsOf(370)]);
  });
});

describe('the similarity of two vectors', () => {
  it('is their cosine, or none below a bound', () => {
    const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 70, maxLength: 70 });
    const vector = numbers.filter((values) => Math.hypot(...values) > 0.1).map((values) => unit(...values));
    fc.assert(
      fc.property(vector, vector, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
        const mixed = unit(...a.map((value, i) => value * share + (b[i] ?? 0) * (1 - share)));
        const cosine = a.reduce((sum, value, i) => sum + value * (mixed[i] ?? 0), 0);
        const similarity = similarityAbove(NEAR, a, mixed);
        if (cosine > NEAR + 1e-5) expect(similarity).toBeCloseTo(cosine, 4);
        if (cosine < NEAR - 1e-5) expect(similarity).toBeNull();
      }),
    );
  });
});
