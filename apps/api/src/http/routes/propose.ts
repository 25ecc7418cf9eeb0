/** `POST /memory/propose`: something to be remembered, through the write gate. */
import { AppError } from '@vault-mcp/shared/errors';
import { parseInput } from '../../operations/input.ts';
import { propose, proposeInput } from '../../operations/propose.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import { headerText } from '../header-text.ts';
import { refuseConditions } from '../if-match.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { withOptions } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';

/** Beside a decision's text, which may be a whole note: the candidate, which JSON may double, and some parameters. */
const CANDIDATE_BYTES = 256 * 1024;

export function proposeRoute(app: RoutedApp): void {
  resource(app, '/memory/propose', 'agents', {
    POST: async (c, context) => {
      const query = readQuery(c, { dry_run: 'flag' });
      refuseConditions(
        (name) => c.req.header(name),
        'A proposal is compared with every note, and is about no version of one',
      );
      const request = writeRequest(c);
      const maxBytes = context.config.vault.note_max_bytes * 2 + CANDIDATE_BYTES;
      const body = withKey(parseInput(proposeInput, await readJson(c, { maxBytes })), c.req.header('idempotency-key'));
      const said = withOptions(body, query);
      const input = callOf(c, 'propose', parseInput(proposeInput, said));
      const answer = await propose(context, input, request);
      return answer.status === 'done' ? sendWritten(c, answer) : c.json(answer);
    },
  });
}

/** The header that many clients send by themselves means the field. @throws AppError `invalid_request` when both differ */
function withKey<T extends { readonly idempotency_key?: string | undefined }>(body: T, header: string | undefined): T {
  if (header === undefined) return body;
  const key = headerText(header);
  if (body.idempotency_key === undefined) return { ...body, idempotency_key: key };
  if (body.idempotency_key === key) return body;
  const message = 'idempotency_key (it is also Idempotency-Key) is given twice and differs; give it once.';
  throw new AppError('invalid_request', message);
}
