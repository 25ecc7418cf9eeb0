/** The waiting line against the plainest model of one: a list sorted by priority, stable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPriorityBuckets } from './priority-buckets.ts';

describe('priority buckets', () => {
  it('take what a stable sort by priority would take, whatever comes and goes in between', () => {
    const step = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant('take' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const buckets = createPriorityBuckets<number>();
        const model: { priority: number; id: number }[] = [];
        for (const [id, next] of steps.entries()) {
          if (next === 'take') {
            const best = Math.min(...model.map((item) => item.priority));
            const at = model.findIndex((item) => item.priority === best);
            const expected = at === -1 ? undefined : model.splice(at, 1)[0]?.id;
            expect(buckets.take()).toBe(expected);
          } else {
            buckets.push(next, id);
            model.push({ priority: next, id });
          }
          expect(buckets.size).toBe(model.length);
        }
      }),
    );
  });

  it('keep their order through compaction with many waiting', () => {
    const buckets = createPriorityBuckets<number>();
    for (let i = 0; i < 10_000; i += 1) buckets.push(5, i);
    for (let i = 0; i < 6_000; i += 1) expect(buckets.take()).toBe(i);
    buckets.push(5, 10_000);
    for (let i = 6_000; i <= 10_000; i += 1) expect(buckets.take()).toBe(i);
    expect(buckets.take()).toBeUndefined();
  });
});
