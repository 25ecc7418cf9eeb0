/**
 * Writes the note that several become and marks them as superseded by it, so that a crash at any byte loses nothing: by an intent,
 * as the gate does, which a recovery carries out. Danger: between reading the notes and writing lies a model's time, in which
 * anybody may have changed one; such a one stays as it is, and with fewer than two left nothing is written.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { candidateHash } from '../gate/candidate.ts';
import { freePath, inTurn, slugOf } from '../gate/free-path.ts';
import { findNote } from '../gate/held-paths.ts';
import { inHands, takeInHand } from '../gate/in-hand.ts';
import type { Intent } from '../gate/intent.ts';
import { BegunError, type Performed, performIntent } from '../gate/perform.ts';
import { noteText, type Subject } from '../gate/plan.ts';
import type { GatePorts } from '../ports.ts';
import type { Candidate, Unmarked } from '../types.ts';
import type { Member } from './members.ts';
import { planMerge } from './merged-note.ts';

/** What became of it, or why nothing was done. */
export type Merge =
  | { readonly path: VaultPath; readonly superseded: readonly VaultPath[]; readonly unmarked: readonly Unmarked[] }
  | { readonly error: MergeError; readonly unmarked: readonly Unmarked[] };

export interface MergeError {
  readonly code: string;
  readonly message: string;
}

/** @returns an error where the notes are fewer than two by now, or no name is free; @throws AppError what writing throws */
export async function mergeCluster(ports: GatePorts, candidate: Candidate, members: readonly Member[]): Promise<Merge> {
  const { agent, source } = ports.caller;
  const { row } = ports.proposals.begin({
    ...{ kind: 'consolidate', agent, source, request: { ...candidate } },
    candidateHash: candidateHash(candidate),
  });
  takeInHand(ports.proposals, row.id);
  const subject: Subject = { id: row.id, candidate, agent, source, seen: [], decision: null };
  return inHands(ports.proposals, row.id, async () => {
    try {
      const merge = await carryOut(ports, subject, members);
      afterwards(() => ports.proposals.finish(row.id, { status: 'done', ...merge }));
      return merge;
    } catch (error) {
      if (error instanceof BegunError) throw begun(error.cause);
      giveUp(ports, row.id, error);
      throw error;
    }
  });
}

/** Where a note would be written now, and what could not be marked: nothing is done. */
export async function previewMerge(ports: GatePorts, candidate: Candidate, members: readonly Member[]): Promise<Merge> {
  const { agent, source } = ports.caller;
  const subject = { candidate, agent, source };
  const path = await freePath(ports, candidate.namespace, slugOf(candidate.title), noteText(ports, subject, []));
  if (path === null) return noName(candidate);
  const { marks, unmarked } = await planMerge(ports, subject, path, members);
  if (marks.length < 2) return tooFew(unmarked);
  return { path, superseded: marks.map((mark) => mark.path), unmarked };
}

function carryOut(ports: GatePorts, subject: Subject, members: readonly Member[]): Promise<Merge> {
  const { candidate } = subject;
  const slug = slugOf(candidate.title);
  return inTurn(ports.vault, candidate.namespace, slug, async () => {
    const path = await freePath(ports, candidate.namespace, slug, noteText(ports, subject, []));
    return path === null ? noName(candidate) : performMerge(ports, subject, path, members);
  });
}

/** Those that turn out to have changed are left out, and the rest is planned anew. */
async function performMerge(
  ports: GatePorts,
  subject: Subject,
  path: VaultPath,
  members: readonly Member[],
): Promise<Merge> {
  const changed: Unmarked[] = [];
  for (;;) {
    const still = members.filter((member) => !changed.some((one) => one.path === member.path));
    const planned = await planMerge(ports, subject, path, still);
    const intent = { ...planned, unmarked: [...changed, ...planned.unmarked] };
    if (intent.marks.length < 2) return tooFew(intent.unmarked);
    const performed = await performIntent(ports, subject, intent, async () => {
      const found = await changedSince(ports, intent);
      changed.push(...found);
      if (found.length === 0) ports.proposals.plan(subject.id, { ...intent });
      return found.length === 0;
    });
    if (performed !== 'changed') return told(ports, subject, performed);
  }
}

/** Under the locks. */
async function changedSince({ vault }: GatePorts, { marks }: Intent): Promise<Unmarked[]> {
  const changed: Unmarked[] = [];
  for (const { path, etagBefore } of marks) {
    const there = await findNote(vault, path);
    if (there !== null && there !== 'taken' && there.sha256 === etagBefore) continue;
    changed.push({ path, reason: 'it was changed before it could be merged' });
  }
  return changed;
}

function told(ports: GatePorts, subject: Subject, performed: Performed): Merge {
  const { path, superseded, unmarked, written, discard } = performed;
  afterwards(() => {
    if (written.size > 0) ports.recordChange('consolidate', subject, [...written.keys()]);
  });
  if (path !== null) return { path, superseded, unmarked };
  const { error } = noName(subject.candidate);
  return { error: { ...error, message: `${error.message} The merged text is kept as discard ${discard}.` }, unmarked };
}

/** Of what is done already, so that whatever fails now a recovery brings it to its end. @throws BegunError */
function afterwards(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new BegunError(error);
  }
}

/** Nothing was done, and nothing would be lost: the row is closed. Where it cannot be, a recovery puts it away. */
function giveUp(ports: GatePorts, id: string, cause: unknown): void {
  const message = cause instanceof AppError ? cause.message : 'It failed.';
  try {
    ports.proposals.finish(id, { status: 'failed', message });
  } catch (error) {
    ports.log.warn({ err: error, proposal: id }, 'a merge that failed stays in memory.db, until it can be put away');
  }
}

function begun(cause: unknown): unknown {
  if (!(cause instanceof AppError)) return cause;
  return new AppError(cause.code, `${cause.message} What was begun is completed by the next call.`, { cause });
}

function tooFew(unmarked: readonly Unmarked[]): Extract<Merge, { error: MergeError }> {
  const message = 'Fewer than two of these notes can be merged by now, so nothing was written: see unmarked.';
  return { error: { code: 'members_changed', message }, unmarked };
}

function noName({ namespace, title }: Candidate): Extract<Merge, { error: MergeError }> {
  const place = namespace === '' ? 'the root' : namespace;
  const message = `Every name for "${title}" is taken in ${place}: give the merged note another title.`;
  return { error: { code: 'already_exists', message }, unmarked: [] };
}
