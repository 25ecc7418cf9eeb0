/**
 * Does what was decided, as far as the rails let it. Danger: between what a decider saw and what is on the disk lies time, in
 * which anybody may have changed the target: then nothing is done, and whoever decided is asked once more.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { GatePorts } from '../ports.ts';
import type { DoneAnswer } from '../types.ts';
import { carryOut, createNote, shelve, withFreePath } from './carry-out.ts';
import { checkDecision, type Decider, type Ruling, targetOf } from './decision.ts';
import { type Changed, planSupersede, planUpdate, type Subject } from './plan.ts';
import { type Touch, touchOf } from './target-rights.ts';

/** A subject about which something was decided. */
export interface Decided extends Subject {
  readonly decision: NonNullable<Subject['decision']>;
}

/**
 * @throws AppError `invalid_value`, `no_such_heading` and the like for what an agent can say better; what carryOut throws
 */
export async function act(ports: GatePorts, subject: Decided, who: Decider): Promise<DoneAnswer | Changed> {
  const { ruling, touch } = await ruleOn(ports, subject, who);
  switch (ruling.action) {
    case 'discard':
      return shelve(ports, subject, 'discarded');
    case 'create':
      return createNote(ports, subject, ruling.fellBack);
    case 'supersede':
      return withFreePath(ports, subject, async (path) => {
        const plan = await planSupersede(ports, subject, path, ruling.target);
        return plan === 'changed' ? 'changed' : carryOut(ports, subject, plan);
      });
    case 'update':
      return update(ports, subject, ruling, touch, who);
  }
}

/** @throws AppError `invalid_value` */
export async function ruleOn(
  ports: GatePorts,
  { decision, candidate, seen }: Decided,
  who: Decider,
): Promise<{ readonly ruling: Ruling; readonly touch: Touch }> {
  const target = targetOf(decision, seen);
  const touch = target === undefined ? 'none' : await touchOf(ports, target.path);
  return { ruling: checkDecision(decision, candidate, seen, touch, who), touch };
}

async function update(
  ports: GatePorts,
  subject: Decided,
  { target, change }: Extract<Ruling, { action: 'update' }>,
  touch: Touch,
  who: Decider,
): Promise<DoneAnswer | Changed> {
  try {
    const plan = await planUpdate(ports, subject, target, change, touch);
    return plan === 'changed' ? 'changed' : await carryOut(ports, subject, plan);
  } catch (error) {
    // A model is not asked again for its heading: the candidate stands by itself then.
    if (who === 'agent' || !(error instanceof AppError)) throw error;
    if (error.code === 'no_such_heading' || error.code === 'ambiguous_heading') {
      return createNote(ports, subject, 'unknown_target', [error.message]);
    }
    if (error.code === 'invalid_value' || error.code === 'note_too_large') {
      return createNote(ports, subject, 'decider_malformed', [error.message]);
    }
    throw error;
  }
}
