/** The parity table's rows on single facts for wiki pages. */
import type { ParityRow, RestCall, ToolCall } from './row.ts';
import { SOURCE } from './surfaces.ts';

/** The day of NOW, and its moment as a note's timestamp. */
const DAY = '2026-07-28';
const STAMP = '2026-07-28T09:30:15Z';

const asTool = (args: Record<string, unknown>): ToolCall => ({ tool: 'wiki_append', args });

const asCall = (body: object): RestCall => ({
  method: 'POST',
  url: '/wiki/append',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const PATH = 'Wiki/Pear tree.md';
const BULLET = '- It bears fruit in September (added 2026-01-02)';
const PAGE = `# Pear tree\n\n## Updates\n\n${BULLET}\n`;
const files = { [PATH]: PAGE };

function both(args: Record<string, unknown>): Pick<ParityRow, 'mcp' | 'rest'> {
  return { mcp: asTool(args), rest: [asCall(args)] };
}

const FACT = { slug: 'pear-tree', content: 'Ada planted it', links: ['Ada Lovelace'] };
const MORE = { slug: 'pear-tree', content: 'It bears fruit in September and October' };

export const WIKI_ROWS: readonly ParityRow[] = [
  {
    does: 'puts a fact on a person’s page',
    files,
    ...both(FACT),
    leaves: { [PATH]: `${PAGE}- Ada planted it [[ada-lovelace]] (added ${DAY})\n` },
    answers: { status: 'added', path: PATH, line: 6, committed: { state: 'off' }, indexed: 'queued', similar: [] },
  },
  {
    does: 'makes a page for a fact',
    ...both({ slug: 'Plum tree', content: 'It is young' }),
    leaves: {
      'Wiki/plum-tree.md': `---\ntitle: Plum tree\ntimestamp: ${STAMP}\nvault_source: ${SOURCE}\n---\n\n# Plum tree\n\n## Updates\n\n- It is young (added ${DAY})\n`,
    },
    answers: { status: 'created', slug: 'plum-tree', path: 'Wiki/plum-tree.md' },
  },
  {
    does: 'asks where pages are like the one that is named',
    files,
    ...both({ slug: 'pear-trees', content: 'They are many' }),
    leaves: {},
    answers: { status: 'candidates', slug: 'pear-trees', candidates: [{ path: PATH, score: 8 / 9 }] },
  },
  {
    does: 'says where a fact stands already',
    files,
    ...both({ slug: 'pear-tree', content: 'it bears fruit in september.' }),
    leaves: {},
    answers: { status: 'same', path: PATH, line: 5, bullet: BULLET },
  },
  {
    does: 'asks about a fact that says more than a bullet',
    files,
    ...both(MORE),
    leaves: {},
    answers: { status: 'refines', bullet: BULLET, fact: MORE.content },
  },
  {
    does: 'puts a fact beside the bullet that it says more than',
    files,
    ...both({ ...MORE, on_refine: 'append' }),
    leaves: { [PATH]: `${PAGE}- ${MORE.content} (added ${DAY})\n` },
    answers: { status: 'added' },
  },
  {
    does: 'takes no fact that says nothing',
    files,
    ...both({ slug: 'pear-tree', content: ' - ' }),
    refused: 'invalid_value',
  },
  {
    does: 'takes no name of no letters',
    ...both({ slug: '!!!', content: 'Something' }),
    refused: 'invalid_value',
  },
];
