/**
 * The header dialect of PATCH, which flows for the Obsidian plugin are written in: what to change stands in headers, the
 * body is what to put there. Pure. `Markdown-Patch-Version` 1, or none, is the plugin's old way (a heading as `A::B`);
 * 2 is its raw-content mode (a heading as a percent-encoded JSON list).
 */
import { AppError } from '@vault-mcp/shared/errors';
import { headerText, percentDecoded } from './header-text.ts';
import type { Headers } from './if-match.ts';
import type { PatchBody } from './note-body.ts';
import { OPERATIONS, type PatchInstruction, type Payload, SCOPES, TARGET_TYPES } from './patch-instruction.ts';

/** Any of these makes a PATCH one in this dialect. */
const DECIDING_HEADERS = ['target', 'target-type', 'operation'];
/** And these say more of it. */
const OTHER_HEADERS = ['target-scope', 'target-delimiter', 'create-target-if-missing'];

/** Headers of the plugin that nothing here could honour, and what to do instead. */
const REFUSED_HEADERS: Readonly<Record<string, string>> = {
  within: 'Blocks are not counted here: name one by its ^id, or replace its text with "Target-Type: text".',
  destination: 'Sections are not moved here: put the text in its new place, and delete the old one.',
};

export function speaksHeaders(header: Headers): boolean {
  return DECIDING_HEADERS.some((name) => header(name) !== undefined);
}

/**
 * Where a part of a note is named in the headers of a call that writes whole notes, it is refused: the plugin takes that,
 * and to overlook it would replace a note by one of its sections.
 *
 * @throws AppError `invalid_request`
 */
export function refusePatchHeaders(header: Headers): void {
  const name = [...DECIDING_HEADERS, ...OTHER_HEADERS].find((each) => header(each) !== undefined);
  if (name === undefined) return;
  const message = `This call is about the whole note, but a header names a part of it (${name}): use PATCH for parts.`;
  throw new AppError('invalid_request', message);
}

/** @throws AppError `invalid_request` naming the header */
export function instructionOfHeaders(header: Headers, body: PatchBody): PatchInstruction {
  refuseUnsupported(header);
  const isRawContent = versionOf(header) === '2';
  const targetType = oneOf(header, 'Target-Type', TARGET_TYPES);
  const operation = oneOf(header, 'Operation', OPERATIONS) ?? 'replace';
  const target = textOf(header, 'target');
  return {
    targetType,
    operation,
    target: isRawContent && (targetType ?? 'heading') === 'heading' ? listedTarget(target) : target,
    targetDelimiter: textOf(header, 'target-delimiter'),
    scope: oneOf(header, 'Target-Scope', SCOPES),
    createTargetIfMissing: flagOf(header, 'Create-Target-If-Missing'),
    payload: payloadOf(body, { targetType, mustHold: isRawContent && operation !== 'delete' }),
  };
}

function refuse(message: string): never {
  throw new AppError('invalid_request', message);
}

function refuseUnsupported(header: Headers): void {
  for (const [name, advice] of Object.entries(REFUSED_HEADERS)) if (header(name) !== undefined) refuse(advice);
  if (flagOf(header, 'Reject-If-Content-Preexists') === true) {
    refuse('Content is not compared with what is there: send If-Match, so that a repeated call changes nothing twice.');
  }
}

function versionOf(header: Headers): '1' | '2' {
  const version = header('markdown-patch-version')?.trim() || '1';
  if (version === '1' || version === '2') return version;
  return refuse('Markdown-Patch-Version is 1 (a heading as A::B) or 2 (as a percent-encoded JSON list), or left out.');
}

function textOf(header: Headers, name: string): string | undefined {
  // A flow whose expression came out empty sends the header without a value.
  const value = header(name) || undefined;
  return value === undefined ? undefined : percentDecoded(headerText(value));
}

function oneOf<T extends string>(header: Headers, name: string, known: readonly T[]): T | undefined {
  const value = header(name.toLowerCase())?.trim();
  if (value === undefined || value === '') return undefined;
  return known.find((each) => each === value) ?? refuse(`${name} must be one of ${known.join(', ')}.`);
}

function flagOf(header: Headers, name: string): boolean | undefined {
  const value = oneOf((each) => header(each)?.toLowerCase(), name, ['true', 'false']);
  return value === undefined ? undefined : value === 'true';
}

function listedTarget(target: string | undefined): readonly string[] | null {
  try {
    const list: unknown = JSON.parse(target ?? '');
    if (list === null) return null;
    if (Array.isArray(list) && list.every((each): each is string => typeof each === 'string')) return list;
  } catch {
    // No JSON at all: the same refusal.
  }
  return refuse(
    'With Markdown-Patch-Version 2 a heading stands in Target as a percent-encoded JSON list, such as %5B%22A%22%5D; leave the version out to write A::B.',
  );
}

interface PayloadRules {
  readonly targetType: PatchInstruction['targetType'];
  /** Whether an empty body is a slip: an empty template must not empty a section. */
  readonly mustHold: boolean;
}

function payloadOf({ type, text }: PatchBody, { targetType, mustHold }: PayloadRules): Payload {
  if (text === '' && mustHold) refuse('The body is empty; to empty the target, send Operation: delete.');
  // These take JSON whatever the body is called, and say best themselves what is wrong with it.
  const takesJson = targetType === 'frontmatter' || targetType === 'text';
  if (type === 'text' || text === '' || takesJson) return { as: 'text', text };
  try {
    return { as: 'json', value: JSON.parse(text) };
  } catch (cause) {
    throw new AppError(
      'invalid_request',
      'The body is not valid JSON, which its content type says it is; send text as text/markdown.',
      { cause },
    );
  }
}
