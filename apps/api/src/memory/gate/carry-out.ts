/**
 * A plan made true: written down, performed, told to index and history, answered. Danger: the order. What a write replaces is in
 * the discard log before it, the intent in memory.db before the first byte of the vault, and the answer last of all.
 */
import type { DiscardKind } from '@vault-mcp/shared/records/discard-lines';
import type { ProposalKind } from '@vault-mcp/shared/records/proposal-rows';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { GatePorts } from '../ports.ts';
import type { DoneAnswer, FellBack, Indexed } from '../types.ts';
import { freePath, inTurn, slugOf } from './free-path.ts';
import { findNote } from './held-paths.ts';
import type { Intent } from './intent.ts';
import { BegunError, type Performed, performIntent } from './perform.ts';
import { type Changed, noteText, type Plan, planCreate, planDiscard, type Subject } from './plan.ts';

/** @throws what performIntent throws */
export async function carryOut(ports: GatePorts, subject: Subject, plan: Plan): Promise<DoneAnswer | Changed> {
  const { intent, replaced } = plan;
  if (replaced !== undefined) await ports.discards.append(replaced);
  const performed = await performIntent(ports, subject, intent, async () => {
    if (!(await isUntouched(ports, intent))) return false;
    ports.proposals.plan(subject.id, { ...intent });
    return true;
  });
  return performed === 'changed' ? 'changed' : settle(ports, subject, performed);
}

/**
 * What is done is told and answered.
 *
 * @param operation whose it was, for the history
 * @throws BegunError when it cannot be written down any more
 */
export async function settle(
  ports: GatePorts,
  subject: Subject,
  performed: Performed,
  operation: ProposalKind = 'propose',
): Promise<DoneAnswer> {
  const { written } = performed;
  try {
    if (written.size > 0) ports.recordChange(operation, subject, [...written.keys()]);
    const answer = doneAnswer(performed, written.size > 0 ? await ports.announce(written) : undefined);
    ports.proposals.finish(subject.id, {
      ...answer,
      ...(performed.shelved !== null && { shelved: performed.shelved }),
    });
    return answer;
  } catch (error) {
    throw new BegunError(error);
  }
}

/** The note of a candidate, under the next free name; without one, the discard log has it. */
export function createNote(
  ports: GatePorts,
  subject: Subject,
  fellBack: FellBack | null,
  remarks: readonly string[] = [],
): Promise<DoneAnswer> {
  return withFreePath(ports, subject, async (path) => {
    const plan = planCreate(ports, subject, path, fellBack);
    return unchanging(await carryOut(ports, subject, { ...plan, intent: { ...plan.intent, remarks: [...remarks] } }));
  });
}

/** The candidate, whole, into the discard log. */
export async function shelve(ports: GatePorts, subject: Subject, kind: DiscardKind): Promise<DoneAnswer> {
  return unchanging(await carryOut(ports, subject, planDiscard(subject, kind)));
}

/** Works on the next free path as the only one in this process who wants one of that name. */
export function withFreePath<T>(
  ports: GatePorts,
  subject: Subject,
  work: (path: VaultPath) => Promise<T>,
): Promise<T | DoneAnswer> {
  const { namespace, title } = subject.candidate;
  const slug = slugOf(title);
  return inTurn(ports.vault, namespace, slug, async () => {
    const path = await freePath(ports, namespace, slug, noteText(ports, subject, []));
    return path === null ? shelve(ports, subject, 'unplaceable') : work(path);
  });
}

/** Under the locks: whether the notes that it changes are those that it was computed from. */
async function isUntouched({ vault }: GatePorts, { update, marks }: Intent): Promise<boolean> {
  for (const { path, etagBefore } of [...(update === null ? [] : [update]), ...marks]) {
    const there = await findNote(vault, path);
    if (there === null || there === 'taken' || there.sha256 !== etagBefore) return false;
  }
  return true;
}

/** Of a plan that changes no note that was there. */
function unchanging(answer: DoneAnswer | Changed): DoneAnswer {
  if (answer === 'changed') throw new Error('a plan that changes nothing cannot have been overtaken');
  return answer;
}

function doneAnswer(performed: Performed, indexed: Indexed | undefined): DoneAnswer {
  const { action, path, etag, fellBack, superseded, unmarked, discard } = performed;
  const remarks = [...performed.remarks, ...shelvedRemark(performed)];
  const [first] = superseded;
  return {
    ...{ status: 'done', action, path },
    ...(first !== undefined && { superseded: first }),
    ...(unmarked.length > 0 && { unmarked }),
    ...{ fell_back: fellBack, etag },
    ...(discard !== null && { discard }),
    ...(indexed !== undefined && { indexed }),
    ...(remarks.length > 0 && { remarks }),
  };
}

/** Of what nobody wanted in the discard log. */
function shelvedRemark({ shelved, discard: n }: Performed): string[] {
  if (shelved === null) return [];
  return [
    `No note could be made of it: it is kept as discard ${n}, which "vault-mcp discards restore ${n}" has proposed again.`,
  ];
}
