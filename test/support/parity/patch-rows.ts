/** The parity table's rows on parts of a note: sections, blocks, body, text. Each in the header and the JSON dialect. */
import { expect } from 'vitest';
import { patch, patchJson, tool } from './calls.ts';
import { edited, etagOf, type ParityRow, PLAN, type RestCall, STALE, stamped, WINDOWS } from './row.ts';

interface Part {
  readonly operation: 'replace' | 'append' | 'prepend' | 'delete';
  readonly type?: 'block' | 'body';
  readonly target?: string | readonly string[];
  readonly scope?: 'content' | 'own' | 'marker' | 'markerAndContent';
  readonly content?: string;
  readonly create?: true;
  readonly etag?: string;
  readonly dryRun?: true;
}

/** One patch in the words of the tool and of both dialects. */
function part(does: string, path: string, asked: Part): Pick<ParityRow, 'does' | 'mcp' | 'rest'> {
  const { operation, type, target, scope, content, create, etag, dryRun } = asked;
  const args = {
    ...{ path, operation, target_type: type, target, scope, content },
    ...{ create_if_missing: create, expected_etag: etag, dry_run: dryRun },
  };
  const instruction = {
    ...{ targetType: type, target, operation, scope, content },
    ...{ createTargetIfMissing: create, ifMatch: etag, dryRun },
  };
  return { does, mcp: tool('patch', args), rest: [headerPatch(path, asked), patchJson(path, instruction)] };
}

function headerPatch(path: string, { operation, type, target, scope, content, create, etag, dryRun }: Part): RestCall {
  const segments = typeof target === 'string' ? target : target?.join('::');
  const headers = {
    Operation: operation,
    ...(type && { 'Target-Type': type }),
    ...(segments && { Target: encodeURIComponent(segments) }),
    ...(scope && { 'Target-Scope': scope }),
    ...(create && { 'Create-Target-If-Missing': 'true' }),
    ...(etag && { 'If-Match': `"${etag}"` }),
  };
  return patch(path, headers, content, dryRun && { dry_run: true });
}

/** A patch of Plan.md that replaces one passage of it by another. */
function planPart(does: string, asked: Part, [from, to]: [string, string], answers = {}): ParityRow {
  return { ...part(does, 'Plan.md', asked), leaves: { 'Plan.md': edited(PLAN, from, to) }, answers };
}

const COSTS = PLAN.slice(PLAN.indexOf('## Costs'), PLAN.indexOf('## Dates'));

export const PATCH_ROWS: readonly ParityRow[] = [
  planPart(
    'replaces a section and names the subsections that went with it',
    { operation: 'replace', target: 'Plan::Costs', content: 'Gas is dear.' },
    [COSTS, '## Costs\n\nGas is dear.\n\n'],
    { removed_subsections: ['Quote', 'Grants'], timestamp: { bumped: true } },
  ),
  planPart(
    'replaces what a section says before its subsections',
    { operation: 'replace', target: 'Costs', scope: 'own', content: 'Gas is dear.' },
    ['Oil is dear.\n\n- insulation\n- pipes', 'Gas is dear.'],
    { removed_subsections: [] },
  ),
  planPart(
    'replaces a heading alone',
    { operation: 'replace', target: ['Plan', 'Costs'], scope: 'marker', content: '## Prices' },
    ['## Costs', '## Prices'],
  ),
  planPart(
    'replaces a section with its heading',
    { operation: 'replace', target: 'Costs::Grants', scope: 'markerAndContent', content: '### Loans\n\nNone.' },
    ['### Grants\n\nHalf of it.', '### Loans\n\nNone.'],
  ),
  planPart('takes a section out', { operation: 'delete', target: 'Quote', scope: 'markerAndContent' }, [
    '### Quote\n\nNine thousand. ^quote\n\n',
    '',
  ]),
  planPart('empties a section', { operation: 'delete', target: 'Grants' }, [
    '### Grants\n\nHalf of it.\n',
    '### Grants\n',
  ]),
  planPart(
    'goes on with the list of a section',
    { operation: 'append', target: 'Costs', scope: 'own', content: '- pump' },
    ['- pipes\n', '- pipes\n- pump\n'],
  ),
  planPart(
    'appends to the one of two headings that is counted',
    { operation: 'append', target: 'Dates[2]', content: 'Or July.' },
    ['In June.\n', 'In June.\n\nOr July.\n'],
  ),
  planPart('prepends to a section', { operation: 'prepend', target: 'Grants', content: 'Maybe.' }, [
    'Half of it.',
    'Maybe.\n\nHalf of it.',
  ]),
  planPart(
    'finds a heading in other letters',
    { operation: 'append', target: 'ÜBERBLICK & more', content: 'Ärger, Übel.' },
    ['Äpfel, Öl.\n', 'Äpfel, Öl.\n\nÄrger, Übel.\n'],
  ),
  planPart(
    'makes a missing heading when asked to',
    { operation: 'append', target: 'Plan::Costs::Paid', content: 'Nothing.', create: true },
    ['Half of it.\n', 'Half of it.\n\n### Paid\n\nNothing.\n'],
    { created_headings: ['Paid'] },
  ),
  planPart(
    'replaces a block and keeps its id',
    { operation: 'replace', type: 'block', target: '^quote', content: 'Ten.' },
    ['Nine thousand. ^quote', 'Ten. ^quote'],
  ),
  planPart('appends to a block', { operation: 'append', type: 'block', target: '^quote', content: 'With tax.' }, [
    'Nine thousand. ^quote\n',
    'Nine thousand. ^quote\n\nWith tax.\n',
  ]),
  planPart(
    'patches the version that was expected',
    { operation: 'append', target: 'Grants', content: 'x', etag: etagOf(PLAN) },
    ['Half of it.\n', 'Half of it.\n\nx\n'],
  ),
  {
    ...part('prepends to the body', 'Plan.md', { operation: 'prepend', type: 'body', content: 'Read this.' }),
    leaves: { 'Plan.md': edited(PLAN, '---\n# Plan', '---\n\nRead this.\n\n# Plan') },
  },
  {
    ...part('appends to the body', 'Bare.md', { operation: 'append', type: 'body', content: 'More.' }),
    leaves: { 'Bare.md': '# Bare\n\nNo frontmatter here.\n\nMore.\n' },
  },
  {
    ...part('patches in the line breaks of the note', 'Windows.md', {
      operation: 'replace',
      target: 'Part',
      content: 'New\nwords.',
    }),
    leaves: {
      'Windows.md': WINDOWS.replace('---\r\n#', 'timestamp: 2026-07-28T09:30:15Z\r\n---\r\n#').replace(
        'Old words.',
        'New\r\nwords.',
      ),
    },
  },
  {
    does: 'takes a target with another mark between its headings',
    mcp: tool('patch', { path: 'Plan.md', operation: 'append', target: 'Plan::Costs::Grants', content: 'x' }),
    rest: [
      patch('Plan.md', { Operation: 'append', Target: 'Plan/Costs/Grants', 'Target-Delimiter': '/' }, 'x'),
      patchJson('Plan.md', { operation: 'append', target: 'Plan/Costs/Grants', targetDelimiter: '/', content: 'x' }),
      patch(
        'Plan.md',
        { Operation: 'append', Target: encodeURIComponent('["Plan","Costs","Grants"]'), 'Markdown-Patch-Version': '2' },
        'x',
      ),
    ],
    leaves: { 'Plan.md': edited(PLAN, 'Half of it.\n', 'Half of it.\n\nx\n') },
  },
  {
    ...part('shows what a patch would do', 'Plan.md', {
      operation: 'replace',
      target: 'Costs',
      content: 'None.',
      dryRun: true,
    }),
    leaves: {},
    answers: { etag: etagOf(PLAN), diff: expect.stringContaining('-Oil is dear.') },
  },
  {
    ...part('does not guess a missing heading', 'Plan.md', { operation: 'append', target: 'Cost', content: 'x' }),
    refused: 'no_such_heading',
  },
  {
    ...part('does not guess between two headings', 'Plan.md', { operation: 'append', target: 'Dates', content: 'x' }),
    refused: 'ambiguous_heading',
  },
  {
    ...part('does not guess a missing block', 'Plan.md', { operation: 'delete', type: 'block', target: '^nothing' }),
    refused: 'no_such_block',
  },
  {
    ...part('looks at the version before it looks for the target', 'Plan.md', {
      operation: 'append',
      target: 'Nowhere',
      content: 'x',
      etag: STALE,
    }),
    refused: 'precondition_failed',
  },
  {
    ...part('does not put text where no heading could follow it', 'Plan.md', {
      operation: 'replace',
      target: 'Costs',
      content: '```\nopen',
    }),
    refused: 'invalid_value',
  },
  {
    ...part('does not take a scope for a block', 'Plan.md', {
      operation: 'replace',
      type: 'block',
      target: '^quote',
      scope: 'own',
      content: 'x',
    }),
    refused: 'invalid_request',
  },
  {
    ...part('does not patch a missing note', 'Nowhere.md', { operation: 'append', target: 'Plan', content: 'x' }),
    refused: 'not_found',
  },
  {
    ...part('does not patch a document', 'Files/scan.pdf', { operation: 'append', target: 'Plan', content: 'x' }),
    refused: 'is_document',
  },
];

/** In the words of the tool, of the header dialect and of the JSON dialect. */
function text(does: string, path: string, asked: Record<string, unknown>): Pick<ParityRow, 'does' | 'mcp' | 'rest'> {
  return {
    does,
    mcp: tool('replace_text', { path, ...asked }),
    rest: [
      patch(path, { 'Target-Type': 'text' }, asked),
      patch(path, { 'Target-Type': 'text', Operation: 'replace', 'content-type': 'text/plain' }, JSON.stringify(asked)),
      patchJson(path, { targetType: 'text', value: asked }),
    ],
  };
}

export const TEXT_ROWS: readonly ParityRow[] = [
  {
    ...text('replaces a text that is there once', 'Plan.md', { find: 'Oil is', replace: 'Gas was' }),
    leaves: { 'Plan.md': edited(PLAN, 'Oil is', 'Gas was') },
  },
  {
    ...text('replaces as many as were counted', 'Plan.md', { find: 'In ', replace: 'Before ', count: 2 }),
    leaves: { 'Plan.md': stamped(PLAN.replaceAll('In ', 'Before ')) },
  },
  {
    ...text('replaces in one section', 'Plan.md', { find: 'dear', replace: 'cheap', section: 'Plan::Costs' }),
    leaves: { 'Plan.md': edited(PLAN, 'dear', 'cheap') },
  },
  {
    ...text('replaces in the frontmatter when asked to', 'Plan.md', {
      find: 'until June',
      replace: 'until July',
      include_frontmatter: true,
    }),
    leaves: { 'Plan.md': edited(PLAN, 'until June', 'until July') },
  },
  {
    ...text('replaces across the line breaks of the note', 'Windows.md', {
      find: 'line.\n\n## Part',
      replace: 'word.\n\n## Piece',
    }),
    leaves: {
      'Windows.md': WINDOWS.replace('---\r\n#', 'timestamp: 2026-07-28T09:30:15Z\r\n---\r\n#').replace(
        'line.\r\n\r\n## Part',
        'word.\r\n\r\n## Piece',
      ),
    },
  },
  {
    ...text('takes a text out', 'Bare.md', { find: 'No frontmatter ', replace: '' }),
    leaves: { 'Bare.md': '# Bare\n\nhere.\n' },
  },
  {
    ...text('shows what a replacement would do', 'Bare.md', { find: 'here', replace: 'there', dry_run: true }),
    leaves: {},
    answers: { diff: expect.stringContaining('+No frontmatter there.') },
  },
  { ...text('does not guess a missing text', 'Plan.md', { find: 'Coal', replace: 'x' }), refused: 'no_such_text' },
  {
    ...text('does not look into the frontmatter', 'Plan.md', { find: 'draft', replace: 'x' }),
    refused: 'no_such_text',
  },
  { ...text('does not guess between two texts', 'Plan.md', { find: 'In ', replace: 'x' }), refused: 'ambiguous_text' },
  {
    ...text('does not replace in another version than the one expected', 'Bare.md', {
      find: 'here',
      replace: 'x',
      expected_etag: STALE,
    }),
    refused: 'precondition_failed',
  },
];
