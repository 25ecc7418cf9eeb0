/** `PATCH /vault/…`: one part of a note changed, in any of the dialects of patch-dialect.ts. */
import type { WriteContext } from '../../context.ts';
import { parseInput } from '../../operations/input.ts';
import { patchNote, patchNoteInput } from '../../operations/patch-note.ts';
import { refuseDocument } from '../../operations/refuse-document.ts';
import { replaceText, replaceTextInput } from '../../operations/replace-text.ts';
import { setFrontmatter, setFrontmatterInput } from '../../operations/set-frontmatter.ts';
import { callOf } from '../audited.ts';
import type { HttpContext } from '../env.ts';
import { readPatchBody } from '../note-body.ts';
import { patchCallOf } from '../patch-dialect.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { OUTCOME_QUERY } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';
import { writtenFile } from '../written-path.ts';

export async function patchPath(c: HttpContext, context: WriteContext): Promise<Response> {
  const query = readQuery(c, OUTCOME_QUERY);
  const path = writtenFile(c);
  const request = writeRequest(c);
  await refuseDocument(context, path, request);
  const body = await readPatchBody(c, context.config.vault.note_max_bytes);
  const call = patchCallOf((name) => c.req.header(name), body, query);
  switch (call.operation) {
    case 'patch-note': {
      const input = callOf(c, call.operation, parseInput(patchNoteInput, { path, ...call.input }));
      return sendWritten(c, await patchNote(context, input, request));
    }
    case 'set-frontmatter': {
      const input = callOf(c, call.operation, parseInput(setFrontmatterInput, { path, ...call.input }));
      return sendWritten(c, await setFrontmatter(context, input, request));
    }
    case 'replace-text': {
      const input = callOf(c, call.operation, parseInput(replaceTextInput, { path, ...call.input }));
      return sendWritten(c, await replaceText(context, input, request));
    }
  }
}
