/**
 * A chat model's JSON read as a decision. Pure. Danger: a decision that is read too kindly drops text nobody saw: a body beside
 * `create`, say, or two texts of which one is kept. Whether its target may be touched is not known here.
 */
import { z } from 'zod';
import type { Decision } from '../types.ts';

const text = z.string();
const decisionSchema = z.strictObject({
  action: z.enum(['update', 'supersede', 'create', 'discard']),
  target: text.optional(),
  body: text.optional(),
  append: text.optional(),
  section: text.optional(),
  reason: text.optional(),
});

const KEYS = new Set(Object.keys(decisionSchema.shape));
const SHAPE_PROBLEM =
  'It must be an object with "action", which is "update", "supersede", "create" or "discard", and, where they are needed, "target", "body", "append", "section" and "reason", all of them texts, and no other key.';

/** @returns the decision, or what is wrong with it in words that repeat nothing of it */
export function readDecision(value: unknown): { value: Decision } | { problem: string } {
  const parsed = decisionSchema.safeParse(value);
  if (!parsed.success) return { problem: shapeProblem(value) };
  const decision = parsed.data;
  const problem = problemOf(decision);
  return problem === null ? { value: decision } : { problem };
}

function shapeProblem(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return SHAPE_PROBLEM;
  const nulls = Object.entries(value).filter(([key, one]) => KEYS.has(key) && one === null);
  return nulls.length === 0 ? SHAPE_PROBLEM : `${SHAPE_PROBLEM} Keys that are not needed are left out, not null.`;
}

function problemOf({ action, target, body, append, section }: z.infer<typeof decisionSchema>): string | null {
  if (body !== undefined && append !== undefined) return 'It has both "body" and "append": give one of them.';
  if (action !== 'update' && (body ?? append ?? section) !== undefined) {
    return '"body", "append" and "section" go with the action "update" only.';
  }
  const needsTarget = action === 'update' || action === 'supersede';
  if (needsTarget && !target) return `The action "${action}" needs "target", the path of one of the similar notes.`;
  if (![body, append].every((one) => one === undefined || one.isWellFormed())) {
    return 'Its texts must be well-formed Unicode.';
  }
  return null;
}
