/**
 * The JSON dialect of PATCH, the Obsidian plugin's newer way: one object says what to change and what to put there, so
 * that nothing needs the encoding of headers. Pure.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { z } from 'zod';
import { parseInput } from '../operations/input.ts';
import { parseJson } from './body.ts';
import { etagIn } from './if-match.ts';
import { OPERATIONS, type PatchInstruction, type Payload, SCOPES, TARGET_TYPES } from './patch-instruction.ts';

/** Fields of the plugin that nothing here could honour, and what to do instead. */
const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  within: 'Blocks are not counted here (within): name one by its ^id, or replace its text with "targetType": "text".',
  destination: 'Sections are not moved here (destination): put the text in its new place, and delete the old one.',
};

const instructionSchema = z.strictObject({
  targetType: z.enum(TARGET_TYPES).optional(),
  target: z
    .union([z.string().min(1), z.array(z.string().min(1))], { error: 'send a text such as "A::B", or a list of texts' })
    .nullish(),
  targetDelimiter: z.string().min(1).optional(),
  operation: z.enum(OPERATIONS).optional(),
  scope: z.enum(SCOPES).optional(),
  content: z.string().optional(),
  value: z.unknown().optional(),
  ifMatch: z.string().optional(),
  createTargetIfMissing: z.boolean().optional(),
  rejectIfContentPreexists: z.literal(false).optional(),
  dryRun: z.boolean().optional(),
});

export interface JsonInstruction extends PatchInstruction {
  readonly dryRun?: boolean | undefined;
  /** Bare, or `*`. */
  readonly expectedEtag?: string | undefined;
}

/** @throws AppError `invalid_request` naming the field */
export function instructionOfJson(text: string): JsonInstruction {
  const body = parseJson(text);
  refuseUnsupported(body);
  const { content, value, ifMatch, operation, ...rest } = parseInput(instructionSchema, body);
  const { targetType } = rest;
  if (operation === undefined && targetType !== 'text') {
    throw new AppError('invalid_request', `operation is required: one of ${OPERATIONS.join(', ')}.`);
  }
  return {
    ...rest,
    operation: operation ?? 'replace',
    payload: payloadOf(targetType, content, value),
    expectedEtag: ifMatch === undefined ? undefined : etagIn(ifMatch, 'ifMatch'),
  };
}

function refuseUnsupported(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, advice] of Object.entries(REFUSED_FIELDS)) {
    if (Object.hasOwn(body, name)) throw new AppError('invalid_request', advice);
  }
  if (Object.hasOwn(body, 'find')) {
    const message = 'What to find and replace goes into value: {"targetType": "text", "value": {"find", "replace"}}.';
    throw new AppError('invalid_request', message);
  }
  if ('rejectIfContentPreexists' in body && body.rejectIfContentPreexists === true) {
    throw new AppError(
      'invalid_request',
      'Content is not compared with what is there (rejectIfContentPreexists): send ifMatch, so that a repeated call changes nothing twice.',
    );
  }
}

function payloadOf(type: string | undefined, content: string | undefined, value: unknown): Payload {
  if (content !== undefined && value !== undefined) {
    throw new AppError('invalid_request', 'Send either content (text) or value (JSON), not both.');
  }
  if (value !== undefined) return { as: 'json', value };
  if (content === undefined) return { as: 'nothing' };
  // For metadata, text that comes as a field of JSON is the value itself: its quotes are there already.
  return type === 'frontmatter' ? { as: 'json', value: content } : { as: 'text', text: content };
}
