/**
 * A chat model as the writer of one note out of several. Danger: what it is not shown whole it cannot keep, so notes that are
 * too long together are not merged at all.
 */
import { z } from 'zod';
import type { ChatModel } from '../ports.ts';
import { askForJson, type Patience } from './ask-for-json.ts';
import { MERGE_SYSTEM, type MergeMember, mergeData } from './prompts.ts';

export interface MergedText {
  readonly title: string;
  readonly body: string;
  readonly type?: string;
}

export interface MergeFailure {
  readonly failed: 'too_long' | 'merger_unreachable' | 'merger_malformed';
  /** May be shown: neither the key nor what the model said is in it. */
  readonly detail: string;
}

/** Characters of all bodies together: about 4 000 tokens, which a small local model takes beside its answer. */
export const MAX_MEMBER_CHARS = 12_000;
/** All members again, with room for the words that join them and the escapes of JSON. */
const MAX_CHARS = 4 * MAX_MEMBER_CHARS;

const ONE_LINE = /^[^\p{Cc}\u2028\u2029]+$/u;
const mergedSchema = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((title) => ONE_LINE.test(title) && title.isWellFormed()),
  body: z.string().refine((body) => body.trim() !== '' && body.isWellFormed() && !/^---[ \t]*\r?\n/.test(body)),
  type: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u)
    .optional(),
});

const PROBLEM =
  'It must be an object with "title" (one line of at most 200 characters), "body" (Markdown without frontmatter, not empty) and, where it is needed, "type" (letters, digits, spaces, "_" and "-"), and no other key.';

/**
 * @param members only notes that the caller may read
 * @throws the signal's reason once it is aborted
 */
export async function mergeByModel(
  chat: ChatModel,
  members: readonly MergeMember[],
  patience: Patience,
): Promise<MergedText | MergeFailure> {
  const chars = members.reduce((sum, { body }) => sum + body.length, 0);
  if (chars > MAX_MEMBER_CHARS) return tooLong(chars);
  const question = { system: MERGE_SYSTEM, user: mergeData(members), read: readMerged, maxChars: MAX_CHARS };
  const asked = await askForJson(chat, question, patience);
  if ('value' in asked) return asked.value;
  return asked.failed === 'unreachable'
    ? { failed: 'merger_unreachable', detail: asked.detail }
    : { failed: 'merger_malformed', detail: `The chat model's answer could not be used. ${asked.detail}` };
}

function tooLong(chars: number): MergeFailure {
  const detail = `The notes hold ${chars} characters together, and no more than ${MAX_MEMBER_CHARS} are given to the chat model: write the merged text yourself.`;
  return { failed: 'too_long', detail };
}

function readMerged(value: unknown): { value: MergedText } | { problem: string } {
  const parsed = mergedSchema.safeParse(value);
  if (!parsed.success) return { problem: PROBLEM };
  const { title, body, type } = parsed.data;
  return { value: { title, body, ...(type === undefined ? {} : { type }) } };
}
