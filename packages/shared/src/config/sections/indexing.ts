/** Configuration of the indexer and its queue: `index.*`, `watch.*`, `queue.*`, `indexer.*`. */
import { z } from 'zod';
import { autoFlag, list, number, text } from '../setting.ts';
import { choice, decimal, globPattern, localPath, urlOf, vaultRelativePath, wholeNumber } from '../value-types.ts';

/** Queues an indexer process may consume. */
export const INDEXER_ROLES = ['watch', 'write', 'extract', 'embed'] as const;

export const indexSection = z.strictObject({
  path: text(localPath, {
    variable: 'INDEX_PATH',
    doc: 'The index database; one local volume shared by api and indexer. Unset: index.db inside data.path.',
    default: '/data/index.db',
    fileInData: 'index.db',
    localPath: true,
  }),
  cache_path: text(localPath.nullable(), {
    variable: 'INDEX_CACHE_PATH',
    doc: 'Cache of chunks, vectors and extractions. null here or an empty variable = off; unset: cache.db inside data.path.',
    default: '/data/cache.db',
    fileInData: 'cache.db',
    localPath: true,
    whenEmpty: null,
  }),
  exclude_dirs: list(vaultRelativePath, {
    variable: 'INDEX_EXCLUDE_DIRS',
    doc: 'Folders that are not indexed at all, for example Archive/Raw. Root-relative, case-insensitive, whole segments. The raw folder below wiki.dir always is one of them.',
    default: [],
  }),
  ignore: list(globPattern, {
    variable: 'INDEX_IGNORE',
    doc: 'Name patterns that are not indexed and are no link candidates; they stay readable.',
    default: ['*.sync-conflict-*', '*conflicted copy*'],
  }),
  build_max_attempts: number(wholeNumber(1, 100), {
    variable: 'INDEX_BUILD_MAX_ATTEMPTS',
    doc: 'Tries at building the index before giving up and saying so in /readyz.',
    default: 5,
  }),
  build_retry_seconds: number(decimal(0, 3_600), {
    variable: 'INDEX_BUILD_RETRY_SECONDS',
    doc: 'Wait between two tries.',
    default: 5.0,
  }),
  reconcile_seconds: number(decimal(0, 604_800), {
    variable: 'INDEX_RECONCILE_SECONDS',
    doc: 'How often the index is reconciled with every file on disk, whatever the watcher said. 0 = only at start.',
    default: 900,
  }),
});

export const watchSection = z.strictObject({
  debounce_seconds: number(decimal(0, 300), {
    variable: 'WATCH_DEBOUNCE_SECONDS',
    doc: 'Quiet time after the last change of a file before it is indexed.',
    default: 2.0,
  }),
  polling: autoFlag({
    variable: 'WATCH_POLLING',
    doc: 'Look for changes by polling: auto = only on mounts that report none, true, false.',
    default: 'auto',
  }),
});

export const queueSection = z.strictObject({
  redis_url: text(urlOf(['redis:', 'rediss:']).nullable(), {
    variable: 'REDIS_URL',
    doc: 'Redis for work in flight, for example redis://redis:6379. Required for the containers; empty: embedded, in memory.',
    default: null,
    whenEmpty: null,
    sensitive: true,
  }),
  prefix: text(
    z.string('must be text').regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be letters, digits, dashes and underscores'),
    {
      variable: 'QUEUE_PREFIX',
      doc: 'Put before every queue name: vaults that share a Redis each need their own.',
      default: 'vault-mcp',
    },
  ),
});

export const indexerSection = z.strictObject({
  roles: list(
    choice(INDEXER_ROLES),
    {
      variable: 'INDEXER_ROLES',
      doc: 'What this indexer process does: one has watch and write, any number on any machine extract and embed. npm start: always all.',
      default: [...INDEXER_ROLES],
    },
    { filled: true },
  ),
});
