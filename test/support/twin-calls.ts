/**
 * Calls that read, for the two vaults of twin-vaults.test.ts: each aimed at what is visible, at what is hidden, and at what
 * is not there at all. One row a way to read; a route or tool without a row fails the test.
 */

export interface TwinCall {
  /** The route or tool, as its class is known by. */
  readonly of: string;
  readonly say: string;
  readonly rest?: { readonly path: string; readonly init?: RequestInit };
  readonly tool?: { readonly name: string; readonly args: Record<string, unknown> };
}

/** What is asked for in turn: visible, hidden in several ways, and missing. */
const FILES = [
  'Car/Plan.md',
  'Car/Shut/Plan.md',
  'Health/Doctor.md',
  'Health/Nobody.md',
  'car/plan.md',
  'Car/plan',
  'Car/Secret.md',
  'health/doctor.md',
  'Health/link.md',
  'Way/secret.md',
  'Way/Open/o.md',
  'Plan.md',
  'index.md',
  'INDEX.md',
  'Docs/scan.pdf',
  'Car/Plan.md/below.md',
  'Health/Doctor.md/below.md',
];
const FOLDERS = ['', 'Car', 'Car/Shut', 'Health', 'Nowhere', 'health', 'Way', 'Way/Open', 'Way/Shut'];

const get = (of: string, path: string, headers: Record<string, string> = {}): TwinCall => ({
  ...{ of, say: `${of.split(' ')[0]} ${path} ${JSON.stringify(headers)}` },
  rest: { path, init: { method: of.split(' ')[0] ?? 'GET', headers } },
});
const post = (of: string, path: string, body: unknown): TwinCall => ({
  ...{ of, say: `POST ${path} ${JSON.stringify(body)}` },
  rest: {
    path,
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  },
});
const tool = (name: string, args: Record<string, unknown>): TwinCall => ({
  ...{ of: name, say: `${name} ${JSON.stringify(args)}` },
  tool: { name, args },
});

const JSON_WANTED = { accept: 'application/json' };
const READ = 'GET /vault/*';

const FILE_CALLS: readonly TwinCall[] = FILES.flatMap((path) => [
  ...[get(READ, `/vault/${path}`), get(READ, `/vault/${path}`, JSON_WANTED)],
  ...[get(READ, `/vault/${path}?map`, JSON_WANTED), get(READ, `/vault/${path}?raw`)],
  get(READ, `/vault/${path}?raw`, { range: 'bytes=0-3' }),
  get(READ, `/vault/${path}`, { 'if-none-match': '"x"' }),
  get(READ, `/vault/${path}/`),
  get('GET /links', `/links?path=${encodeURIComponent(path)}`, JSON_WANTED),
  ...[tool('vault_read', { path }), tool('vault_map', { path }), tool('vault_links', { path })],
]);

const FOLDER_CALLS: readonly TwinCall[] = FOLDERS.flatMap((path) => {
  const below = path === '' ? '' : `${path}/`;
  const dir = encodeURIComponent(path);
  return [
    ...[get(READ, `/vault/${below}`, JSON_WANTED), get(READ, `/vault/${below}?recursive=true`, JSON_WANTED)],
    get(READ, `/vault/${below}?recursive=true&limit=1`, JSON_WANTED),
    ...[tool('vault_list', { path }), tool('vault_list', { path, recursive: true })],
    get('GET /frontmatter', `/frontmatter?key=status&dir=${dir}`, JSON_WANTED),
    get('GET /expiries', `/expiries?untracked=1&dir=${dir}`, JSON_WANTED),
    get('GET /callouts', `/callouts?dir=${dir}`, JSON_WANTED),
    get('GET /callouts', `/callouts?dir=${dir}`),
    post('POST /callouts', '/callouts', { dir: path }),
    get('GET /search', `/search?q=plan&prefix=${dir}`, JSON_WANTED),
    tool('vault_search', { query: 'plan', prefix: path }),
  ];
});

const SEARCHES = ['plan', 'KFZ-4711', 'KFZ-4711 zebra', 'zebra', 'winter tyres', 'doctor appointment', 'scan'];

/** Of what visible and hidden notes have, hidden ones alone, and none. */
const NARROWED = [
  { tag: 'car' },
  { tag: 'secret' },
  { type: 'note' },
  { type: 'secret' },
  { type: 'none', tag: 'none' },
];

const SEARCH_CALLS: readonly TwinCall[] = SEARCHES.flatMap((query) => [
  get('GET /search', `/search?q=${encodeURIComponent(query)}`, JSON_WANTED),
  post('POST /search', '/search', { query, expand_links: true }),
  get('POST /search/simple/', `/search/simple/?query=${encodeURIComponent(query)}`),
  tool('vault_search', { query, expand_links: true }),
  tool('vault_search', { query, k: 1 }),
  ...NARROWED.flatMap((narrowed) => [
    post('POST /search', '/search', { query, ...narrowed }),
    tool('vault_search', { query, ...narrowed }),
  ]),
  post('POST /search', '/search', { query, explain: true }),
  ...[0.3, 0.9].map((distance_ceiling) => post('POST /search', '/search', { query, distance_ceiling })),
]);

const VAULT_CALLS: readonly TwinCall[] = [
  ...[get('GET /links', '/links', JSON_WANTED), get('GET /links', '/links?limit=1', JSON_WANTED)],
  tool('vault_links', {}),
  get('GET /frontmatter', '/frontmatter?key=status&value=open', JSON_WANTED),
  get('GET /expiries', '/expiries?within=0', JSON_WANTED),
  get('GET /expiries', '/expiries'),
  get('GET /callouts', '/callouts?type=todo', JSON_WANTED),
  post('POST /search', '/search', { query: 'plan', bm25_ceiling: -1 }),
];

export const TWIN_CALLS: readonly TwinCall[] = [...FILE_CALLS, ...FOLDER_CALLS, ...SEARCH_CALLS, ...VAULT_CALLS];
