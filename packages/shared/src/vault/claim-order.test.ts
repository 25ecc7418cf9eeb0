import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ClaimedKey, ClaimOrder, foldersAbove, type Place } from './claim-order.ts';

function conflict(a: readonly ClaimedKey[], b: readonly ClaimedKey[]): boolean {
  const above = (one: ClaimedKey, other: ClaimedKey) => one.tree && other.key.startsWith(`${one.key}/`);
  return a.some((one) => b.some((other) => one.key === other.key || above(one, other) || above(other, one)));
}

const claims = fc.array(
  fc.record({ key: fc.constantFrom('a', 'a/b', 'a/b/c', 'a/d', 'ab', 'e/f'), tree: fc.boolean() }),
  { minLength: 1, maxLength: 3 },
);

it('makes a call wait for an earlier one that conflicts, and for none else, whoever has left', () => {
  const come = fc.record({ claims });
  const go = fc.record({ leaves: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(fc.oneof(come, go), { maxLength: 40 }), (steps) => {
      const order = new ClaimOrder<number>();
      const present: Place<number>[] = [];
      steps.forEach((step, i) => {
        if ('claims' in step) present.push(order.enter(i, step.claims));
        else {
          const [leaving] = present.splice(step.leaves % (present.length || 1), 1);
          if (leaving !== undefined) order.leave(leaving);
        }
        present.forEach((place, at) => {
          const blockers = present.slice(0, at).filter((earlier) => conflict(earlier.claims, place.claims));
          const blocker = order.blockerOf(place);
          if (blocker === undefined) expect(blockers).toEqual([]);
          else expect(blockers).toContain(blocker);
        });
      });
    }),
  );
});

it('knows the folders above a key', () => {
  expect(foldersAbove('a/b/c')).toEqual(['a', 'a/b']);
  expect(foldersAbove('a')).toEqual([]);
});
