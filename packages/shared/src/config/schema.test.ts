/** The promised surface, written out a second time by hand: a key, variable or default cannot change unnoticed. */
import { describe, expect, it } from 'vitest';
import { KEYS } from './key-table.ts';

type Promised = [key: string, variable: string | null, containers: unknown, embedded?: unknown];

const PROMISED: Promised[] = [
  ['vault.path', 'VAULT_PATH', '/vault', 'required'],
  ['data.path', 'DATA_PATH', '/data', 'required'],
  ['vault.doc_suffixes', 'DOC_SUFFIXES', ['.pdf']],
  ['vault.doc_files_dir', 'DOC_FILES_DIR', 'Files'],
  ['vault.doc_ocr', 'DOC_OCR', true],
  ['vault.doc_ocr_languages', 'DOC_OCR_LANGUAGES', ['eng']],
  ['vault.doc_max_bytes', 'DOC_MAX_BYTES', 52_428_800],
  ['vault.doc_max_seconds', 'DOC_MAX_SECONDS', 3_600],
  ['vault.doc_max_memory_mib', 'DOC_MAX_MEMORY_MIB', 1_024],
  ['vault.note_max_bytes', 'NOTE_MAX_BYTES', 5_242_880],
  ['vault.trash', 'TRASH', true],
  ['server.host', 'BIND_HOST', '0.0.0.0', '127.0.0.1'],
  ['server.port', 'BIND_PORT', 8080],
  ['server.read_only', 'READ_ONLY', false],
  ['server.allowed_hosts', 'MCP_ALLOWED_HOSTS', ['vault-mcp', 'api', 'localhost', '127.0.0.1', '[::1]']],
  ['server.public_url', 'PUBLIC_URL', null],
  ['server.api_key', 'VAULT_MCP_API_KEY', null],
  ['server.metrics_key', 'METRICS_KEY', null],
  ['mcp.tools', 'MCP_TOOLS', ['core', 'links', 'memory', 'wiki']],
  ['mcp.max_chars', 'MCP_MAX_CHARS', 60_000],
  ['embedding.provider', 'EMBED_PROVIDER', 'ollama', 'builtin'],
  ['embedding.ollama_url', 'OLLAMA_URL', 'http://ollama:11434/v1'],
  ['embedding.model', 'EMBED_MODEL', null],
  ['embedding.dims', 'EMBED_DIMS', null],
  ['embedding.query_prefix', 'EMBED_QUERY_PREFIX', null],
  ['embedding.document_prefix', 'EMBED_DOCUMENT_PREFIX', null],
  ['embedding.batch_size', 'EMBED_BATCH_SIZE', 64],
  ['embedding.timeout_seconds', 'EMBED_TIMEOUT_SECONDS', 120],
  ['embedding.max_attempts', 'EMBED_MAX_ATTEMPTS', 5],
  ['embedding.backoff_seconds', 'EMBED_BACKOFF_SECONDS', 1],
  ['embedding.backoff_max_seconds', 'EMBED_BACKOFF_MAX_SECONDS', 30],
  ['embedding.api_key', 'EMBED_API_KEY', null],
  ['chunking.target_tokens', 'CHUNK_TARGET_TOKENS', 400],
  ['chunking.overlap_tokens', 'CHUNK_OVERLAP_TOKENS', 60],
  ['chunking.min_tokens', 'CHUNK_MIN_TOKENS', 120],
  ['search.default_k', 'SEARCH_DEFAULT_K', 6],
  ['search.embed_timeout_seconds', 'SEARCH_EMBED_TIMEOUT_SECONDS', 3],
  ['search.exclude_dirs', 'SEARCH_EXCLUDE_DIRS', []],
  ['search.language', 'SEARCH_LANGUAGE', 'en'],
  ['search.rrf_k', 'SEARCH_RRF_K', 10],
  ['search.dense_weight', 'SEARCH_DENSE_WEIGHT', null],
  ['search.lexical_weight', 'SEARCH_LEXICAL_WEIGHT', null],
  ['search.candidates', 'SEARCH_CANDIDATES', 50],
  ['search.document_weight', 'SEARCH_DOCUMENT_WEIGHT', 0.7],
  ['search.mmr_lambda', 'SEARCH_MMR_LAMBDA', 0.9],
  ['index.ignore', 'INDEX_IGNORE', ['*.sync-conflict-*', '*conflicted copy*']],
  ['index.exclude_dirs', 'INDEX_EXCLUDE_DIRS', []],
  ['index.path', 'INDEX_PATH', '/data/index.db'],
  ['index.cache_path', 'INDEX_CACHE_PATH', '/data/cache.db'],
  ['index.build_max_attempts', 'INDEX_BUILD_MAX_ATTEMPTS', 5],
  ['index.build_retry_seconds', 'INDEX_BUILD_RETRY_SECONDS', 5],
  ['index.reconcile_seconds', 'INDEX_RECONCILE_SECONDS', 900],
  ['catalog.enabled', 'CATALOG_ENABLED', true],
  ['watch.debounce_seconds', 'WATCH_DEBOUNCE_SECONDS', 2],
  ['watch.polling', 'WATCH_POLLING', 'auto'],
  ['queue.redis_url', 'REDIS_URL', null],
  ['queue.prefix', 'QUEUE_PREFIX', 'vault-mcp'],
  ['indexer.roles', 'INDEXER_ROLES', ['watch', 'write', 'extract', 'embed']],
  ['notes.timestamp_key', 'NOTES_TIMESTAMP_KEY', 'timestamp'],
  ['links.auto_qualify', 'LINKS_AUTO_QUALIFY', false],
  ['links.repair', 'LINKS_REPAIR', false],
  ['maintenance.scripts', 'MAINTENANCE_SCRIPTS', 'auto'],
  ['time_zone', 'TZ', 'UTC'],
  ['audit.retention_days', 'AUDIT_RETENTION_DAYS', 0],
  ['history.git', 'HISTORY_GIT', 'auto'],
  ['gate.distance_ceiling', 'GATE_DISTANCE_CEILING', null],
  ['gate.bm25_ceiling', 'GATE_BM25_CEILING', null],
  ['gate.model', 'GATE_MODEL', null],
  ['gate.url', 'GATE_URL', null],
  ['gate.api_key', 'GATE_API_KEY', null],
  ['gate.timeout_seconds', 'GATE_TIMEOUT_SECONDS', 40],
  ['agents.policy', null, null],
  ['agents.keys_file', 'AGENTS_KEYS_FILE', null],
  ['wiki.dir', 'WIKI_DIR', 'Wiki'],
  ['files.root', 'FILES_ROOT', null],
  ['log.level', 'LOG_LEVEL', 'info'],
];

const SECRETS = ['embedding.api_key', 'gate.api_key', 'server.api_key', 'server.metrics_key'];

describe('the configuration surface', () => {
  it.each(PROMISED)(
    '%s is read from %s and has its promised default',
    (...[name, variable, containers, embedded]: Promised) => {
      const key = KEYS.get(name);
      expect(key?.setting.variable).toBe(variable);
      expect(key?.setting.default).toEqual(containers);
      expect(key?.setting.embedded).toEqual(embedded);
    },
  );

  it('holds no key beyond the promised ones', () => {
    expect([...KEYS.keys()].sort()).toEqual(PROMISED.map(([name]) => name).sort());
  });

  it('treats exactly the keys that open a door as secrets', () => {
    const secrets = [...KEYS.values()].filter(({ setting }) => setting.secret === true).map(({ name }) => name);
    expect(secrets.sort()).toEqual(SECRETS);
  });

  it('accepts every default by the key’s own rules', () => {
    for (const { name, schema, setting } of KEYS.values()) {
      expect(schema.safeParse(setting.default).success, name).toBe(true);
      if (setting.embedded !== undefined && setting.embedded !== 'required') {
        expect(schema.safeParse(setting.embedded).success, name).toBe(true);
      }
    }
  });

  it('gives no variable to two keys', () => {
    const variables = [...KEYS.values()].map(({ setting }) => setting.variable).filter((variable) => variable !== null);
    expect(new Set(variables).size).toBe(variables.length);
  });
});
