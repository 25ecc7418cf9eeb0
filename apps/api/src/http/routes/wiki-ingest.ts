/** `POST /wiki/ingest`: raw material for the wiki, sent along or fetched. */
import { parseInput } from '../../operations/input.ts';
import { MAX_SOURCE_BYTES, wikiIngest, wikiIngestInput } from '../../operations/wiki-ingest.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import { refuseConditions } from '../if-match.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { withOptions } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';

/** A text, which JSON may double, and some parameters. */
const MAX_BODY_BYTES = 2 * MAX_SOURCE_BYTES + 64 * 1024;

export function wikiIngestRoute(app: RoutedApp): void {
  resource(app, '/wiki/ingest', 'agents', {
    POST: async (c, context) => {
      const query = readQuery(c, { dry_run: 'flag' });
      refuseConditions(
        (name) => c.req.header(name),
        'Raw material is kept under a name of its own, and nothing is overwritten',
      );
      const request = writeRequest(c);
      const body = parseInput(wikiIngestInput, await readJson(c, { maxBytes: MAX_BODY_BYTES }));
      const said = withOptions(body, query);
      const input = callOf(c, 'wiki-ingest', parseInput(wikiIngestInput, said));
      return sendWritten(c, await wikiIngest(context, input, request));
    },
  });
}
