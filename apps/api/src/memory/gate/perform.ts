/**
 * Carries an intent out, for the call that planned it and alike for a recovery after a crash: each step asks first what is there,
 * and does what is not done yet. Danger: whoever crashes may have got to any byte of it; so nothing is ever written over that is
 * not known by its etag, and where something else stands the candidate gets a note of its own, since one too many beats a loss.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { DiscardKind } from '@vault-mcp/shared/records/discard-lines';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import type { GatePorts } from '../ports.ts';
import type { Action, FellBack, Unmarked } from '../types.ts';
import { freePath, slugOf } from './free-path.ts';
import { claimsOf, type Found, findNote, isMarked } from './held-paths.ts';
import { type CreateStep, etagOf, type Intent, type MarkStep, stampFrom, type UpdateStep } from './intent.ts';
import { supersededByEdit } from './marks.ts';
import { planCreate, planDiscard, planMark, type Subject, withSupersedes } from './plan.ts';

/** What is there now. */
export interface Performed {
  readonly action: Action;
  readonly fellBack: FellBack | null;
  /** The note that holds the candidate; null when it is in the discard log alone. */
  readonly path: VaultPath | null;
  readonly etag: string | null;
  readonly superseded: readonly VaultPath[];
  readonly unmarked: readonly Unmarked[];
  /** The number of the discard log's entry. */
  readonly discard: number | null;
  /** Why the discard log has it and no note; null when somebody wanted it so, or a note has it. */
  readonly shelved: DiscardKind | null;
  readonly remarks: readonly string[];
  /** Every note that it is about, as it was left: for the index and the history. */
  readonly written: ReadonlyMap<VaultPath, string>;
}

/** A step failed after others were done: the intent stands, and a recovery completes it. */
export class BegunError extends Error {
  constructor(cause: unknown) {
    super('an intent is half done', { cause });
    this.name = 'BegunError';
  }
}

export type PerformPorts = Pick<
  GatePorts,
  'vault' | 'writer' | 'caller' | 'config' | 'proposals' | 'discards' | 'change' | 'now' | 'whole'
>;

/** How often a note may have to be filed elsewhere, or a target's text to be kept in one, before something is wrong. */
const MAX_TURNS = 50;

/**
 * @param subject whose id is that of a row in our hands
 * @param isStillSo asked under the locks, before anything is done; false: nothing is
 * @throws BegunError; whatever the first step throws that changes anything: nothing is changed then
 */
export async function performIntent(
  ports: PerformPorts,
  subject: Subject,
  intent: Intent,
  isStillSo: () => Promise<boolean> = async () => true,
): Promise<Performed | 'changed'> {
  const run = new Run(ports, subject);
  try {
    return await run.perform(intent, isStillSo);
  } catch (error) {
    throw run.hasBegun && !(error instanceof BegunError) ? new BegunError(error) : error;
  }
}

/** What the steps come to; `other`: something else has to be done instead, on other paths. */
type Outcome = { readonly done: Performed } | { readonly other: Intent } | 'changed';

class Run {
  readonly #ports: PerformPorts;
  readonly #subject: Subject;
  readonly #written = new Map<VaultPath, string>();
  hasBegun = false;

  constructor(ports: PerformPorts, subject: Subject) {
    this.#ports = ports;
    this.#subject = subject;
  }

  async perform(planned: Intent, isStillSo: () => Promise<boolean>): Promise<Performed | 'changed'> {
    let intent = planned;
    for (let turn = 1; turn <= MAX_TURNS; turn++) {
      // What is done instead has been written down by then, and asks nobody again.
      const mayBegin = turn === 1 ? isStillSo : async () => true;
      const steps = async (writer: VaultWriter) => ((await mayBegin()) ? this.#steps(writer, intent) : 'changed');
      const claims = await claimsOf(this.#ports.vault, intent);
      const writer = this.#writerOf(intent);
      const outcome = claims.length === 0 ? await steps(writer) : await writer.holding(claims, steps);
      if (outcome === 'changed') return 'changed';
      if ('done' in outcome) return outcome.done;
      intent = outcome.other;
      this.#ports.proposals.plan(this.#subject.id, { ...intent });
    }
    throw new Error('a proposal finds no place that stays free');
  }

  /** What was written in this very call may be put right also by who may only add; and its marks are set by then. */
  #writerOf({ create }: Intent): VaultWriter {
    const putsRight = create !== null && create.inPlaceOf !== null;
    return putsRight ? this.#ports.whole().writer : this.#ports.writer;
  }

  /** Under the locks of everything that the intent names. */
  async #steps(writer: VaultWriter, intent: Intent): Promise<Outcome> {
    const { create, update, discard } = intent;
    if (create !== null) return this.#create(writer, intent, create);
    if (update !== null && !(await this.#update(writer, update)))
      return { other: await this.#newNote('target_changed') };
    const n = discard === null ? null : await this.#ports.discards.append(discard);
    return { done: this.#performed(intent, update?.path ?? null, n, [], []) };
  }

  async #create(writer: VaultWriter, intent: Intent, step: CreateStep): Promise<Outcome> {
    const there = await this.#read(step.path);
    // Somebody may have gone on writing in the note since: its marks tell that it was ours.
    const isNote = there !== null && there !== 'taken';
    const isOurs = isNote && intent.marks.length > 0 && (await this.#areSet(intent.marks, step.path));
    if (isNote && (there.sha256 === step.sha256 || isOurs)) this.#written.set(step.path, there.sha256);
    else if (!(await this.#put(writer, step, there))) return { other: await this.#elsewhere(intent, step) };
    const unmarked = await this.#mark(writer, intent.marks, step.path);
    if (unmarked.length > 0) return { other: await this.#withoutMarks(intent, step, unmarked) };
    const marked = intent.marks.map(({ path }) => path);
    return { done: this.#performed(intent, step.path, null, marked, intent.unmarked) };
  }

  /** @returns false when the place is taken */
  async #put(writer: VaultWriter, step: CreateStep, there: Found): Promise<boolean> {
    if (there !== null && (there === 'taken' || there.sha256 !== step.inPlaceOf)) return false;
    const { scope } = this.#ports.caller;
    const options = there === null ? { mustNotExist: true, act: 'add' as const } : { expectedEtag: there.sha256 };
    try {
      const { path, etag } = await writer.replace(step.path, () => step.text, { ...options, scope });
      this.#wrote(path, etag);
      return true;
    } catch (error) {
      if (isRaced(error)) return false;
      throw await this.#failed(error, step.path, step.sha256);
    }
  }

  /** @returns false when the target is neither as it was nor as it was to be */
  async #update(writer: VaultWriter, step: UpdateStep): Promise<boolean> {
    const there = await this.#read(step.path);
    if (there === null || there === 'taken') return false;
    if (there.sha256 === step.sha256After) {
      this.#written.set(there.path, there.sha256);
      return true;
    }
    if (there.sha256 !== step.etagBefore) return false;
    const change = () => this.#ports.change(there.text, step.edit, stampFrom(step.stamp));
    return this.#edit(writer, step, change);
  }

  /** @returns the notes that carry no mark, and cannot */
  async #mark(writer: VaultWriter, marks: readonly MarkStep[], by: VaultPath): Promise<Unmarked[]> {
    const unmarked: Unmarked[] = [];
    for (const step of marks) {
      const there = await this.#read(step.path);
      if (isMarked(there, by)) continue;
      const reason = await this.#markOne(writer, step, there, by);
      if (reason !== null) unmarked.push({ path: step.path, reason });
    }
    return unmarked;
  }

  /** @returns why it could not be; null when it is marked */
  async #markOne(writer: VaultWriter, step: MarkStep, there: Found, by: VaultPath): Promise<string | null> {
    if (there === null || there === 'taken') return 'it is not there any more';
    if (there.sha256 !== step.etagBefore) return CHANGED;
    const change = () => this.#ports.change(there.text, supersededByEdit(by), stampFrom(step.stamp));
    try {
      return (await this.#edit(writer, step, change)) ? null : CHANGED;
    } catch (error) {
      // A full disk is no fault of the note's: what is begun is completed later.
      if (!(error instanceof AppError) || PASSING.has(error.code)) throw error;
      return error.message;
    }
  }

  /** @returns false when another program has changed it meanwhile */
  async #edit(
    writer: VaultWriter,
    { path, etagBefore, sha256After }: Pick<UpdateStep, 'path' | 'etagBefore' | 'sha256After'>,
    change: () => Promise<string>,
  ): Promise<boolean> {
    const { scope } = this.#ports.caller;
    const act = 'add' as const;
    try {
      const written = await writer.edit(path, change, { expectedEtag: etagBefore, mustExist: true, scope, act });
      this.#wrote(written.path, written.etag);
      return true;
    } catch (error) {
      if (isRaced(error)) return false;
      throw await this.#failed(error, path, sha256After);
    }
  }

  /** What failed may have been written all the same, such as when the folder could not be synced behind it. */
  async #failed(error: unknown, path: VaultPath, sha256: string): Promise<unknown> {
    const there = await this.#read(path).catch(() => null);
    const isWritten = there !== null && there !== 'taken' && there.sha256 === sha256;
    return isWritten ? new BegunError(error) : error;
  }

  #wrote(path: VaultPath, etag: string): void {
    this.hasBegun = true;
    this.#written.set(path, etag);
  }

  /** The candidate as a note of its own, where a target cannot take it any more. */
  async #newNote(fellBack: FellBack): Promise<Intent> {
    const plan = planCreate(this.#ports, this.#subject, '' as VaultPath, fellBack);
    const { create } = plan.intent;
    return create === null ? plan.intent : this.#elsewhere(plan.intent, create);
  }

  /** The same under the next free name; without one, the candidate goes to the discard log. */
  async #elsewhere(intent: Intent, step: CreateStep): Promise<Intent> {
    const { namespace, title } = this.#subject.candidate;
    const path = await freePath(this.#ports, namespace, slugOf(title), step.text);
    if (path === null) return planDiscard(this.#subject, 'unplaceable').intent;
    const marks = await Promise.all(intent.marks.map((mark) => this.#remarked(mark, path)));
    return { ...intent, create: { ...step, path, inPlaceOf: null }, marks };
  }

  /** A mark that names another note; where it is set already, or cannot be, it is found out when it is its turn. */
  async #remarked(step: MarkStep, by: VaultPath): Promise<MarkStep> {
    const there = await this.#read(step.path);
    if (there === null || there === 'taken' || there.sha256 !== step.etagBefore) return step;
    const planned = await planMark(this.#ports, there, by);
    return 'step' in planned ? planned.step : step;
  }

  /** Never half a pair: the new note names only those that name it. */
  async #withoutMarks(intent: Intent, step: CreateStep, unmarked: readonly Unmarked[]): Promise<Intent> {
    const marks = intent.marks.filter(({ path }) => !unmarked.some((one) => one.path === path));
    const text = await withSupersedes(
      this.#ports,
      step.text,
      marks.map(({ path }) => path),
    );
    return {
      ...intent,
      action: marks.length > 0 ? intent.action : 'create',
      create: { ...step, text, sha256: etagOf(text), inPlaceOf: step.sha256 },
      marks,
      unmarked: [...intent.unmarked, ...unmarked],
    };
  }

  async #areSet(marks: readonly MarkStep[], by: VaultPath): Promise<boolean> {
    for (const { path } of marks) if (!isMarked(await this.#read(path), by)) return false;
    return true;
  }

  #read(path: VaultPath): Promise<Found> {
    return findNote(this.#ports.vault, path);
  }

  #performed(
    { action, fellBack, remarks, discard: entry }: Intent,
    path: VaultPath | null,
    discard: number | null,
    superseded: readonly VaultPath[],
    unmarked: readonly Unmarked[],
  ): Performed {
    const etag = path === null ? null : (this.#written.get(path) ?? null);
    const shelved = path === null && entry !== null && entry.kind !== 'discarded' ? entry.kind : null;
    return { action, fellBack, path, etag, superseded, unmarked, discard, shelved, remarks, written: this.#written };
  }
}

const CHANGED = 'another program has changed it meanwhile';
const PASSING = new Set(['insufficient_storage', 'locked']);

function isRaced(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'already_exists' || error.code === 'precondition_failed' || error.code === 'not_found')
  );
}
