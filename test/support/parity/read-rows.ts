/** The parity table's rows that only read: all over one indexed vault, which none of them changes. */
import { get, links, search, searchByJson, tool } from './calls.ts';
import { CAFE, type ParityRow } from './row.ts';

const READ: Pick<Extract<ParityRow, { leaves: unknown }>, 'leaves'> = { leaves: {} };

export const READ_ROWS: readonly ParityRow[] = [
  { does: 'reads a note', mcp: tool('read', { path: 'Plan.md' }), rest: [get('Plan.md')], ...READ },
  {
    does: 'reads a note byte for byte',
    mcp: tool('read', { path: 'Windows.md' }),
    rest: [get('Windows.md')],
    ...READ,
  },
  {
    does: 'reads a section',
    mcp: tool('read', { path: 'Plan.md', section: 'Plan::Costs' }),
    rest: [get('Plan.md', { section: 'Plan::Costs' })],
    answers: { section: 'Plan::Costs' },
    ...READ,
  },
  {
    does: 'reads a block',
    mcp: tool('read', { path: 'Plan.md', section: '^quote' }),
    rest: [get('Plan.md', { section: '^quote' })],
    ...READ,
  },
  {
    does: 'reads a composed name from a decomposed one',
    mcp: tool('read', { path: 'Names/Caf\u00e9.md' }),
    rest: [get('Names/Caf\u00e9.md')],
    answers: { path: `Names/${CAFE}.md` },
    ...READ,
  },
  {
    does: 'reads a note whose frontmatter cannot be',
    mcp: tool('read', { path: 'Broken.md' }),
    rest: [get('Broken.md')],
    answers: { frontmatter: {} },
    ...READ,
  },
  {
    does: 'reads a file that is not UTF-8, and says so',
    mcp: tool('read', { path: 'Latin.md' }),
    rest: [get('Latin.md')],
    answers: { lossy: true },
    ...READ,
  },
  {
    does: 'reads what is known of a document',
    mcp: tool('read', { path: 'Files/scan.pdf' }),
    rest: [get('Files/scan.pdf')],
    answers: { kind: 'document', extraction: 'failed' },
    ...READ,
  },
  {
    does: 'does not read a missing heading',
    mcp: tool('read', { path: 'Plan.md', section: 'Cost' }),
    rest: [get('Plan.md', { section: 'Cost' })],
    refused: 'no_such_heading',
  },
  {
    does: 'does not read what is not there',
    mcp: tool('read', { path: 'plan.md' }),
    rest: [get('plan.md')],
    refused: 'not_found',
  },
  {
    does: 'does not read what is hidden',
    mcp: tool('read', { path: '.git/config' }),
    rest: [get('.git/config')],
    refused: 'invalid_path',
  },
  { does: 'maps a note', mcp: tool('map', { path: 'Plan.md' }), rest: [get('Plan.md', { map: true })], ...READ },
  {
    does: 'maps a document',
    mcp: tool('map', { path: 'Files/scan.pdf' }),
    rest: [get('Files/scan.pdf', { map: true })],
    ...READ,
  },
  {
    does: 'does not map an attachment',
    mcp: tool('map', { path: 'Pictures/tree.png' }),
    rest: [get('Pictures/tree.png', { map: true })],
    refused: 'unsupported_suffix',
  },
  { does: 'lists a folder', mcp: tool('list', { path: 'Garden' }), rest: [get('Garden'), get('Garden/')], ...READ },
  {
    does: 'lists the whole vault',
    mcp: tool('list', { recursive: true }),
    rest: [get('', { recursive: true })],
    answers: { path: '' },
    ...READ,
  },
  {
    does: 'does not list a missing folder',
    mcp: tool('list', { path: 'Nowhere' }),
    rest: [get('Nowhere/')],
    refused: 'not_found',
  },
  {
    does: 'searches',
    mcp: tool('search', { query: 'insulation', k: 3 }),
    rest: [search({ q: 'insulation', k: 3 }), searchByJson({ q: 'insulation', k: 3 })],
    ...READ,
  },
  {
    does: 'searches in a folder',
    mcp: tool('search', { query: 'herbs pear', prefix: 'Garden', kind: 'note' }),
    rest: [
      search({ q: 'herbs pear', prefix: 'Garden', kind: 'note' }),
      searchByJson({ q: 'herbs pear', prefix: 'Garden', kind: 'note' }),
    ],
    ...READ,
  },
  {
    does: 'searches, and names what the results are linked with',
    mcp: tool('search', { query: 'herbs', k: 1, expand_links: true }),
    rest: [search({ q: 'herbs', k: 1, expand_links: true }), searchByJson({ q: 'herbs', k: 1, expand_links: true })],
    ...READ,
  },
  {
    does: 'does not search where nothing is indexed',
    mcp: tool('search', { query: 'pear', prefix: 'Nowhere' }),
    rest: [search({ q: 'pear', prefix: 'Nowhere' })],
    refused: 'not_found',
  },
  {
    does: 'does not search for nothing',
    mcp: tool('search', { query: ' ' }),
    rest: [search({ q: ' ' })],
    refused: 'invalid_request',
    otherWords: 'each names the query as its caller does',
  },
  {
    does: 'finds what a note links to and what links to it',
    mcp: tool('links', { path: 'Garden/Pear.md' }),
    rest: [links({ path: 'Garden/Pear.md' })],
    answers: { path: 'Garden/Pear.md', kind: 'note' },
    ...READ,
  },
  {
    does: 'finds the links of the whole vault, a page at a time',
    mcp: tool('links', { limit: 1 }),
    rest: [links({ limit: 1 })],
    answers: { path: '' },
    ...READ,
  },
  {
    does: 'finds no links of a folder',
    mcp: tool('links', { path: 'Garden' }),
    rest: [links({ path: 'Garden' })],
    refused: 'is_directory',
  },
  {
    does: 'finds no links of what is not there',
    mcp: tool('links', { path: 'Gone.md' }),
    rest: [links({ path: 'Gone.md' })],
    refused: 'not_found',
  },
];
