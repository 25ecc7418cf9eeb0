/**
 * Propose something to be remembered: the write gate compares it with what is there, and files it as its decider says. Danger: it
 * writes by itself, from texts of anybody's; everything that holds it back stands in memory/gate, and nothing of it here.
 */
import { z } from 'zod';
import type { BodyLimit } from '../memory/gate/candidate.ts';
import { dryRun } from '../memory/gate/dry-run.ts';
import { propose as proposeToGate } from '../memory/gate/propose.ts';
import { recoverProposals } from '../memory/gate/recover.ts';
import type { DecideAnswer, DoneAnswer, DryRunAnswer } from '../memory/types.ts';
import { gatePorts, type MemoryContext } from './gate-ports.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { dryRun as dryRunField } from './write-input.ts';

const decision = z.strictObject({
  action: z.enum(['update', 'supersede', 'create', 'discard']),
  target: z.string().optional().describe('Path of one of the similar notes.'),
  body: z.string().optional().describe("update: the new body, or the section's new text."),
  append: z.string().optional().describe('update: text to add instead.'),
  section: z.string().optional().describe('update: only this heading.'),
  reason: z.string().max(2_000).optional().describe('Why, for the records.'),
});

/**
 * Its keys and values are the gate's to judge. Danger: a record of the schema library drops a key "__proto__" without a word, so
 * the object goes on as it was sent.
 */
const frontmatter = z.unknown().check(({ value, issues }) => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  issues.push({ code: 'invalid_type', expected: 'record', input: value });
}) as unknown as z.ZodType<Readonly<Record<string, unknown>>>;

export const proposeInput = z.strictObject({
  title: z.string().describe('One line.'),
  type: z.string().describe('Such as fact, decision, preference.'),
  namespace: z.string().describe('Folder.'),
  body: z.string().describe('Markdown without frontmatter.'),
  frontmatter: frontmatter.meta({ type: 'object' }).optional().describe('Further keys.'),
  token: z.string().max(200).optional().describe('Of the answer that showed similar notes.'),
  decision: decision.optional().describe('What to do about them.'),
  idempotency_key: z
    .string()
    .refine((key) => /^[\x20-\x7e]{1,128}$/.test(key), 'must be 1 to 128 printable characters')
    .optional()
    .describe('Sent again, it answers as at first.'),
  dry_run: dryRunField,
});

/**
 * @throws AppError `invalid_request`, `invalid_value`, `invalid_path`, `already_exists` (a namespace in another case),
 * `not_a_directory`, `out_of_scope`, `note_too_large`, `no_such_heading`, `ambiguous_heading`, `not_ready`, `locked`,
 * `insufficient_storage`
 */
export async function propose(
  context: MemoryContext,
  input: z.infer<typeof proposeInput>,
  request: WriteRequest,
  limit?: BodyLimit,
): Promise<DecideAnswer | DoneAnswer | DryRunAnswer> {
  refuseWhenReadOnly(context);
  const ports = gatePorts(context, request);
  const { dry_run: isDry, ...proposal } = input;
  if (isDry) return dryRun(ports, proposal);
  // What a crash left is completed first: it may be what this one is to be compared with.
  await recoverProposals(ports.whole(), { briefly: true });
  return proposeToGate(ports, proposal, limit);
}
