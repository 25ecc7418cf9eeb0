/**
 * What a vault's own script says of callouts, held to the shape that is documented. Pure. Danger: it is a stranger's JSON,
 * so only known fields of known types go on, each up to its size, and no more of them than anybody reads.
 */
import { calloutSeverity, type Severity } from '@vault-mcp/shared/vault/note/callouts';
import { z } from 'zod';
import { isObject, parseJson, problemOf, type Read } from './declaration.ts';

/** One that a script gave: it may stand in no note, and be of no type. */
export interface ScriptCallout {
  readonly note?: string;
  /** 1-based. */
  readonly line?: number;
  /** In lower case. */
  readonly type?: string;
  readonly severity: Severity;
  /** Empty where there is none. */
  readonly title: string;
  /** The first 10 000 characters, as of the built-in ones. */
  readonly body: string;
}

export interface GivenCallouts {
  /** At most `MAX_CALLOUTS`, in the script's order. */
  readonly callouts: readonly ScriptCallout[];
  /** How many there were. */
  readonly total: number;
}

/** Callouts that are kept of a script's: ten times what the largest vault of those we know has. */
export const MAX_CALLOUTS = 10_000;
const MAX_TEXT = 10_000;

const text = (what: string, max: number) =>
  z.string(`${what} must be a text`).max(max, `${what} is longer than ${max} characters`);

const calloutSchema = z.object(
  {
    note: text('note', 4_096).nullish(),
    line: z.int('line must be a whole number').min(1, 'lines count from 1').nullish(),
    type: text('type', 200).nullish(),
    severity: z.enum(['error', 'warning', 'info'], 'severity must be error, warning or info').nullish(),
    title: z.string('title must be a text').nullish(),
    body: z.string('body must be a text').nullish(),
  },
  'a callout must be an object',
);

/** @param printed standard output of `--json` */
export function readCallouts(printed: string, exitCode: number | null): Read<GivenCallouts> {
  if (exitCode !== 0) return { problem: `it ended with ${exitCode}` };
  const parsed = parseJson(printed);
  if (!isObject(parsed)) return { problem: 'what it printed is no JSON object' };
  const { callouts } = parsed;
  if (!Array.isArray(callouts)) return { problem: 'what it printed has no list "callouts"' };
  const { success, data, error } = z.array(calloutSchema).safeParse(callouts.slice(0, MAX_CALLOUTS));
  if (!success) return { problem: `its callouts do not fit: ${problemOf(error)}` };
  return { value: { callouts: data.map(asCallout), total: callouts.length } };
}

function asCallout({ note, line, type, severity, title, body }: z.infer<typeof calloutSchema>): ScriptCallout {
  const kind = type?.trim().toLowerCase();
  return {
    ...(note != null && { note }),
    ...(line != null && { line }),
    ...(kind && { type: kind }),
    severity: severity ?? (kind ? calloutSeverity(kind) : 'info'),
    title: (title ?? '').slice(0, MAX_TEXT),
    body: (body ?? '').slice(0, MAX_TEXT),
  };
}
