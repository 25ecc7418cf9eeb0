// Every operation over REST and over MCP: the same bytes left in the whole vault, the same answer, the same refusal, the
// same row in the audit log, and the same change told to the history. What is allowed to differ is named here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appWith } from '../support/contract-checks.ts';
import { post, put, tool } from '../support/parity/calls.ts';
import { DELETE_ROWS, MOVE_ROWS } from '../support/parity/file-rows.ts';
import { FOLDER_ROWS } from '../support/parity/folder-rows.ts';
import { FRONTMATTER_ROWS } from '../support/parity/frontmatter-rows.ts';
import { INGEST_ROWS } from '../support/parity/ingest-rows.ts';
import { APPEND_ROWS, SET_BODY_ROWS, WRITE_ROWS } from '../support/parity/note-rows.ts';
import { PATCH_ROWS, TEXT_ROWS } from '../support/parity/patch-rows.ts';
import { PROPOSAL_ROWS } from '../support/parity/proposal-rows.ts';
import { READ_ROWS } from '../support/parity/read-rows.ts';
import { BARE, type Changes, type ParityRow, type RestCall, type ToolCall, VAULT } from '../support/parity/row.ts';
import { hasOwnServer, type Outcome, openSurface, SOURCE, type Surface } from '../support/parity/surfaces.ts';
import { WIKI_ROWS } from '../support/parity/wiki-rows.ts';

const WRITES: readonly ParityRow[] = [
  ...[...WRITE_ROWS, ...APPEND_ROWS, ...SET_BODY_ROWS, ...PATCH_ROWS, ...TEXT_ROWS, ...FRONTMATTER_ROWS],
  ...[...DELETE_ROWS, ...MOVE_ROWS, ...FOLDER_ROWS, ...PROPOSAL_ROWS, ...INGEST_ROWS, ...WIKI_ROWS],
];

/**
 * Fields of an answer that only one surface gives, by tool, and why: pages are a tool's way to give a long text, and
 * REST gives a file's facts and the Obsidian plugin's forms beside it.
 */
const ONLY_REST: Readonly<Record<string, readonly string[]>> = {
  // A body is replaced by a patch there, which answers as patches do.
  vault_set_body: ['removed_subsections', 'created_headings'],
  // The number is a page's total_chars; vault_map has what else is known of a document.
  vault_read: ['body', 'stat', 'extracted_chars', 'pages', 'has_text_layer'],
  vault_map: ['stat'],
  vault_list: ['files'],
  // One of its own each time.
  vault_propose: ['token'],
};
const ONLY_MCP: Readonly<Record<string, readonly string[]>> = {
  vault_read: ['offset', 'next_offset', 'total_chars'],
  vault_map: ['next_offset', 'total_chars'],
  vault_search: ['left_out'],
  vault_propose: ['token'],
};
/** The operation's name in the audit log and the history, where REST reaches the same by another one. */
const OTHER_OPERATION: Readonly<Record<string, string>> = { 'set-body': 'patch-note' };

/** Routes that are no operation on the vault, or have no tool by design. */
const WITHOUT_TOOL: Readonly<Record<string, string>> = {
  'POST /mcp': 'the other surface itself',
  'POST /mcp/only/*': 'the other surface itself',
  'POST /search/simple/': "the Obsidian plugin's way to search",
  'POST /reindex': "the operator's",
  'POST /callouts': 'for automations and reports; a reader of notes has them in the text',
  'POST /maintenance': "the operator's",
  'POST /memory/consolidate': "the operator's",
  'POST /memory/discards/:n/restore': "the operator's",
};

let rest: Surface;
let mcp: Surface;
beforeAll(async () => {
  [rest, mcp] = await Promise.all([openSurface(), openSurface()]);
});
afterAll(() => Promise.all([rest.close(), mcp.close()]));

/** Asks each surface, and REST in each of its dialects. */
async function askAll(row: ParityRow): Promise<{ tool: Outcome; others: Outcome[] }> {
  const own = async (call: Parameters<Surface['ask']>[1]) => {
    const surface = await openSurface(row);
    try {
      return await surface.ask(row, call);
    } finally {
      await surface.close();
    }
  };
  if (hasOwnServer(row)) {
    const [tool, ...others] = await Promise.all([row.mcp, ...row.rest].map(own));
    return { tool: tool as Outcome, others };
  }
  const inTurn = async () => {
    const outcomes: Outcome[] = [];
    for (const call of row.rest) outcomes.push(await rest.ask(row, call));
    return outcomes;
  };
  const [tool, others] = await Promise.all([mcp.ask(row, row.mcp), inTurn()]);
  return { tool, others };
}

/** The vault that a row leaves, as the disk shows it. */
function vaultAfter({ files = {}, folders = [] }: ParityRow, changes: Changes): Record<string, string> {
  const entries = new Map<string, string | Uint8Array>();
  const put = (path: string, content: string | Uint8Array) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) entries.set(path.slice(0, at), '/');
    entries.set(path, content);
  };
  for (const [path, content] of Object.entries({ ...VAULT, ...files })) put(path, content);
  for (const folder of folders) put(folder, '/');
  for (const [path, content] of Object.entries(changes)) {
    if (content === null) entries.delete(path);
    else put(path, content);
  }
  return Object.fromEntries([...entries].map(([path, content]) => [path, Buffer.from(content).toString('latin1')]));
}

/** What the history has to be told: every file that came, went or changed; the trash is no part of the vault. */
function touchedFiles(row: ParityRow, changes: Changes): string[] {
  const before = vaultAfter(row, {});
  const isFile = (path: string) => (changes[path] ?? before[path]) !== '/';
  return Object.keys(changes)
    .filter((path) => isFile(path) && !path.startsWith('.trash/'))
    .toSorted();
}

const without = (answer: Outcome['answer'], fields: readonly string[] = []) =>
  answer && Object.fromEntries(Object.entries(answer).filter(([field]) => !fields.includes(field)));

const named = (operation: string) => OTHER_OPERATION[operation] ?? operation;

/** What the audit log may call a REST request: a refused one may have ended before its operation was chosen. */
function operationsOf(asTool: Outcome, { call, code }: Outcome): string[] {
  const [method, url = ''] = call.split(' ');
  const route = `${method} ${url.replace(/^(\/[^/?]+\/).*/, '$1*')}`;
  // Over REST what is neither note nor folder is taken for a document that is to be filed.
  const filed = code === 'unsupported_suffix' && method === 'PUT' ? ['file-document'] : [];
  return [named(asTool.audited.operation), ...(code === 'ok' ? [] : [route]), ...filed];
}

function expectAlike(row: ParityRow, asTool: Outcome, other: Outcome): void {
  const { tool: name } = row.mcp;
  expect(other.left).toEqual(asTool.left);
  expect(other.code).toBe(asTool.code);
  if (!('otherWords' in row)) expect(other.message).toBe(asTool.message);
  expect(without(other.answer, ONLY_REST[name])).toEqual(without(asTool.answer, ONLY_MCP[name]));
  expect(other.audited).toEqual({ ...asTool.audited, operation: expect.toBeOneOf(operationsOf(asTool, other)) });
  expect(other.changes).toEqual(asTool.changes.map((change) => ({ ...change, operation: named(change.operation) })));
}

function expectAsSaid(row: ParityRow, { code, answer, left, changes }: Outcome): void {
  if ('refused' in row) {
    expect(code).toBe(row.refused);
    expect(left).toEqual(vaultAfter(row, {}));
    expect(changes).toEqual([]);
    return;
  }
  expect(code).toBe('ok');
  expect(left).toEqual(vaultAfter(row, row.leaves));
  expect(changes.flatMap(({ paths }) => paths).toSorted()).toEqual(touchedFiles(row, row.leaves));
  for (const change of changes) expect(change).toMatchObject({ agent: 'operator', source: SOURCE });
  if (row.answers) expect(answer).toMatchObject(row.answers);
}

const titled = (rows: readonly ParityRow[]) =>
  rows.map((row): [string, ParityRow] => [`${row.does} (${row.mcp.tool})`, row]);

describe('every surface', () => {
  it.each(titled(WRITES))('%s', async (_title, row) => {
    const { tool, others } = await askAll(row);
    expectAsSaid(row, tool);
    for (const other of others) expectAlike(row, tool, other);
  });
});

describe('every surface, over one vault that nobody changes,', () => {
  let indexed: Surface;
  beforeAll(async () => {
    indexed = await openSurface({ indexed: true });
  });
  afterAll(() => indexed.close());

  it.each(titled(READ_ROWS))('%s', async (_title, row) => {
    const asked: ParityRow = { ...row, indexed: true };
    const tool = await indexed.ask(asked, row.mcp);
    expectAsSaid(row, tool);
    for (const call of row.rest) expectAlike(row, tool, await indexed.ask(asked, call));
  });
});

describe('the surfaces differ where their callers do:', () => {
  const row = (does: string, mcpCall: ToolCall, restCall: RestCall): ParityRow => ({
    ...{ does, mcp: mcpCall, rest: [restCall], leaves: {} },
  });
  const FIRST_ONLY = { headers: { 'If-None-Match': '*' } };

  it('a flow that puts a note means it, an agent has to say that it replaces one', async () => {
    const asked = row('', tool('write', { path: 'Bare.md', content: 'x' }), put('Bare.md', 'x'));
    const { tool: refused, others } = await askAll(asked);
    expect([refused.code, refused.left]).toEqual(['already_exists', vaultAfter(asked, {})]);
    expect(others.map(({ code, left }) => [code, left])).toEqual([['ok', vaultAfter(asked, { 'Bare.md': 'x' })]]);
  });

  it('a flow that may not replace one says so by a condition', async () => {
    const asked = row('', tool('write', { path: 'Bare.md', content: 'x' }), put('Bare.md', 'x', FIRST_ONLY));
    const { others } = await askAll(asked);
    expect(others.map(({ code, left }) => [code, left])).toEqual([['precondition_failed', vaultAfter(asked, {})]]);
  });

  it('a flow that posts to a note makes it, an agent has to say that it may', async () => {
    const asked = row('', tool('append', { path: 'New.md', content: 'x' }), post('New.md', 'x'));
    const { tool: refused, others } = await askAll(asked);
    expect([refused.code, refused.left]).toEqual(['not_found', vaultAfter(asked, {})]);
    expect(refused.message).toContain('create_if_missing');
    expect(others.map(({ code, left }) => [code, left])).toEqual([['ok', vaultAfter(asked, { 'New.md': 'x' })]]);
  });

  it('blanks around a path are a slip of an agent, and part of a name in a URL', async () => {
    const asked = row('', tool('append', { path: ' Bare.md\n', content: 'x' }), post(' Bare.md', 'x'));
    const { tool: done, others } = await askAll(asked);
    expect([done.code, done.left]).toEqual(['ok', vaultAfter(asked, { 'Bare.md': `${BARE}\nx\n` })]);
    expect(others.map(({ code, left }) => [code, left])).toEqual([['ok', vaultAfter(asked, { ' Bare.md': 'x' })]]);
  });
});

describe('the table', () => {
  const rows = [...WRITES, ...READ_ROWS];

  it('has a row for each tool that is offered', async () => {
    const answer = await mcp.served.get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const text = (await answer.text()).replace(/^[^{]*/, '');
    const { result } = JSON.parse(text) as { result: { tools: { name: string }[] } };
    const offered = result.tools.map(({ name }) => name);
    expect(offered.toSorted()).toEqual([...new Set(rows.map((row) => row.mcp.tool))].toSorted());
  });

  it('has a row for each route that changes the vault, and for each that is asked with a body', () => {
    const app = appWith(rest.served.context);
    const served = app.routes
      .filter(({ method }) => !['ALL', 'GET'].includes(method))
      .map(({ method, path }) => `${method} ${path}`);
    const asked = rows.flatMap((row) => row.rest).map((call) => routeOf(call, served));
    expect([...new Set([...asked, ...Object.keys(WITHOUT_TOOL)])].toSorted()).toEqual(
      expect.arrayContaining(served.toSorted()),
    );
    expect(served).toEqual(expect.arrayContaining(Object.keys(WITHOUT_TOOL)));
  });
});

/** The route that takes a call, as the application names it. */
function routeOf({ method, url }: RestCall, routes: readonly string[]): string {
  const path = url.replace(/\?.*/, '');
  const takes = (route: string) => {
    const [its, pattern = ''] = route.split(' ');
    return its === method && (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern);
  };
  return routes.find(takes) ?? `${method} ${path}`;
}
