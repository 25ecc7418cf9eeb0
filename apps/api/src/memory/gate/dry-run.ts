/**
 * What a proposal would come to, with nothing recorded and nothing changed: the notes that say something similar, and with a
 * decision the texts as they would be. Danger: none of it is promised, since anybody may change anything until it is sent.
 */
import type { GatePorts } from '../ports.ts';
import type { DryRunAnswer } from '../types.ts';
import { ruleOn } from './act.ts';
import { type Decider, parseDecision } from './decision.ts';
import { freePath, slugOf } from './free-path.ts';
import { noteText, type Plan, planCreate, planDiscard, planSupersede, planUpdate, type Subject } from './plan.ts';
import { admit, type ProposeInput } from './propose.ts';
import { findSimilar } from './similar.ts';

const WHO: Decider = 'agent';

/** @param input its token is not asked for: what it is held against is what is found now. @throws AppError like propose */
export async function dryRun(ports: GatePorts, input: ProposeInput): Promise<DryRunAnswer> {
  const { candidate, ceilings } = await admit(ports, input);
  const { similar, degraded } = await findSimilar(ports, candidate, ceilings);
  const { agent, source } = ports.caller;
  const subject: Subject = { id: 'dry-run', candidate, agent, source, seen: similar, decision: null };
  const path = await freePath(ports, candidate.namespace, slugOf(candidate.title), noteText(ports, subject, []));
  const plan = await planned(ports, subject, path, input.decision);
  const found = { status: 'dry_run', similar, degraded } as const;
  if (plan === null) return { ...found, action: null, path, fell_back: null, diffs: [] };
  const { action, fellBack, create, update, marks } = plan.intent;
  const diffs = [];
  for (const { path: changed, before, after } of plan.changes) {
    diffs.push({ path: changed, diff: await ports.diff(changed, before, after) });
  }
  const [superseded] = marks;
  return {
    ...{ ...found, action, path: create?.path ?? update?.path ?? null },
    ...(superseded !== undefined && { superseded: superseded.path }),
    ...{ fell_back: fellBack, diffs },
  };
}

/** Null where nobody has decided yet. */
async function planned(
  ports: GatePorts,
  subject: Subject,
  path: Awaited<ReturnType<typeof freePath>>,
  given: unknown,
): Promise<Plan | null> {
  if (path === null) return planDiscard(subject, 'unplaceable');
  if (subject.seen.length === 0) return planCreate(ports, subject, path, null);
  if (given === undefined) return null;
  const decision = parseDecision(given);
  const { ruling, touch } = await ruleOn(ports, { ...subject, decision }, WHO);
  const plan = await planOf(ports, subject, path, ruling, touch);
  return plan === 'changed' ? planCreate(ports, subject, path, 'target_changed') : plan;
}

async function planOf(
  ports: GatePorts,
  subject: Subject,
  path: Parameters<typeof planCreate>[2],
  ruling: Awaited<ReturnType<typeof ruleOn>>['ruling'],
  touch: Awaited<ReturnType<typeof ruleOn>>['touch'],
): Promise<Plan | 'changed'> {
  switch (ruling.action) {
    case 'discard':
      return planDiscard(subject, 'discarded');
    case 'create':
      return planCreate(ports, subject, path, ruling.fellBack);
    case 'supersede':
      return planSupersede(ports, subject, path, ruling.target);
    case 'update':
      return planUpdate(ports, subject, ruling.target, ruling.change, touch);
  }
}
