/**
 * Behaviour of the whole loader, layer by layer. Longer than 300 lines because every case needs the same few lines of
 * harness and reads best beside its siblings.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from './key-table.ts';
import { ConfigError, chosenValue, type LoadOptions, loadConfig, settingFiles, userDataHome } from './load.ts';

const SECRET = 'sk-do-not-print-me';
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vault-mcp-config-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const containers = (env: Record<string, string> = {}, more: Partial<LoadOptions> = {}): LoadOptions => ({
  mode: 'containers',
  env: { VAULT_MCP_API_KEY: SECRET, REDIS_URL: 'redis://redis:6379', ...env },
  root,
  cwd: root,
  ...more,
});

const embedded = (env: Record<string, string> = {}, more: Partial<LoadOptions> = {}): LoadOptions => ({
  mode: 'embedded',
  env: { VAULT_PATH: '/notes', DATA_PATH: '/var/lib/vault-mcp', ...env },
  root,
  cwd: root,
  ...more,
});

function yaml(text: string): string {
  const path = join(root, 'config.yaml');
  writeFileSync(path, text);
  return path;
}

function problemsOf(options: LoadOptions): readonly string[] {
  try {
    loadConfig(options);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('layers', () => {
  it('need nothing but a key and Redis for the containers', () => {
    const config = loadConfig(containers());
    expect(config.vault.path).toBe('/vault');
    expect(config.index.path).toBe('/data/index.db');
    expect(config.server).toMatchObject({ host: '0.0.0.0', port: 8080, api_key: SECRET });
    expect(config.embedding.provider).toBe('ollama');
  });

  it('need nothing but a vault and a data folder in embedded mode', () => {
    const config = loadConfig(embedded());
    expect(config.server).toMatchObject({ host: '127.0.0.1', api_key: null });
    expect(config.embedding.provider).toBe('builtin');
    expect(config.queue.redis_url).toBeNull();
  });

  it('rank as defaults, file, environment, command line', () => {
    expect(loadConfig(containers()).search.default_k).toBe(6);
    yaml('search:\n  default_k: 7\n');
    expect(loadConfig(containers()).search.default_k).toBe(7);
    const env = { SEARCH_DEFAULT_K: '8' };
    expect(loadConfig(containers(env)).search.default_k).toBe(8);
    expect(loadConfig(containers(env, { overrides: { 'search.default_k': 9 } })).search.default_k).toBe(9);
  });

  it('keep the siblings of what a higher layer sets', () => {
    yaml('chunking:\n  target_tokens: 300\n  min_tokens: 100\n');
    const { chunking } = loadConfig(containers({ CHUNK_MIN_TOKENS: '50' }));
    expect(chunking).toEqual({ target_tokens: 300, overlap_tokens: 60, min_tokens: 50 });
  });

  it('give the same value whether a key is set in the file or by its variable', () => {
    const cases: [string, string, string, unknown][] = [
      ['vault.doc_ocr', 'false', 'false', false],
      ['index.reconcile_seconds', '0', '0', 0],
      ['search.exclude_dirs', '[Workflows, Reports/]', 'Workflows, Reports/', ['Workflows', 'Reports']],
      ['watch.polling', 'true', 'yes', true],
      ['watch.polling', 'auto', 'auto', 'auto'],
      ['vault.doc_suffixes', '".PDF"', '.PDF', ['.pdf']],
      ['embedding.query_prefix', '"query: "', 'query: ', 'query: '],
      ['time_zone', 'Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin'],
    ];
    for (const [name, inFile, inVariable, expected] of cases) {
      const [section, leaf] = name.split('.');
      yaml(leaf === undefined ? `${section}: ${inFile}\n` : `${section}:\n  ${leaf}: ${inFile}\n`);
      expect(chosenValue(name, containers()), name).toEqual(expected);
      yaml('');
      const variable = KEYS.get(name)?.setting.variable ?? '';
      expect(chosenValue(name, containers({ [variable]: inVariable })), name).toEqual(expected);
    }
  });

  it('let index and cache follow the data folder unless set apart', () => {
    const { index } = loadConfig(containers({ DATA_PATH: '/srv/data', INDEX_CACHE_PATH: '/fast/cache.db' }));
    expect(index).toMatchObject({ path: '/srv/data/index.db', cache_path: '/fast/cache.db' });
  });

  it('leave the raw material of the wiki out of the index, wherever the wiki is and whatever else is left out', () => {
    expect(loadConfig(containers()).index.exclude_dirs).toEqual(['Wiki/raw']);
    const env = { WIKI_DIR: 'Know/How', INDEX_EXCLUDE_DIRS: 'Archive, Know/How/raw' };
    expect(loadConfig(containers(env)).index.exclude_dirs).toEqual(['Archive', 'Know/How/raw']);
    expect(loadConfig(containers({ INDEX_EXCLUDE_DIRS: 'Archive' })).index.exclude_dirs).toEqual([
      'Archive',
      'Wiki/raw',
    ]);
  });

  it('turn the cache off by YAML null or an empty variable, and only by those', () => {
    expect(loadConfig(containers({ INDEX_CACHE_PATH: '' })).index.cache_path).toBeNull();
    yaml('index:\n  cache_path: null\n');
    expect(loadConfig(containers()).index.cache_path).toBeNull();
    yaml('index:\n  path: /elsewhere/index.db\n');
    expect(loadConfig(containers()).index.cache_path).toBe('/data/cache.db');
  });

  it('resolve relative paths against the working directory', () => {
    expect(loadConfig(containers({ VAULT_PATH: 'notes' })).vault.path).toBe(join(root, 'notes'));
  });

  it('accept a section with everything in it commented out', () => {
    yaml('vault:\n  # path: /x\nsearch:\n');
    expect(loadConfig(containers()).vault.path).toBe('/vault');
  });
});

describe('the file', () => {
  it('is refused with the line and the nearest key when it holds an unknown one', () => {
    const path = yaml('search:\n  default_k: 6\n  defualt_k: 7\nserch:\n  rrf_k: 1\n');
    expect(problemsOf(containers())).toEqual([
      `${path} line 3: search.defualt_k is not a configuration key; did you mean search.default_k?`,
      `${path} line 4: serch is not a configuration key; did you mean search?`,
    ]);
  });

  it.each([
    [
      'a word for a number',
      'search:\n  default_k: many\n',
      /line 2: search\.default_k must be a whole number from 1 to 20, not "many"/,
    ],
    ['a number in quotes', 'search:\n  default_k: "6"\n', /whole number from 1 to 20/],
    ['a value above its range', 'search:\n  default_k: 21\n', /from 1 to 20, not 21/],
    ['a fraction for a whole number', 'server:\n  port: 80.5\n', /whole number/],
    ['not a number', 'search:\n  mmr_lambda: .nan\n', /search\.mmr_lambda/],
    ['a word for a flag', 'vault:\n  trash: "yes"\n', /vault\.trash/],
    ['a number for a text', 'queue:\n  prefix: 2024\n', /queue\.prefix must be text/],
    ['a list element of the wrong type', 'search:\n  exclude_dirs: [1]\n', /search\.exclude_dirs \(0\)/],
    ['null for a key that has to have a value', 'server:\n  host: null\n', /server\.host must be text/],
    [
      'a document suffix without extractor',
      'vault:\n  doc_suffixes: [.pdf, .docx]\n',
      /extractor only for \.pdf, not ".docx"/,
    ],
    ['a zone nobody knows', 'time_zone: Mars/Base\n', /IANA time zone.*not "Mars\/Base"/],
    ['a list at the top', '- a\n', /must be a mapping/],
    ['a text for a section', 'vault: /notes\n', /vault must be a mapping/],
    ['a dotted key', 'vault.path: /notes\n', /written nested, as path under vault:/],
    ['a key twice', 'vault:\n  path: /a\n  path: /b\n', /line 3.*unique/i],
    ['a tab for indentation', 'vault:\n\tpath: /a\n', /line 2.*not valid YAML/],
    ['a custom tag', 'vault:\n  path: !env HOME\n', /not valid YAML/],
    ['a merge key', 'base: &b\n  path: /x\nvault:\n  <<: *b\n', /is not a configuration key/],
    ['very deep nesting', `agents:\n  policy: ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`, /nested too deep/],
    ['an unknown variable’s name', 'SEARCH_DEFAULT_K: 5\n', /did you mean search\.default_k/],
  ])('is refused for %s', (_what, text, expected) => {
    yaml(text);
    expect(problemsOf(containers()).join('\n')).toMatch(expected);
  });

  it('is refused for an alias bomb before it is unfolded', () => {
    const doubling = Array.from({ length: 30 }, (_, i) => `    l${i + 1}: &l${i + 1} [*l${i}, *l${i}]`).join('\n');
    yaml(`agents:\n  policy:\n    l0: &l0 [x]\n${doubling}\n`);
    expect(problemsOf(containers()).join()).toMatch(/agents\.policy cannot be read: .*alias/);
  });

  it('is refused when it is not UTF-8, or a folder', () => {
    writeFileSync(join(root, 'config.yaml'), Buffer.from([0x76, 0xff, 0xfe]));
    expect(problemsOf(containers()).join()).toMatch(/not valid UTF-8/);
    rmSync(join(root, 'config.yaml'));
    mkdirSync(join(root, 'config.yaml'));
    expect(problemsOf(containers()).join()).toMatch(/is a folder/);
  });

  it('is refused for a secret in it, without repeating the secret', () => {
    yaml(`server:\n  api_key: ${SECRET}\nembedding:\n  api_key: ${SECRET}\n`);
    const problems = problemsOf(containers()).join('\n');
    expect(problems).toMatch(/line 2: server\.api_key is a secret .* VAULT_MCP_API_KEY or VAULT_MCP_API_KEY_FILE/);
    expect(problems).toMatch(/line 4: embedding\.api_key is a secret/);
    expect(problems).not.toContain(SECRET);
  });

  it('may be named by VAULT_MCP_CONFIG and then must exist', () => {
    writeFileSync(join(root, 'mine.yaml'), 'search:\n  default_k: 9\n');
    expect(loadConfig(containers({ VAULT_MCP_CONFIG: 'mine.yaml' })).search.default_k).toBe(9);
    expect(problemsOf(containers({ VAULT_MCP_CONFIG: 'absent.yaml' })).join()).toMatch(/absent\.yaml.*does not exist/);
  });

  it('is not read at all when VAULT_MCP_CONFIG is empty', () => {
    yaml('nonsense: true\n');
    expect(problemsOf(containers({ VAULT_MCP_CONFIG: '' }))).toEqual([]);
  });

  it('takes a policy whose rules were taken out for no policy only where that is said', () => {
    yaml('agents:\n  policy:\n    # scribe: [{prefix: Journal, read: true}]\n');
    expect(problemsOf(containers()).join()).toMatch(/agents\.policy is empty; write \{\} .* or null for none/);
    for (const said of ['null', '~', '{}']) {
      yaml(`agents:\n  policy: ${said}\n`);
      expect(problemsOf(containers())).toEqual([]);
    }
  });

  it('qualifies no links beside a policy, which would tell agents where hidden notes stand', () => {
    yaml('links:\n  auto_qualify: true\nagents:\n  policy:\n    scribe: [{prefix: Journal, read: true}]\n');
    expect(problemsOf(containers())).toEqual([
      expect.stringMatching(/^links\.auto_qualify cannot be used with agents\.policy/),
    ]);
    yaml('links:\n  auto_qualify: true\n');
    expect(problemsOf(containers())).toEqual([]);
  });

  it('checks the policy of agents', () => {
    yaml('agents:\n  policy:\n    scribe:\n      - {prefix: Journal, read: true, write: append}\n');
    expect(problemsOf(containers())).toEqual([]);
    yaml('agents:\n  policy:\n    scribe:\n      - {prefix: /Journal, read: true}\n');
    expect(problemsOf(containers()).join()).toMatch(/agents\.policy \(scribe\.0\.prefix\) must be a path/);
  });
});

it("refuses agents' keys that would be served as an attachment", () => {
  const keys = (path: string) => problemsOf(containers({ VAULT_PATH: '/notes', AGENTS_KEYS_FILE: path })).join();
  expect(keys('/notes/keys/agents.json')).toMatch(/agents\.keys_file lies inside the vault/);
  expect(keys('/notes/.vault-mcp/agents.json')).toBe('');
  expect(keys('/etc/agents.json')).toBe('');
});

describe('the roles of an indexer', () => {
  it.each([
    'watch,write',
    'write, watch, embed',
    'watch,write,extract',
    'watch,write,extract,embed',
    'extract',
    'embed',
    'embed,extract',
  ])('may be %s', (roles) => {
    expect(problemsOf(containers({ INDEXER_ROLES: roles }))).toEqual([]);
  });

  it.each([
    ['watch', 'watch without write'],
    ['watch,embed', 'watch without write'],
    ['write', 'write without watch'],
    ['extract,write,embed', 'write without watch'],
  ])('may not be %s, and the refusal names those there are', (roles, half) => {
    const [problem, ...others] = problemsOf(containers({ INDEXER_ROLES: roles }));
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^indexer\\.roles has ${half};.*watch,write, alone.*extract, embed or both`));
  });

  it('are some, and of those there are', () => {
    expect(problemsOf(containers({ INDEXER_ROLES: '' })).join()).toContain('must name at least one');
    expect(problemsOf(containers({ INDEXER_ROLES: 'sing' })).join()).toContain('watch, write, extract, embed');
  });
});

describe('the environment', () => {
  it('names variable and key of a wrong value', () => {
    expect(problemsOf(containers({ BIND_PORT: '70000' }))).toEqual([
      'BIND_PORT: server.port must be a whole number from 0 to 65535, not 70000',
    ]);
  });

  it('names the languages there are when it asks for another', () => {
    const [problem] = problemsOf(containers({ SEARCH_LANGUAGE: 'xx' }));
    expect(problem).toMatch(/^SEARCH_LANGUAGE: search\.language must be one of .*\bde\b.*\bzh\b.*, not "xx"$/);
  });

  it('lists every problem of every layer at once', () => {
    yaml('search:\n  default_k: 0\n  colour: red\n');
    const problems = problemsOf(containers({ BIND_PORT: 'http', WATCH_POLLING: 'often', TRASH: '' }));
    expect(problems).toHaveLength(5);
    for (const problem of problems) expect(problem).not.toContain('\n');
  });

  it('refuses to take an empty variable for a value where emptiness has no meaning', () => {
    expect(problemsOf(containers({ BIND_HOST: '' })).join()).toMatch(/BIND_HOST: server\.host is empty/);
    expect(problemsOf(containers({ MCP_TOOLS: '' })).join()).toMatch(/at least one/);
  });

  it('gives an empty variable its meaning where it has one', () => {
    const config = loadConfig(
      embedded({
        NOTES_TIMESTAMP_KEY: '',
        REDIS_URL: '',
        DOC_SUFFIXES: '',
        TZ: '',
        GATE_MODEL: '',
        EMBED_QUERY_PREFIX: '',
      }),
    );
    expect(config.notes.timestamp_key).toBe('');
    expect(config.queue.redis_url).toBeNull();
    expect(config.vault.doc_suffixes).toEqual([]);
    expect(config.time_zone).toBe('UTC');
    expect(config.gate.model).toBeNull();
    expect(config.embedding.query_prefix).toBe('');
  });

  it.each([
    ['SEARCH_DEFUALT_K', '5', /did you mean SEARCH_DEFAULT_K/],
    ['EMBED_MODLE', 'x', /did you mean EMBED_MODEL/],
    ['VAULT_MCP_APIKEY_FILE', 'x', /did you mean VAULT_MCP_API_KEY_FILE/],
    ['VAULT_MCP_COLOUR', 'red', /not a variable of vault-mcp/],
  ])('takes %s for a mistake', (name, value, expected) => {
    expect(problemsOf(containers({ [name]: value })).join()).toMatch(expected);
  });

  it('leaves other programs’ variables alone', () => {
    const env = {
      OLLAMA_HOST: 'x',
      SEARCH_ENGINE: 'x',
      INDEX: 'x',
      VAULT_MCP_PORT: '8081',
      VAULT_MCP_SERVICE_HOST: '10.0.0.1',
      VAULT_MCP_PORT_8080_TCP_ADDR: '10.0.0.1',
      REDIS_URI: 'redis://other',
    };
    expect(problemsOf(containers(env))).toEqual([]);
  });

  it('never quotes an address that may hold a password', () => {
    const problems = problemsOf(
      containers({ REDIS_URL: `http://user:${SECRET}@redis`, OLLAMA_URL: `ftp://u:${SECRET}@h` }),
    );
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain(SECRET);
  });
});

describe('keys', () => {
  it('are required for the containers, with Redis', () => {
    expect(problemsOf({ mode: 'containers', env: {}, root, cwd: root })).toEqual([
      'server.api_key is missing; set VAULT_MCP_API_KEY or VAULT_MCP_API_KEY_FILE',
      'queue.redis_url is missing; set REDIS_URL, or run everything in one process with vault-mcp serve',
    ]);
  });

  it('are not asked of a program that opens no door', () => {
    const options = {
      mode: 'containers',
      env: { REDIS_URL: 'redis://r' },
      root,
      cwd: root,
      requireApiKey: false,
    } as const;
    expect(loadConfig(options).server.api_key).toBeNull();
  });

  it.each(['', '  '])('refuse to start when they are %j', (key) => {
    expect(problemsOf(containers({ VAULT_MCP_API_KEY: key })).join()).toMatch(
      /VAULT_MCP_API_KEY: server\.api_key is empty/,
    );
  });

  it('are read from a file, without its last newline', () => {
    const path = join(root, 'key');
    writeFileSync(path, `${SECRET}\n`);
    const env = { REDIS_URL: 'redis://r', VAULT_MCP_API_KEY_FILE: path };
    expect(loadConfig({ mode: 'containers', env, root, cwd: root }).server.api_key).toBe(SECRET);
  });

  it('may stand in an address, which may be read from a file too', () => {
    const path = join(root, 'redis-url');
    const from = (text: string) => {
      writeFileSync(path, text);
      return { mode: 'containers', env: { VAULT_MCP_API_KEY: SECRET, REDIS_URL_FILE: path }, root, cwd: root } as const;
    };
    expect(loadConfig(from(`redis://:${SECRET}@redis:6379\n`)).queue.redis_url).toBe(`redis://:${SECRET}@redis:6379`);
    expect(problemsOf(from('\n')).join()).toMatch(/REDIS_URL_FILE: queue\.redis_url is empty/);
    const malformed = problemsOf(from(`http://:${SECRET}@redis`)).join();
    expect(malformed).toMatch(/REDIS_URL_FILE/);
    expect(malformed).not.toContain(SECRET);
  });

  it('refuse an empty or missing file, and a file beside a variable', () => {
    const path = join(root, 'key');
    writeFileSync(path, '\n');
    const withFile = (file: string) =>
      problemsOf({ mode: 'embedded', env: { ...embedded().env, METRICS_KEY_FILE: file }, root });
    expect(withFile(path).join()).toMatch(/METRICS_KEY_FILE: server\.metrics_key is empty/);
    expect(withFile(join(root, 'absent')).join()).toMatch(/METRICS_KEY_FILE: cannot read .*absent: it does not exist/);
    expect(problemsOf(containers({ VAULT_MCP_API_KEY_FILE: path })).join()).toMatch(/together with/);
  });

  it('are never repeated in an error, even when they are malformed', () => {
    const problems = problemsOf(containers({ VAULT_MCP_API_KEY: `${SECRET} ${SECRET}`, EMBED_API_KEY: `ü${SECRET}` }));
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain(SECRET);
  });

  it('reach only an endpoint that somebody set', () => {
    const keys = { EMBED_API_KEY: SECRET, GATE_API_KEY: SECRET };
    expect(loadConfig(containers(keys))).toMatchObject({ embedding: { api_key: null }, gate: { api_key: null } });
    const own = loadConfig(containers({ ...keys, OLLAMA_URL: 'https://models.example/v1' }));
    expect(own).toMatchObject({ embedding: { api_key: SECRET }, gate: { api_key: SECRET } });
    const gate = loadConfig(containers({ ...keys, GATE_URL: 'https://models.example/v1' }));
    expect(gate).toMatchObject({ embedding: { api_key: null }, gate: { api_key: SECRET } });
  });
});

describe('keys that depend on each other', () => {
  it('make openai name endpoint, model and dims', () => {
    expect(problemsOf(containers({ EMBED_PROVIDER: 'openai' }))).toHaveLength(3);
  });

  it('make openai name a key unless it runs on this machine', () => {
    const openai = { EMBED_PROVIDER: 'openai', EMBED_MODEL: 'm', EMBED_DIMS: '8' };
    expect(problemsOf(containers({ ...openai, OLLAMA_URL: 'https://models.example/v1' })).join()).toMatch(
      /EMBED_API_KEY/,
    );
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(problemsOf(containers({ ...openai, OLLAMA_URL: `http://${host}:1234/v1` }))).toEqual([]);
    }
  });

  it('keep chunk sizes and waits in order', () => {
    expect(problemsOf(containers({ CHUNK_OVERLAP_TOKENS: '400' })).join()).toMatch(/overlap_tokens/);
    expect(problemsOf(containers({ CHUNK_MIN_TOKENS: '401' })).join()).toMatch(/min_tokens/);
    expect(problemsOf(containers({ EMBED_BACKOFF_SECONDS: '31' })).join()).toMatch(/backoff_max_seconds/);
  });

  it.each([
    ['/v', '/v', /inside the vault/],
    ['/v', '/v/data', /inside the vault/],
    ['/d/v', '/d', /inside data\.path/],
  ])('refuse the vault %s with the data folder %s', (vault, data, expected) => {
    expect(problemsOf(embedded({ VAULT_PATH: vault, DATA_PATH: data })).join()).toMatch(expected);
  });

  it.each([
    ['/v', '/v/.vault-mcp'],
    ['/v', '/v-data'],
    ['/d/example-vault', '/d'],
  ])('accept the vault %s with the data folder %s', (vault, data) => {
    expect(problemsOf(embedded({ VAULT_PATH: vault, DATA_PATH: data }))).toEqual([]);
  });

  it.each(['/v', '/v/Files', '/d', '/d/files', '/'])('refuse to write files anywhere below %s', (root) => {
    const folders = { VAULT_PATH: '/v', DATA_PATH: '/d', FILES_ROOT: root };
    expect(problemsOf(embedded(folders)).join()).toMatch(/files\.root .*FILES_ROOT/);
  });

  it('write files beside vault and data folder', () => {
    expect(problemsOf(embedded({ VAULT_PATH: '/v', DATA_PATH: '/d', FILES_ROOT: '/v-files' }))).toEqual([]);
  });

  it('ask for a vault in embedded mode, where there is no default one', () => {
    expect(problemsOf({ mode: 'embedded', env: {}, root, cwd: root }).join()).toMatch(/vault\.path.*set VAULT_PATH/);
  });
});

describe('what has to be known before loading', () => {
  it('is what somebody set, never a default', () => {
    expect(chosenValue('vault.path', { mode: 'embedded', env: {}, root, cwd: root })).toBeUndefined();
    yaml('vault:\n  path: notes\n');
    expect(chosenValue('vault.path', { mode: 'embedded', env: {}, root, cwd: root })).toBe(join(root, 'notes'));
  });

  it('fills in as the lowest layer', () => {
    const defaults = { 'data.path': '/computed', 'vault.path': '/v' };
    expect(loadConfig({ mode: 'embedded', env: {}, root, defaults }).index.path).toBe('/computed/index.db');
    const env = { DATA_PATH: '/set' };
    expect(loadConfig({ mode: 'embedded', env, root, defaults }).data.path).toBe('/set');
  });

  it('takes the data home from XDG_DATA_HOME only when it is absolute', () => {
    expect(userDataHome({ XDG_DATA_HOME: '/xdg' })).toBe('/xdg');
    expect(userDataHome({ XDG_DATA_HOME: 'xdg' })).toMatch(/\.local\/share$/);
    expect(userDataHome({})).toMatch(/\.local\/share$/);
  });
});

it('never throws anything but a ConfigError, and always in single lines, whatever the variables hold', () => {
  const variables = [...KEYS.values()].map(({ setting }) => setting.variable).filter((name) => name !== null);
  const environment = fc.dictionary(fc.constantFrom(...variables), fc.string(), { maxKeys: 6 });
  fc.assert(
    fc.property(environment, (env) => {
      for (const problem of problemsOf({ mode: 'embedded', env, root, cwd: root })) expect(problem).not.toContain('\n');
    }),
    { numRuns: 200 },
  );
});

it.skipIf(process.getuid?.() === 0)('says so when the file may not be read', () => {
  chmodSync(yaml('vault: {}\n'), 0o000);
  expect(problemsOf(containers()).join()).toMatch(/this user may not read it/);
});

describe('the files that settings stand in', () => {
  it('are those that variables name, whatever came of them, and what is read or usual besides', () => {
    const env = {
      ...{ VAULT_MCP_API_KEY_FILE: '/etc/vault-mcp/key', REDIS_URL_FILE: 'redis', METRICS_KEY_FILE: '' },
      ...{ VAULT_MCP_CONFIG: 'own.yaml', PATH_FILE: '/nobody' },
    };
    expect([...settingFiles({ env, cwd: root, root })].sort()).toEqual(
      ['/etc/vault-mcp/key', join(root, 'own.yaml'), join(root, 'redis')].sort(),
    );
    writeFileSync(join(root, '.env'), '');
    expect(settingFiles({ env: {}, cwd: root, root })).toEqual([join(root, '.env')]);
    expect(settingFiles({ env: {}, cwd: '/', root })).toEqual([]);
    expect(settingFiles({ env: {}, cwd: '/', root: join(yaml(''), '..') })).toEqual([join(root, 'config.yaml')]);
  });
});
