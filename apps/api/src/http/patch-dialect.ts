/**
 * Which of its dialects a PATCH is written in, and the call of one operation that it amounts to. Pure: headers and body
 * text in, operation and input out. Any of the headers `Target`, `Target-Type`, `Operation` means the header dialect;
 * without them a JSON body is the JSON dialect.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { conditionsOf, type Headers } from './if-match.ts';
import type { PatchBody } from './note-body.ts';
import { instructionOfHeaders, speaksHeaders } from './patch-headers.ts';
import { callOfInstruction, type PatchCall } from './patch-instruction.ts';
import { instructionOfJson } from './patch-json.ts';
import { type WriteOptions, withOptions } from './write-options.ts';

/**
 * @param query what the query says of dry run and waiting
 * @returns the operation and its input, but for the path; the options are not validated yet
 * @throws AppError `invalid_request` for what makes no sense on any note; `invalid_value`
 */
export function patchCallOf(header: Headers, body: PatchBody, query: WriteOptions = {}): PatchCall {
  const { call, options } = speaksHeaders(header)
    ? { call: callOfInstruction(instructionOfHeaders(header, body)), options: {} }
    : jsonCall(body);
  const said = withOptions(options, { ...query, ...conditionsOf(header) });
  // A text target's own JSON may say the same things once more.
  return { ...call, input: withOptions(call.input, said) } as PatchCall;
}

function jsonCall(body: PatchBody): { call: PatchCall; options: WriteOptions } {
  if (body.type !== 'json') {
    throw new AppError(
      'invalid_request',
      'Say what to change: with the headers Target-Type, Target and Operation, or as JSON {"targetType", "target", "operation", "content"} with "Content-Type: application/json".',
    );
  }
  const { expectedEtag, dryRun, ...instruction } = instructionOfJson(body.text);
  return { call: callOfInstruction(instruction), options: { expected_etag: expectedEtag, dry_run: dryRun } };
}
