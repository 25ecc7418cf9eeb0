/**
 * Change one part of a note: a section by its heading, a block by its id, or the whole prose. Danger: a target that is
 * missing or could mean several parts is refused, since a patch in the wrong place is found by nobody.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { editBlock } from '@vault-mcp/shared/vault/note/edit/block';
import { appendToNote, setBody } from '@vault-mcp/shared/vault/note/edit/body';
import type { EditOutcome } from '@vault-mcp/shared/vault/note/edit/outcome';
import { prependToBody } from '@vault-mcp/shared/vault/note/edit/prepend-to-body';
import { editSection } from '@vault-mcp/shared/vault/note/edit/section';
import type { ParsedNote } from '@vault-mcp/shared/vault/note/model';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeExistingNote, type NoteWriteAnswer } from './change-note.ts';
import type { WriteRequest } from './write-context.ts';
import { createIfMissing, expectedEtag, notePath, outcomeFields } from './write-input.ts';

export const patchNoteInput = z.strictObject({
  path: notePath,
  target_type: z
    .enum(['heading', 'block', 'body'])
    .optional()
    .describe('Default heading; body is all below the frontmatter and has no target.'),
  target: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('A heading as the map gives it ("Plan::Costs", "Costs[2]") or as a list; a block as ^id.'),
  target_delimiter: z.string().min(1).optional().describe('What parts the headings of a target. Default "::".'),
  operation: z.enum(['replace', 'append', 'prepend', 'delete']).describe('What to do with that part.'),
  scope: z
    .enum(['content', 'own', 'marker', 'markerAndContent'])
    .optional()
    .describe(
      'For a heading: content = all below its line (default), own = up to its first subsection, marker = its line (replace only), markerAndContent = both.',
    ),
  content: z.string().optional().describe('The text; none for delete.'),
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
  const patch = patchOf(input);
  const { answer, edit } = await changeExistingNote(context, input, request, (text) => patch(parseNote(text)), {
    operation: 'patch-note',
  });
  return { ...answer, removed_subsections: edit.removedSubsections, created_headings: edit.createdHeadings };
}

/** The edit that the input asks for. @throws AppError `invalid_request` for one that makes no sense on any note */
function patchOf(input: PatchNoteInput): (note: ParsedNote) => EditOutcome {
  const { operation, target, scope, target_type: type = 'heading' } = input;
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
    return (note) => patchBody(note, operation, content);
  }
  if (target === undefined) throw new AppError('invalid_request', `target is required: the ${type} to change.`);
  if (type === 'block') {
    const id = blockId(target);
    return (note) => editBlock(note, id, operation, content, { createIfMissing });
  }
  const options = {
    createIfMissing,
    ...(scope === undefined ? {} : { scope }),
    ...(input.target_delimiter === undefined ? {} : { delimiter: input.target_delimiter }),
  };
  return (note) => editSection(note, target, operation, content, options);
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

function patchBody(note: ParsedNote, operation: PatchNoteInput['operation'], content: string): EditOutcome {
  switch (operation) {
    case 'append':
      return appendToNote(note, content);
    case 'prepend':
      return prependToBody(note, content);
    case 'replace':
      return setBody(note, content);
    case 'delete':
      return setBody(note, '');
  }
}
