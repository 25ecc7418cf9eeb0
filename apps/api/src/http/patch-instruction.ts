/**
 * What a PATCH asks for, in whichever dialect it was written, and the call of one operation that it amounts to. Pure.
 * Danger: what the Obsidian plugin can do and this server cannot is refused by name; left out silently it would change
 * something else than was meant.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { z } from 'zod';
import { parseInput } from '../operations/input.ts';
import type { patchNoteInput } from '../operations/patch-note.ts';
import { replaceTextInput } from '../operations/replace-text.ts';
import type { setFrontmatterInput } from '../operations/set-frontmatter.ts';

export const TARGET_TYPES = ['heading', 'block', 'frontmatter', 'body', 'text'] as const;
export const OPERATIONS = ['append', 'prepend', 'replace', 'delete'] as const;
export const SCOPES = ['content', 'own', 'marker', 'markerAndContent'] as const;

/** What is to be put in place, by what the caller said it is. */
export type Payload =
  | { readonly as: 'nothing' }
  | { readonly as: 'text'; readonly text: string }
  | { readonly as: 'json'; readonly value: unknown };

export interface PatchInstruction {
  /** Left out, it is what the target looks like to the operation: a heading, or a block. */
  readonly targetType?: (typeof TARGET_TYPES)[number] | undefined;
  /** Null or an empty list: the whole note, as the plugin's "document root". */
  readonly target?: string | readonly string[] | null | undefined;
  readonly targetDelimiter?: string | undefined;
  readonly operation: (typeof OPERATIONS)[number];
  readonly scope?: (typeof SCOPES)[number] | undefined;
  readonly createTargetIfMissing?: boolean | undefined;
  readonly payload: Payload;
}

/** An operation's input, but for the path and what the request's own options say (dry_run, wait, expected_etag). */
export type PatchCall =
  | { readonly operation: 'patch-note'; readonly input: Omit<z.infer<typeof patchNoteInput>, 'path'> }
  | { readonly operation: 'set-frontmatter'; readonly input: Omit<z.infer<typeof setFrontmatterInput>, 'path'> }
  | { readonly operation: 'replace-text'; readonly input: Omit<z.infer<typeof replaceTextInput>, 'path'> };

const replaceTextBody = replaceTextInput.omit({ path: true });

/** @throws AppError `invalid_request`; `invalid_value` for a frontmatter value that is no JSON */
export function callOfInstruction(instruction: PatchInstruction): PatchCall {
  if (instruction.operation === 'delete') refuseContent(instruction.payload);
  switch (instruction.targetType) {
    case 'frontmatter':
      return frontmatterCall(instruction);
    case 'text':
      return textCall(instruction);
    default:
      return partCall(instruction, instruction.targetType);
  }
}

function refuse(message: string): never {
  throw new AppError('invalid_request', message);
}

function refuseContent(payload: Payload): void {
  const isEmpty = payload.as === 'nothing' || (payload.as === 'text' && payload.text === '');
  if (!isEmpty) refuse('The operation "delete" takes no content; to put something else there, use "replace".');
}

function partCall(instruction: PatchInstruction, type: 'heading' | 'block' | 'body' | undefined): PatchCall {
  const { target, targetDelimiter, operation, scope, createTargetIfMissing, payload } = instruction;
  const isWhole =
    (type ?? 'heading') === 'heading' && (target === null || (Array.isArray(target) && target.length === 0));
  const content = operation === 'delete' ? undefined : textOf(payload);
  return {
    operation: 'patch-note',
    input: {
      ...given('target_type', isWhole ? 'body' : type),
      ...(isWhole ? {} : given('target', mutable(target))),
      ...given('target_delimiter', targetDelimiter),
      operation,
      ...given('scope', scope),
      ...given('content', content),
      ...given('create_if_missing', createTargetIfMissing),
    },
  };
}

function textOf(payload: Payload): string | undefined {
  if (payload.as === 'nothing') return undefined;
  if (payload.as === 'text') return payload.text;
  if (typeof payload.value === 'string') return payload.value;
  return refuse('The content of a heading, block or body is text; send table rows as lines of Markdown, not as JSON.');
}

function frontmatterCall({ target, operation, scope, createTargetIfMissing, payload }: PatchInstruction): PatchCall {
  const isWholeEntry = scope === 'markerAndContent' && (operation === 'replace' || operation === 'delete');
  if (scope !== undefined && scope !== 'content' && !isWholeEntry) {
    refuse(
      'A frontmatter key has no such scope here: leave it out. To rename a key, set the new one and delete the old.',
    );
  }
  const key = keyOf(target);
  if (operation === 'delete') return { operation: 'set-frontmatter', input: { key, delete: true } };
  return {
    operation: 'set-frontmatter',
    input: {
      key,
      value: jsonValueOf(payload),
      ...(operation === 'replace' ? {} : { operation }),
      ...given('create_if_missing', createTargetIfMissing),
    },
  };
}

function keyOf(target: PatchInstruction['target']): string {
  const [key, ...rest] = typeof target === 'string' ? [target] : (target ?? []);
  if (key !== undefined && key !== '' && rest.length === 0) return key;
  return refuse('Name the frontmatter key to change as the target, one and no path.');
}

function jsonValueOf(payload: Payload): unknown {
  if (payload.as === 'json') return payload.value;
  if (payload.as === 'nothing') return refuse('A frontmatter key takes a JSON value: "approved", 3, true, ["a", "b"].');
  try {
    return JSON.parse(payload.text);
  } catch (cause) {
    const message = 'The value of a frontmatter key is JSON: text needs its quotes, such as "approved" or ["a", "b"].';
    throw new AppError('invalid_value', message, { cause });
  }
}

function textCall({ target, scope, operation, createTargetIfMissing, payload }: PatchInstruction): PatchCall {
  if (operation !== 'replace') refuse(`Text is found and replaced; the operation "${operation}" is for other targets.`);
  if ((target ?? undefined) !== undefined || scope !== undefined || createTargetIfMissing === true) {
    refuse(
      'A text target has no target, scope or creation: say where to look by "section" beside "find" and "replace".',
    );
  }
  const value = payload.as === 'text' ? jsonOf(payload.text) : payload.as === 'json' ? payload.value : undefined;
  return { operation: 'replace-text', input: parseInput(replaceTextBody, value) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message =
      'For a text target send JSON: {"find": "old", "replace": "new"}, and "section" or "count" if needed.';
    throw new AppError('invalid_request', message, { cause });
  }
}

function mutable(target: PatchInstruction['target']): string | string[] | undefined {
  return typeof target === 'string' ? target : target ? [...target] : undefined;
}

function given<N extends string, V>(name: N, value: V | undefined): { [K in N]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [K in N]?: V };
}
