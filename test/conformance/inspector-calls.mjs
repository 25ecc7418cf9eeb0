/**
 * What the inspector is asked to do, and what has to come back: each call over HTTP and over stdio, in both protocol
 * eras. Danger: the inspector answers with an empty list, without asking, where a server does not offer something.
 */
import { runProgram } from './run-program.mjs';

/** What the inspector ends with. */
const EXIT = { ok: 0, error: 1, authRequired: 3, noSuchTool: 5 };
const NOTE = 'vault://note/Household/Electricity%20contract.md';
const ERAS = ['legacy', 'modern'];
const TOOL = (name, args) => ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];

/**
 * @typedef {object} Call
 * @property {string} call what is asked, for readers
 * @property {string} answer what has to come back, for readers
 * @property {string[]} args of the inspector
 * @property {number} code what the inspector ends with
 * @property {(said: any) => boolean} holds `said` is its answer, parsed
 * @property {boolean} [httpOnly]
 * @property {boolean} [withoutKey]
 */

/** @type {Call[]} */
export const CALLS = [
  {
    call: '`tools/list`, with `--strict`',
    answer: 'the tools; the inspector finds no error in their schemas',
    args: ['--method', 'tools/list', '--strict'],
    code: EXIT.ok,
    holds: ({ result }) =>
      ['vault_search', 'vault_map'].every((name) => result.tools.some((tool) => tool.name === name)),
  },
  {
    call: '`tools/call` of `vault_search`',
    answer: 'results, as structure and as text',
    args: TOOL('vault_search', { query: 'electricity contract', k: 3 }),
    code: EXIT.ok,
    holds: ({ result }) =>
      result.structuredContent.results.length > 0 && result.content[0].text.includes('Electricity'),
  },
  {
    call: '`tools/call` of `vault_map`',
    answer: 'the headings of a note',
    args: TOOL('vault_map', { path: 'Household/Electricity contract.md' }),
    code: EXIT.ok,
    holds: ({ result }) => result.structuredContent.headings.some(({ text }) => text === 'Rates'),
  },
  {
    call: '`tools/call` for a note that is not there',
    answer: 'a tool error with the code `not_found`',
    args: TOOL('vault_map', { path: 'Household/No such note.md' }),
    code: EXIT.noSuchTool,
    holds: ({ result }) => result.isError === true && result._meta['vault-mcp/code'] === 'not_found',
  },
  {
    call: '`tools/call` of a tool that is not there',
    answer: 'refused',
    args: TOOL('vault_no_such_tool', {}),
    code: EXIT.noSuchTool,
    holds: ({ error }) => error.code === 'tool_not_found',
  },
  {
    call: '`resources/list`',
    answer: 'the notes, each by its address',
    args: ['--method', 'resources/list'],
    code: EXIT.ok,
    holds: ({ result }) => result.resources.some(({ uri }) => uri === NOTE),
  },
  {
    call: '`resources/templates/list`',
    answer: 'how the address of a note is made',
    args: ['--method', 'resources/templates/list'],
    code: EXIT.ok,
    holds: ({ result }) => result.resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'vault://note/{+path}'),
  },
  {
    call: '`resources/read` of a note',
    answer: 'its text',
    args: ['--method', 'resources/read', '--uri', NOTE],
    code: EXIT.ok,
    holds: ({ result }) =>
      result.contents[0].uri === NOTE && result.contents[0].text.includes('# Electricity contract'),
  },
  {
    call: '`resources/read` of a note that is not there',
    answer: 'refused with `not_found`',
    args: ['--method', 'resources/read', '--uri', `${NOTE}.md`],
    code: EXIT.error,
    holds: ({ error }) => error.message.includes('not_found: '),
  },
  {
    call: '`prompts/list`',
    answer: 'none: the server offers no prompts, so the inspector does not ask',
    args: ['--method', 'prompts/list'],
    code: EXIT.ok,
    holds: ({ result }) => result.prompts.length === 0,
  },
  {
    call: '`tools/list` without the key',
    answer: 'refused: a key is required',
    args: ['--method', 'tools/list', '--stored-auth-only'],
    code: EXIT.authRequired,
    holds: ({ error }) => error.code === 'auth_required',
    httpOnly: true,
    withoutKey: true,
  },
];

/**
 * @param {import('./install-tools.mjs').Tools} tools
 * @param {import('./served-example.mjs').Served} served
 * @returns {Promise<{ ran: number, differences: string[] }>} a sentence for each call that went otherwise
 */
export async function runInspector(tools, served) {
  // Both at once: a call is mostly the start of a process, and over stdio of two.
  const transports = await Promise.all(['http', 'stdio'].map((transport) => callOver(transport, tools, served)));
  return { ran: transports.flat().length, differences: transports.flat().filter((problem) => problem !== undefined) };
}

/** One entry per call: what went otherwise than it has to, or undefined. */
async function callOver(transport, tools, served) {
  const calls = CALLS.filter(({ httpOnly }) => transport === 'http' || !httpOnly);
  const inspector = [tools.node, tools.inspector];
  const outcomes = [];
  for (const era of ERAS) {
    for (const each of calls) {
      const problem = await problemOf(each, inspector, target(transport, each, served), era, served);
      outcomes.push(problem && `inspector, ${transport}, ${era}, ${each.call}: ${problem}`);
    }
  }
  return outcomes;
}

/** The inspector's arguments that name the server. */
function target(transport, { withoutKey }, { mcp, key, stdio }) {
  if (transport === 'stdio') return ['--', ...stdio];
  return [...(withoutKey ? [] : ['--header', `Authorization: Bearer ${key}`]), '--', mcp];
}

/** What went otherwise than it has to, if anything did. */
async function problemOf({ args, code, holds }, inspector, where, era, { env }) {
  const own = ['--cli', '--format', 'json', '--quiet', '--protocol-era', era];
  const run = await runProgram([...inspector, ...own, ...args, ...where], env);
  const said = `It ended with ${run.code} and said: ${`${run.stdout}${run.stderr}`.trim().slice(0, 500)}`;
  if (run.code !== code) return `expected it to end with ${code}. ${said}`;
  try {
    return holds(JSON.parse(run.stdout.trim() || run.stderr.trim())) ? undefined : said;
  } catch (error) {
    return `${error.message}. ${said}`;
  }
}
