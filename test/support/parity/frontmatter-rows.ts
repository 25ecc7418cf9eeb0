/** The parity table's rows on frontmatter: each value in the tool's words, the header dialect and the JSON dialect. */
import { patch, patchJson, tool } from './calls.ts';
import { BARE, edited, type ParityRow, PLAN, type RestCall, stamped, WINDOWS } from './row.ts';

interface Options {
  readonly create?: true;
  readonly operation?: 'append' | 'prepend';
  readonly etag?: string;
}

function asked(path: string, key: string, value: unknown, { create, operation }: Options = {}) {
  const headers = {
    'Target-Type': 'frontmatter',
    Target: encodeURIComponent(key),
    ...(operation && { Operation: operation }),
    ...(create && { 'Create-Target-If-Missing': 'true' }),
  };
  const instruction = {
    ...{ targetType: 'frontmatter', target: [key], operation: operation ?? 'replace' },
    ...{ value, createTargetIfMissing: create },
  };
  const rest: readonly RestCall[] = [
    patch(path, { ...headers, 'content-type': 'application/json' }, JSON.stringify(value)),
    patch(path, headers, JSON.stringify(value)),
    patchJson(path, instruction),
  ];
  return { mcp: tool('set_frontmatter', { path, key, value, operation, create_if_missing: create }), rest };
}

function deletion(path: string, key: string) {
  const target = { targetType: 'frontmatter', target: key };
  return {
    mcp: tool('set_frontmatter', { path, key, delete: true }),
    rest: [
      patch(path, { 'Target-Type': 'frontmatter', Target: encodeURIComponent(key), Operation: 'delete' }),
      patchJson(path, { ...target, operation: 'delete' }),
    ],
  };
}

const STATUS = 'status: draft # until June\n';
const TAGS = 'tags: [house, heating]\n';
const STAMPED_WINDOWS = WINDOWS.replace('---\r\n#', 'timestamp: 2026-07-28T09:30:15Z\r\n---\r\n#');

export const FRONTMATTER_ROWS: readonly ParityRow[] = [
  {
    does: 'sets a text and keeps the comment behind it',
    ...asked('Plan.md', 'status', 'approved'),
    leaves: { 'Plan.md': edited(PLAN, STATUS, 'status: approved # until June\n') },
    answers: { timestamp: { bumped: true } },
  },
  {
    does: 'quotes what another reader would take for a truth value',
    ...asked('Plan.md', 'status', 'no'),
    leaves: { 'Plan.md': edited(PLAN, STATUS, 'status: "no" # until June\n') },
  },
  {
    does: 'quotes a number that is a text',
    ...asked('Plan.md', 'postcode', '01234'),
    leaves: { 'Plan.md': stamped(edited(PLAN, '\n---\n# Plan', '\npostcode: "01234"\n---\n# Plan')) },
  },
  {
    does: 'writes a number, a date and a truth value bare',
    ...asked('Plan.md', 'facts', { cost: 9000, due: '2026-08-01', paid: false }),
    leaves: {
      'Plan.md': edited(PLAN, '\n---\n# Plan', '\nfacts:\n  cost: 9000\n  due: 2026-08-01\n  paid: false\n---\n# Plan'),
    },
  },
  {
    does: 'sets a list',
    ...asked('Plan.md', 'aliases', ['Boiler', 'Öl: no']),
    leaves: { 'Plan.md': edited(PLAN, '\n---\n# Plan', '\naliases:\n  - Boiler\n  - "Öl: no"\n---\n# Plan') },
  },
  {
    does: 'appends to a list',
    ...asked('Plan.md', 'aliases', ['Boiler'], { operation: 'append' }),
    files: { 'Plan.md': PLAN.replace(TAGS, 'aliases:\n  - Stove\n') },
    leaves: { 'Plan.md': stamped(PLAN.replace(TAGS, 'aliases:\n  - Stove\n  - Boiler\n')) },
  },
  {
    does: 'puts a known key in its place',
    ...asked('Plan.md', 'description', 'What to do'),
    leaves: { 'Plan.md': edited(PLAN, 'title: Plan\n', 'title: Plan\ndescription: What to do\n') },
  },
  {
    does: 'sets a key in the line breaks of the note',
    ...asked('Windows.md', 'title', 'Panes'),
    leaves: { 'Windows.md': STAMPED_WINDOWS.replace('title: Windows', 'title: Panes') },
  },
  {
    does: 'makes the block when asked to',
    ...asked('Bare.md', 'type', 'memo', { create: true }),
    leaves: { 'Bare.md': `---\ntype: memo\ntimestamp: 2026-07-28T09:30:15Z\n---\n${BARE}` },
  },
  {
    does: 'leaves the timestamp that was set by hand',
    ...asked('Plan.md', 'timestamp', '2021-01-01T00:00:00Z'),
    leaves: { 'Plan.md': PLAN.replace('2020-02-02T02:02:02Z', '2021-01-01T00:00:00Z') },
    answers: { timestamp: { bumped: false, reason: 'the timestamp itself was written' } },
  },
  {
    does: 'takes a key out',
    ...deletion('Plan.md', 'status'),
    leaves: { 'Plan.md': edited(PLAN, STATUS, '') },
  },
  {
    does: 'takes a key out that is not there',
    ...deletion('Plan.md', 'nothing'),
    leaves: {},
    answers: { changed: false, timestamp: { bumped: false, reason: 'nothing was changed' } },
  },
  { does: 'does not make a block by itself', ...asked('Bare.md', 'type', 'memo'), refused: 'no_frontmatter' },
  { does: 'does not set nothing', ...asked('Plan.md', 'status', null), refused: 'invalid_value' },
  { does: 'does not touch a block it cannot read', ...asked('Broken.md', 'title', 'x'), refused: 'invalid_value' },
  { does: 'does not set a key of a missing note', ...asked('Nowhere.md', 'title', 'x'), refused: 'not_found' },
];
