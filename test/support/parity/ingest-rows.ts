/** The parity table's rows on raw material for the wiki. What is fetched is no matter of a surface: nothing here is. */
import type { ParityRow, RestCall, ToolCall } from './row.ts';

const asTool = (args: Record<string, unknown>): ToolCall => ({ tool: 'wiki_ingest', args });

const asCall = (body: object, query = ''): RestCall => ({
  method: 'POST',
  url: `/wiki/ingest${query}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const TEXT = { filename: 'Interview (Ada).txt', content: 'Äpfel, Öl.\n' };
const KEPT = 'Wiki/raw/Interview-Ada.txt';

export const INGEST_ROWS: readonly ParityRow[] = [
  {
    does: 'keeps a text under a plain name',
    mcp: asTool(TEXT),
    rest: [asCall(TEXT)],
    leaves: { [KEPT]: TEXT.content },
    answers: {
      status: 'stored',
      path: KEPT,
      size: 13,
      folders_made: ['Wiki', 'Wiki/raw'],
      committed: { state: 'off' },
    },
  },
  {
    does: 'keeps the same text once',
    files: { [KEPT]: TEXT.content },
    mcp: asTool(TEXT),
    rest: [asCall(TEXT)],
    leaves: {},
    answers: { status: 'unchanged', path: KEPT },
  },
  {
    does: 'keeps another text beside it',
    files: { [KEPT]: 'Another.' },
    mcp: asTool(TEXT),
    rest: [asCall(TEXT)],
    leaves: { 'Wiki/raw/Interview-Ada-2.txt': TEXT.content },
  },
  {
    does: 'shows what keeping would do',
    mcp: asTool({ ...TEXT, dry_run: true }),
    rest: [asCall(TEXT, '?dry_run'), asCall({ ...TEXT, dry_run: true })],
    leaves: {},
    answers: { status: 'stored', path: KEPT, dry_run: true },
  },
  {
    does: 'does not fetch from the machine it runs on',
    mcp: asTool({ url: 'http://127.0.0.1/' }),
    rest: [asCall({ url: 'http://127.0.0.1/' })],
    refused: 'invalid_value',
  },
  {
    does: 'does not keep what has no text and no URL',
    mcp: asTool({ filename: 'a.txt' }),
    rest: [asCall({ filename: 'a.txt' })],
    refused: 'invalid_request',
  },
];
