/**
 * The chunker's rules, each changed by itself, as parameters of an index: what `npm run relevance:chunking` compares with the rules in
 * force. Danger: a variant that changes two things says nothing about either; what has to change with a rule is said in its `how`.
 */
import { chunkNote } from '@vault-mcp/shared/chunk/chunk';
import { CHUNK_RULES } from '@vault-mcp/shared/chunk/rules';

/**
 * @typedef {{rule: string, how: string, chunk?: import('@vault-mcp/indexer/sync/describe-file').Chunker,
 *   embedAs?: (text: string) => string}} Variant `chunk` and `embedAs` as indexVault takes them; neither of them: the rules in force
 */

/** @type {Variant} */
export const IN_FORCE = { rule: 'all rules in force', how: '' };

/** @type {Variant[]} */
export const VARIANTS = [
  byRules('sections at depth 1 to 3', 'the note is one section', { sectionDepth: 0 }),
  byRules('sections at depth 1 to 3', 'at every depth', { sectionDepth: 6 }),
  {
    rule: 'breadcrumb',
    how: 'neither indexed nor embedded',
    chunk: (...note) => chunkNote(...note).map((chunk) => ({ ...chunk, breadcrumb: '' })),
  },
  { rule: 'title and description in what is embedded', how: 'left out', embedAs: withoutTitle },
  byRules('small sections join the next', 'each stays alone; a last one still joins', { mergeForward: false }),
  byRules('a trailing runt joins the one before', 'it stays alone', { mergeBack: false }),
  byRules('oversize split at boundaries', 'cut at the token count', { splitAtBoundaries: false }),
  byRules('code blocks whole', 'split at lines like text', { fencesWhole: false }),
  byRules('table header repeated', 'only the first piece has it', { repeatTableHeader: false }),
  {
    rule: 'overlap of 60 tokens',
    how: 'none',
    chunk: (note, options) => chunkNote(note, { ...options, overlapTokens: 0 }),
  },
  byRules('flat list by item', 'packed like any list', { listsByItem: false }),
];

function byRules(rule, how, changed) {
  return { rule, how, chunk: (note, options) => chunkNote(note, options, { ...CHUNK_RULES, ...changed }) };
}

/** Of a text as embedded-text.ts puts it together: every note and document has a title, and it is the first line. */
export function withoutTitle(text) {
  const headEnd = text.indexOf('\n\n');
  const titleEnd = text.indexOf('\n');
  return titleEnd < headEnd ? text.slice(titleEnd + 1) : text.slice(headEnd + 2);
}
