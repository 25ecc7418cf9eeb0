/** The parity table's rows on what is proposed to be remembered. */
import type { ParityRow, RestCall, ToolCall } from './row.ts';
import { SOURCE } from './surfaces.ts';

const STAMP = '2026-07-28T09:30:15Z';

const asTool = (args: Record<string, unknown>): ToolCall => ({ tool: 'vault_propose', args });

const asCall = (body: object, headers: Record<string, string> = {}): RestCall => ({
  method: 'POST',
  url: '/memory/propose',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const TEA = '---\ntype: preference\ntitle: Tea\n---\nTea is at four in the garden house, with lemon.\n';
const AGAIN = {
  title: 'Tea at four',
  type: 'preference',
  namespace: 'Facts',
  body: 'Tea is at four in the garden house, with lemon and sugar.',
};
const QUINCE = { title: 'Quince jelly', type: 'fact', namespace: 'Kitchen', body: 'Quince jelly sets with pectin.' };
const QUINCE_NOTE = `---\ntype: fact\ntitle: Quince jelly\ntimestamp: ${STAMP}\nvault_source: ${SOURCE}\n---\n${QUINCE.body}\n`;
const NEW_PATH = 'Facts/tea-at-four.md';

/** With an index, since nothing is filed that was not compared. */
const compared = {
  indexed: true,
  files: { 'Facts/Tea.md': TEA },
  config: { 'gate.distance_ceiling': 0.5, 'gate.bm25_ceiling': -50 },
} as const;

function both(args: Record<string, unknown>): Pick<ParityRow, 'mcp' | 'rest'> {
  return { mcp: asTool(args), rest: [asCall(args)] };
}

export const PROPOSAL_ROWS: readonly ParityRow[] = [
  {
    does: 'makes a note at once of what nothing is similar to',
    ...compared,
    mcp: asTool({ ...QUINCE, idempotency_key: 'k-1' }),
    rest: [asCall({ ...QUINCE, idempotency_key: 'k-1' }), asCall(QUINCE, { 'idempotency-key': 'k-1' })],
    leaves: { 'Kitchen/quince-jelly.md': QUINCE_NOTE },
    answers: { status: 'done', action: 'create', path: 'Kitchen/quince-jelly.md', fell_back: null },
  },
  {
    does: 'shows what says something similar, and writes nothing',
    ...compared,
    ...both(AGAIN),
    leaves: {},
    answers: { status: 'decide', similar: [{ path: 'Facts/Tea.md', read_only: false }], degraded: [] },
  },
  {
    does: 'shows what a decision would come to',
    ...compared,
    ...both({ ...AGAIN, dry_run: true, decision: { action: 'supersede', target: 'Facts/Tea.md' } }),
    leaves: {},
    answers: { status: 'dry_run', action: 'supersede', path: NEW_PATH, superseded: 'Facts/Tea.md' },
  },
  {
    does: 'takes no token that was never given',
    ...compared,
    ...both({ ...AGAIN, token: 'made up', decision: { action: 'create' } }),
    refused: 'invalid_request',
  },
  {
    does: 'takes no decision without its token',
    ...compared,
    ...both({ ...AGAIN, decision: { action: 'create' } }),
    refused: 'invalid_request',
  },
  {
    does: 'takes no key that the gate sets itself',
    ...compared,
    ...both({ ...QUINCE, frontmatter: { superseded_by: '[[Tea]]' } }),
    refused: 'invalid_value',
  },
  {
    does: 'files nothing under a protected name',
    ...compared,
    ...both({ ...QUINCE, namespace: '.obsidian' }),
    refused: 'invalid_path',
  },
];
