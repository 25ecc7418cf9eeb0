/**
 * Queries that are none, over REST, MCP and the command line, of one running server: each is answered with results or with a code
 * and what to do, and the server answers the next good one. Danger: a query that only fails inside of SQLite, of JSON or of an
 * HTTP header is met nowhere else.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { type McpClient, modernClient, textOf } from '../support/mcp-clients.ts';

const KEY = 'a-key-for-tests';

let home: CliHome;
let url: string;
let mcp: McpClient;

beforeAll(async () => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n\nThe boiler was serviced in March, and the chimney was swept.\n');
  home.write('Garden/Tomatoes.md', '# Tomatoes\n\nSow them indoors, plant out after frost. 🍅\n');
  home.write('東京.md', '# 東京\n\n契約番号について。\n');
  const running = home.start(['serve', '--port', '0', '--json', '--lexical', ...home.here], { VAULT_MCP_API_KEY: KEY });
  url = (JSON.parse((await running.until(/\n/)).split('\n')[0] ?? '') as { url: string }).url;
  await vi.waitFor(async () => expect((await get('/readyz')).status).toBe(200), { timeout: 60_000, interval: 100 });
  mcp = await modernClient({ url: new URL(`${url}/mcp`), headers: { authorization: `Bearer ${KEY}` } });
}, 90_000);
afterAll(async () => {
  await mcp?.close();
  await home?.close();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, accept: 'application/json', ...init.headers },
  });
const post = (body: string) =>
  get('/search', { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** `results` where there are any, `none` where there are none, else the code of an error that says something. */
async function outcomeOf(answer: Response): Promise<string> {
  const body = (await answer.json()) as { code?: string; error?: string; results?: unknown[] };
  if (answer.status === 200) return body.results?.length === 0 ? 'none' : 'results';
  expect(answer.status, body.error).toBeLessThan(500);
  expect(body.error?.length).toBeGreaterThan(15);
  return body.code ?? '';
}

async function toolOutcome(args: Record<string, unknown>): Promise<string> {
  const answer = await mcp.call('vault_search', args).catch((error: Error) => error);
  // What the schema that was listed forbids, a client or the protocol may refuse; never as a fault of the server's.
  if (answer instanceof Error) {
    expect(answer.message).not.toMatch(/internal/i);
    return 'invalid_request';
  }
  const text = textOf(answer);
  expect(text.length).toBeGreaterThan(20);
  if (answer.isError === true) {
    expect(text).not.toMatch(/internal_error/);
    return /\b(invalid_request|invalid_path|not_found)\b/.exec(text)?.[1] ?? text;
  }
  return (answer.structuredContent as { results: unknown[] }).results.length === 0 ? 'none' : 'results';
}

async function restIsWell(): Promise<void> {
  const { results } = (await (await get('/search?q=chimney')).json()) as { results: { path: string }[] };
  expect(results[0]?.path).toBe('Heating.md');
}

const distinctWords = Array.from({ length: 1_400 }, (_, n) => `wort${n.toString(36)}`).join(' ');

/** Whatever of it is no word finds nothing, or what is near; both are answers. */
const ODD: readonly (readonly [what: string, query: string])[] = [
  ['stop words alone', 'the of and is a'],
  ['one stop word', 'the'],
  ['punctuation alone', '?!… ---- ;;; «»'],
  ['emoji alone', '🔧👩‍👩‍👧‍👦🇩🇪'],
  ['an emoji of a note', '🍅'],
  ['combining marks alone', '\u0301\u0301\u0301'],
  ['invisible characters', '\u200b\u200d\u2060\ufeff\u00ad'],
  ['marks of direction', '\u202e\u2066boiler\u2069'],
  ['a NUL', 'boiler\u0000chimney'],
  ['a lone high surrogate', '\ud83d boiler'],
  ['a lone low surrogate', 'boiler\udd27'],
  ['10 KB of one word', 'boiler '.repeat(1_460)],
  ['10 KB without a space', 'x'.repeat(10_240)],
  ['10 KB of distinct words', distinctWords],
  ['10 KB of CJK', '東京都千代田区'.repeat(490)],
  ['10 KB of Thai', 'สวัสดีครับ'.repeat(340)],
  ['10 KB of quotation marks', '"'.repeat(10_240)],
  ['10 KB of brackets', '('.repeat(10_240)],
  ['an open quotation mark', '"boiler'],
  ['operators', 'boiler AND NOT (chimney OR'],
  ['an operator alone', 'NOT'],
  ['a column', 'terms:boiler'],
  ['a column filter', '{terms rowid} : boiler'],
  ['NEAR', 'NEAR(boiler chimney, 3)'],
  ['a prefix', 'boil*'],
  ['an asterisk alone', '*'],
  ['an anchor', '^boiler'],
  ['a minus', '-boiler'],
  ['a plus', 'boiler + chimney'],
  ['a statement', "'; DROP TABLE chunk; --"],
  ['an identifier of separators', '-_./@'],
  ['percent signs', '%00%ff%'],
  ['a backslash', '\\'],
  ['a path that leads out', '../../etc/passwd'],
  ['a template', '{{1+1}}'],
];

describe('a query that is odd', () => {
  it.each(ODD)('is answered over REST by GET and POST, and over MCP: %s', async (_what, query) => {
    const posted = await outcomeOf(await post(JSON.stringify({ q: query })));
    expect(posted).toMatch(/^(results|none)$/);
    expect(await toolOutcome({ query })).toBe(posted);
    // Lone surrogates have no percent-encoding; a URL is bounded.
    const encoded = encodeURIComponent(query.toWellFormed());
    if (encoded.length < 12_000) expect(await outcomeOf(await get(`/search?q=${encoded}`))).toBe(posted);
    await restIsWell();
  });

  // A process takes no NUL, and hands lone surrogates over as what stands for them.
  const asked = ODD.filter(([what]) => !what.includes('NUL') && !what.includes('surrogate'));
  it('is answered on the command line', { timeout: 120_000 }, async () => {
    const odd: string[] = [];
    for (const [what, query] of asked.filter(([name], n) => n % 6 === 0 || name.startsWith('10 KB'))) {
      const { code, stdout, stderr } = await home.run(['search', '--json', ...home.here, '--', query], {
        VAULT_MCP_API_KEY: KEY,
      });
      const results = code === 2 || stdout === '' ? null : (JSON.parse(stdout) as { results?: unknown[] }).results;
      if (!Array.isArray(results)) odd.push(`${what}: ${code} ${stdout.slice(0, 300)} ${stderr.slice(0, 300)}`);
    }
    expect(odd).toEqual([]);
    await restIsWell();
  });

  it('is refused with what to do where its URL is longer than a header may be', async () => {
    const answer = await get(`/search?q=${encodeURIComponent('東京都千代田区'.repeat(490))}`);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/invalid_request.*POST \/search/),
    ]);
    await restIsWell();
  });
});

describe('a query that is none', () => {
  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a NUL', '\u0000'],
    ['control characters', '\u0000\u0001\n\t\u007f'],
    ['more than a query may hold', 'x'.repeat(20_001)],
  ])('is refused: %s', async (_what, query) => {
    expect(await outcomeOf(await post(JSON.stringify({ q: query })))).toBe('invalid_request');
    if (query.length < 100)
      expect(await outcomeOf(await get(`/search?q=${encodeURIComponent(query)}`))).toBe('invalid_request');
    expect(await toolOutcome({ query })).toBe('invalid_request');
    await restIsWell();
  });

  it.each(['null', '[]', '["boiler"]', '{}', '{"a":1}', '7', 'true', '1e400'])(
    'is refused where q is %s',
    async (q) => {
      expect(await outcomeOf(await post(`{"q":${q}}`))).toBe('invalid_request');
      await restIsWell();
    },
  );

  it.each([null, [], ['boiler'], {}, 7, true])('is refused by the tool where it is %j', async (query) => {
    // A lenient client's slip of a number for its text may be taken as meant.
    expect(await toolOutcome({ query })).toMatch(/^(invalid_request|results|none)$/);
    expect(await toolOutcome({})).toBe('invalid_request');
    await restIsWell();
  });

  it('is refused when its body is a megabyte', async () => {
    expect(await outcomeOf(await post(JSON.stringify({ q: 'boiler '.repeat(150_000) })))).toBe('invalid_request');
    expect(await toolOutcome({ query: 'boiler '.repeat(150_000) })).toBe('invalid_request');
    await restIsWell();
  });

  it.each([[[]], [['']], [['   ']]])('ends the command with 2 and one line: %j', async (args) => {
    const { code, stderr, stdout } = await home.run(['search', ...home.here, ...args], { VAULT_MCP_API_KEY: KEY });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('what narrows a query', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['k as a string', { k: 'three' }, 'invalid_request'],
    ['k 0', { k: 0 }, 'results'],
    ['k below 0', { k: -3 }, 'results'],
    ['k far too large', { k: 1e9 }, 'results'],
    ['k a fraction', { k: 1.5 }, 'results'],
    ['k null', { k: null }, 'invalid_request'],
    ['k a list', { k: [3] }, 'invalid_request'],
    ['a prefix with a NUL', { prefix: 'Gar\u0000den' }, 'invalid_path'],
    ['a prefix that leads out', { prefix: '../..' }, 'invalid_path'],
    ['a prefix that leads back in', { prefix: 'Garden/../Garden' }, 'results'],
    ['a prefix with a lone surrogate', { prefix: 'Gar\ud800den' }, 'invalid_path'],
    ['a prefix that is a list', { prefix: ['Garden'] }, 'invalid_request'],
    ['a prefix that is nowhere', { prefix: 'x'.repeat(5_000) }, 'invalid_path|not_found'],
    ['an empty tag', { tag: '' }, 'invalid_request'],
    ['a tag of a number sign', { tag: '#' }, 'invalid_request|none'],
    ['a tag with a wildcard', { tag: '%_*?"' }, 'none'],
    ['a type with a NUL', { type: 'a\u0000b' }, 'none|invalid_request'],
    ['another kind', { kind: 'picture' }, 'invalid_request'],
    ['a distance beyond 2', { distance_ceiling: 3 }, 'invalid_request'],
    ['a rank above 0', { bm25_ceiling: 1 }, 'invalid_request'],
  ])('is answered or refused, over REST and MCP alike: %s', async (_what, narrowing, expected) => {
    const wanted = new RegExp(`^(${expected})$`);
    expect(await outcomeOf(await post(JSON.stringify({ q: 'boiler', ...narrowing })))).toMatch(wanted);
    const asTool = await toolOutcome({ query: 'boiler', ...narrowing });
    // Absent is what a client that fills in every argument means by null.
    expect(asTool).toMatch(Object.values(narrowing)[0] === null ? /^(invalid_request|results)$/ : wanted);
    await restIsWell();
  });

  it.each(['NaN', 'Infinity', '', '+', '0x10', '1e999', '3;4'])(
    'is refused where k is no number by GET: %s',
    async (k) => {
      expect(await outcomeOf(await get(`/search?q=boiler&k=${encodeURIComponent(k)}`))).toBe('invalid_request');
    },
  );

  it.each(['%', '%ff', '%ed%a0%80', '%C0%AF'])('is refused where it is no UTF-8: %s', async (raw) => {
    expect(await outcomeOf(await get(`/search?q=${raw}`))).toBe('invalid_request');
  });

  it.each([
    ['-k', '0'],
    ['-k', 'NaN'],
    ['-k', '1e9'],
    ['--prefix', '../..'],
    ['--kind', 'picture'],
  ])('ends the command with 2 where it is wrong: %s %s', async (option, value) => {
    const args = ['search', 'boiler', ...home.here, option, value];
    const { code, stderr, stdout } = await home.run(args, { VAULT_MCP_API_KEY: KEY });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.length).toBeGreaterThan(20);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
