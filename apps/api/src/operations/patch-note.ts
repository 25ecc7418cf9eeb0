/**
 * Change one part of a note: a section by its heading, a block by its id, or the whole prose. Danger: a target that is
 * missing or could mean several parts is refused, since a patch in the wrong place is found by nobody.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeNote, type NoteWriteAnswer } from './change-note.ts';
import type { WriteRequest } from './write-context.ts';
import { createIfMissing, expectedEtag, notePath, outcomeFields } from './write-input.ts';

/** In UTF-16 units; looking for a long one in a long target would take the product of both. */
const MAX_DELIMITER = 64;

export const patchNoteInput = z.strictObject({
  path: notePath,
  target_type: z
    .enum(['heading', 'block', 'body'])
    .optional()
    .describe('Default heading, or block for a target ^id; body is all below the frontmatter and has no target.'),
  target: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('A heading as the map gives it ("Plan::Costs", "Costs[2]") or as a list; a block as ^id.'),
  target_delimiter: z
    .string()
    .min(1)
    .max(MAX_DELIMITER)
    .optional()
    .describe('What parts the headings of a target. Default "::".'),
  operation: z.enum(['replace', 'append', 'prepend', 'delete']).describe('What to do with that part.'),
  scope: z
    .enum(['content', 'own', 'marker', 'markerAndContent'])
    .optional()
    .describe(
      'For a heading: content = all below its line (default), own = up to its first subsection, marker = its line (replace only), markerAndContent = both.',
    ),
  content: z
    .string()
    .optional()
    .describe('The text, without the heading line unless the scope has it; none for delete.'),
  create_if_missing: createIfMissing.describe('Make a heading that is not there.'),
  expected_etag: expectedEtag,
  ...outcomeFields,
});

export interface PatchNoteAnswer extends NoteWriteAnswer {
  /** Subsections that a replace or delete took away, as targets. */
  readonly removed_subsections: readonly string[];
  /** Headings made because they were missing. */
  readonly created_headings: readonly string[];
}

type PatchNoteInput = z.infer<typeof patchNoteInput>;

/**
 * @throws AppError `no_such_heading`, `ambiguous_heading`, `no_such_block`; `invalid_value`; `invalid_request`;
 * `not_found`; what changeNote throws
 */
export async function patchNote(
  context: WriteContext,
  input: PatchNoteInput,
  request: WriteRequest,
): Promise<PatchNoteAnswer> {
  const { answer, removedSubsections, createdHeadings } = await changeNote(context, input, request, {
    operation: 'patch-note',
    mustExist: true,
    edit: editOf(input),
  });
  return { ...answer, removed_subsections: removedSubsections, created_headings: createdHeadings };
}

/** The edit that the input asks for. @throws AppError `invalid_request` for one that makes no sense on any note */
function editOf(input: PatchNoteInput): NoteEdit {
  const { operation, target, scope } = input;
  const type = input.target_type ?? namedType(target);
  const createIfMissing = input.create_if_missing ?? false;
  const content = contentOf(input);
  if (type !== 'heading' && scope !== undefined && scope !== 'content') {
    throw new AppError(
      'invalid_request',
      `A scope is for headings; the target type is "${type}": leave the scope out.`,
    );
  }
  if (type === 'body') {
    if (target !== undefined) {
      throw new AppError(
        'invalid_request',
        'The body is the whole prose: leave the target out, or name a target type.',
      );
    }
    return { kind: 'body', operation, content };
  }
  if (target === undefined) throw new AppError('invalid_request', `target is required: the ${type} to change.`);
  if (type === 'block') {
    return { kind: 'block', id: blockId(target), operation, content, options: { createIfMissing } };
  }
  const options = {
    createIfMissing,
    ...(scope === undefined ? {} : { scope }),
    ...(input.target_delimiter === undefined ? {} : { delimiter: input.target_delimiter }),
  };
  return { kind: 'section', target, operation, content, options };
}

/** What a target names when nobody says: a map shows a block as its `^id`, which no heading's target begins with. */
function namedType(target: PatchNoteInput['target']): 'heading' | 'block' {
  return typeof target === 'string' && /^\s*\^[A-Za-z0-9-]+\s*$/.test(target) ? 'block' : 'heading';
}

function contentOf({ operation, content }: PatchNoteInput): string {
  if (content !== undefined) return content;
  if (operation === 'delete') return '';
  throw new AppError('invalid_request', `content is required: the text to ${operation}.`);
}

function blockId(target: string | readonly string[]): string {
  if (typeof target === 'string') return target;
  const [id] = target;
  if (id !== undefined && target.length === 1) return id;
  throw new AppError('invalid_request', 'A block has one id: send it as target, such as "^id".');
}
