/**
 * The lines of the discard log: what each holds, how it is written and read. Pure. Danger: the log is the only copy of
 * what it holds and lives with the vault for years, so fields may be added to a line but never change their meaning; and
 * a line that cannot be read is counted and left as it is.
 */
import { z } from 'zod';
import type { StoredObject } from './proposal-rows.ts';

/** Grows when an older program would misread a line. */
const VERSION = 1;

/**
 * `discarded`: a decider said so. `expired`: nobody decided in time. `interrupted`: a crash came before the decision.
 * `unplaceable`: no name was free, or it could not be written. `replaced`: text of a note that a write took the place of.
 * `merged`: what came into another note in other words.
 */
const KINDS = ['discarded', 'expired', 'interrupted', 'unplaceable', 'replaced', 'merged'] as const;
export type DiscardKind = (typeof KINDS)[number];

/** What was proposed, as whoever writes the entry has it. */
export interface DiscardedCandidate {
  readonly title: string;
  readonly body: string;
}

/** Text that stood in a note. */
export interface ReplacedText {
  readonly path: string;
  readonly etag: string;
  readonly text: string;
}

export interface NewDiscard {
  /** Says whether it is there already, so that a writer that was cut short may write it again: unlike for each entry. */
  readonly id: string;
  readonly kind: DiscardKind;
  readonly agent: string;
  readonly source?: string | undefined;
  readonly candidate?: DiscardedCandidate | undefined;
  /** What the decider saw. */
  readonly seen?: readonly object[] | undefined;
  readonly decision?: object | undefined;
  readonly note?: ReplacedText | undefined;
}

export interface Discard {
  /** Its number, one more than the entry's before. */
  readonly n: number;
  readonly id: string;
  /** When it was written, ISO 8601 in UTC. */
  readonly t: string;
  readonly kind: DiscardKind;
  readonly agent: string;
  readonly source?: string | undefined;
  readonly candidate?: (DiscardedCandidate & StoredObject) | undefined;
  readonly seen?: readonly StoredObject[] | undefined;
  readonly decision?: StoredObject | undefined;
  readonly note?: ReplacedText | undefined;
}

/** Says of an entry that it is a note again. */
export interface RestoredMark {
  readonly n: number;
  readonly id: string;
  readonly t: string;
  readonly kind: 'restored';
  /** The entry's number and id. */
  readonly of: number;
  readonly of_id: string;
  readonly path: string;
}

export interface DiscardSummary {
  readonly n: number;
  readonly t: string;
  readonly kind: DiscardKind;
  readonly agent: string;
  readonly title?: string;
  /** Of the note whose text it is. */
  readonly path?: string;
  /** The decider's. */
  readonly reason?: string;
  /** The note that it became again. */
  readonly restored?: string;
}

const object = z.record(z.string(), z.unknown());
const numbered = { n: z.int().positive(), id: z.string(), t: z.string() };
const line = z.union([
  z.object({
    ...{ v: z.literal(VERSION), ...numbered, kind: z.enum(KINDS), agent: z.string(), source: z.string().optional() },
    candidate: z.looseObject({ title: z.string(), body: z.string() }).optional(),
    seen: z.array(object).optional(),
    decision: object.optional(),
    note: z.object({ path: z.string(), etag: z.string(), text: z.string() }).optional(),
  }),
  z.object({
    ...{ v: z.literal(VERSION), ...numbered, kind: z.literal('restored') },
    ...{ of: z.int().positive(), of_id: z.string(), path: z.string() },
  }),
]);

export type DiscardLine = Discard | RestoredMark;
export type NewMark = Omit<RestoredMark, 'n' | 't'>;

/** @returns one line, with its end */
export function formatDiscardLine(entry: NewDiscard | NewMark, n: number, at: Date): string {
  const { id, kind, ...rest } = entry;
  return `${JSON.stringify({ v: VERSION, n, id, t: at.toISOString(), kind, ...rest })}\n`;
}

/** @returns null for what is damaged, or a newer version's */
export function parseDiscardLine(text: string): DiscardLine | null {
  const parsed = line.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { v: _version, ...entry } = parsed.data;
  return entry;
}

/** The number that a line has even if nothing else of it can be read; 0 for none. */
export function numberOfLine(text: string): number {
  const n = (parseJson(text) as { n?: unknown } | null)?.n;
  return typeof n === 'number' && Number.isSafeInteger(n) && n > 0 ? n : 0;
}

export function summaryOf(discard: Discard, restored: string | undefined): DiscardSummary {
  const { n, t, kind, agent, candidate, note, decision } = discard;
  const reason = decision?.reason;
  return {
    ...{ n, t, kind, agent },
    ...(candidate !== undefined && { title: candidate.title }),
    ...(note !== undefined && { path: note.path }),
    ...(typeof reason === 'string' && { reason }),
    ...(restored !== undefined && { restored }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
