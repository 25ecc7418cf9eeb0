/**
 * The content-keyed cache beside the index: chunks by (path, bytes, behaviour), vectors by (content key, space),
 * extractions by (document bytes, behaviour). It only ever saves time. Danger: it must never decide anything, so every
 * failure of it is logged once, turns it off, and is otherwise the same as an empty cache.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ForeignFileError, isDamaged, setAside } from '@vault-mcp/shared/index-db/open';
import type { Logger } from '@vault-mcp/shared/log';
import Database from 'better-sqlite3';
import { type CacheNeeds, INCREMENTAL, NeedsUnknownError, type SweepOptions, sweepSteps } from './sweep.ts';

const SCHEMA_VERSION = 2;
/** As this version, but for how chunks were laid out: whatever else it holds took long to make, and is kept. */
const VERSION_OF_OTHER_CHUNKS = 1;
/** `VMCC`: tells our file from somebody else's database, the index included, that a mistyped setting points at. */
const APPLICATION_ID = 0x564d4343;

// With rowids: payloads inside of the key's tree would make it so deep that a look into it takes ten times as long.
const CHUNKS_SQL =
  'CREATE TABLE chunks (path TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, digest TEXT NOT NULL, payload TEXT NOT NULL);';
const OTHERS_SQL = `
CREATE TABLE vectors (text_hash TEXT NOT NULL, space TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (space, text_hash)) WITHOUT ROWID;
CREATE TABLE extractions (sha256 TEXT NOT NULL, digest TEXT NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (sha256, digest)) WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION_ID};
`;

export interface CacheState {
  readonly ok: boolean;
  readonly state: 'on' | 'off' | 'broken';
  readonly error: string | null;
}

export interface ContentCache {
  /** JSON payload stored for exactly these bytes at this path by this behaviour, or undefined. */
  chunks(path: string, sha256: string, digest: string): string | undefined;
  /** Keeps one payload a path: the newest. Written in groups; a crash loses the last of them, which costs time only. */
  putChunks(path: string, sha256: string, digest: string, payload: string): void;
  vectors(space: string, textHashes: readonly string[]): Map<string, Float32Array>;
  putVectors(space: string, vectors: ReadonlyMap<string, Float32Array>): void;
  extraction(sha256: string, digest: string): string | undefined;
  putExtraction(sha256: string, digest: string, payload: string): void;
  /** Writes what is grouped. */
  flush(): void;
  /**
   * Deletes what nothing has needed for long (see sweep.ts), on the side and at most once a day; a cache that is closed meanwhile
   * ends it. Resolves with how many entries went, undefined when none were looked at. @throws what `needs` throws, nothing else
   */
  sweep(needs: CacheNeeds, options: SweepOptions): Promise<number | undefined>;
  state(): CacheState;
  close(): void;
}

/** Chunk payloads in one commit: a commit each costs more than the rows. */
const GROUP_CHUNKS = 64;

/**
 * Opens the cache. Never throws: a file that is damaged is set aside, one of another version emptied; one that cannot
 * be opened or is another program's leaves the cache off for this run. Each is logged once.
 * @param path file of the cache, or null for none
 */
export function openCache(path: string | null, logger: Logger): ContentCache {
  const cache = new SqliteCache(logger);
  if (path !== null) cache.open(path);
  return cache;
}

type Sqlite = Database.Database;

class SqliteCache implements ContentCache {
  readonly #logger: Logger;
  #db: Sqlite | null = null;
  #sql: ReturnType<typeof prepareStatements> | null = null;
  #error: string | null = null;
  #grouped: [path: string, sha256: string, digest: string, payload: string][] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  open(path: string): void {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      this.#db = connectOrReplace(path, this.#logger);
      this.#sql = prepareStatements(this.#db);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  chunks(path: string, sha256: string, digest: string): string | undefined {
    const grouped = this.#grouped.findLast((row) => row[0] === path);
    if (grouped) return grouped[1] === sha256 && grouped[2] === digest ? grouped[3] : undefined;
    return this.#attempt((sql) => sql.getChunks.get(path, sha256, digest)?.payload);
  }

  putChunks(path: string, sha256: string, digest: string, payload: string): void {
    if (!this.#db) return;
    this.#grouped.push([path, sha256, digest, payload]);
    if (this.#grouped.length >= GROUP_CHUNKS) this.flush();
  }

  flush(): void {
    const rows = this.#grouped;
    this.#grouped = [];
    if (rows.length === 0) return;
    this.#attempt((sql, db) =>
      db.transaction(() => {
        for (const row of rows) sql.putChunks.run(...row);
      })(),
    );
  }

  vectors(space: string, textHashes: readonly string[]): Map<string, Float32Array> {
    const found = new Map<string, Float32Array>();
    this.#attempt((sql) => {
      for (const textHash of textHashes) {
        const row = sql.getVector.get(space, textHash);
        if (row) found.set(textHash, toVector(row.vector));
      }
    });
    return found;
  }

  putVectors(space: string, vectors: ReadonlyMap<string, Float32Array>): void {
    this.#attempt((sql, db) =>
      db.transaction(() => {
        for (const [textHash, vector] of vectors) {
          sql.putVector.run(space, textHash, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
        }
      })(),
    );
  }

  extraction(sha256: string, digest: string): string | undefined {
    return this.#attempt((sql) => sql.getExtraction.get(sha256, digest)?.payload);
  }

  putExtraction(sha256: string, digest: string, payload: string): void {
    this.#attempt((sql) => sql.putExtraction.run(sha256, digest, payload));
  }

  async sweep(needs: CacheNeeds, options: SweepOptions): Promise<number | undefined> {
    this.flush();
    const steps = this.#db && sweepSteps(this.#db, needs, options);
    while (steps && this.#db) {
      try {
        const step = steps.next();
        if (step.done) return step.value;
      } catch (error) {
        if (error instanceof NeedsUnknownError) throw error.cause;
        this.#giveUp(error);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  }

  state(): CacheState {
    if (this.#error !== null) return { ok: false, state: 'broken', error: this.#error };
    return { ok: true, state: this.#db ? 'on' : 'off', error: null };
  }

  close(): void {
    this.flush();
    this.#db?.close();
    this.#db = null;
    this.#sql = null;
  }

  #attempt<T>(use: (sql: ReturnType<typeof prepareStatements>, db: Sqlite) => T): T | undefined {
    if (!this.#db || !this.#sql) return undefined;
    try {
      return use(this.#sql, this.#db);
    } catch (error) {
      this.#giveUp(error);
      return undefined;
    }
  }

  #giveUp(error: unknown): void {
    this.#error = `The cache is not used: ${(error as Error).message}`;
    this.#logger.warn({ err: error }, 'cache off: indexing goes on, slower');
    this.#grouped = [];
    this.close();
  }
}

/** A private copy on a 4-byte boundary: SQLite's buffers may start anywhere. */
function toVector(blob: Buffer): Float32Array {
  const copy = new Uint8Array(blob);
  return new Float32Array(copy.buffer, 0, copy.byteLength / Float32Array.BYTES_PER_ELEMENT);
}

function connectOrReplace(path: string, logger: Logger): Sqlite {
  try {
    return connect(path);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    logger.warn({ err: error }, 'cache damaged: starting an empty one');
    setAside(path);
    return connect(path);
  }
}

function connect(path: string): Sqlite {
  const db = new Database(path);
  try {
    refuseForeign(db, path);
    // Of a new file only: what a sweep frees is given back to the disk.
    db.pragma(`auto_vacuum = ${INCREMENTAL}`);
    chmodSync(path, 0o600);
    db.pragma('journal_mode = WAL');
    // A lost commit costs one recomputation.
    db.pragma('synchronous = NORMAL');
    db.pragma('busy_timeout = 2000');
    db.pragma('journal_size_limit = 16777216');
    const version = db.pragma('user_version', { simple: true });
    if (version !== SCHEMA_VERSION) recreate(db, { keepOthers: version === VERSION_OF_OTHER_CHUNKS });
    // Reads one page of each table: damage shows here, where an empty cache can still take its place.
    for (const table of ['chunks', 'vectors', 'extractions']) db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Before anything is written: tables of these names in another program's file are not ours to drop. */
function refuseForeign(db: Sqlite, path: string): void {
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (isEmpty || db.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
  throw new ForeignFileError(
    `${path} is a database of another program. Set index.cache_path (INDEX_CACHE_PATH) to a new file.`,
  );
}

function recreate(db: Sqlite, { keepOthers }: { keepOthers: boolean }): void {
  db.transaction(() => {
    for (const table of keepOthers ? ['chunks'] : ['chunks', 'vectors', 'extractions']) {
      db.exec(`DROP TABLE IF EXISTS ${table}`);
    }
    db.exec(keepOthers ? CHUNKS_SQL : CHUNKS_SQL + OTHERS_SQL);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  })();
}

function prepareStatements(db: Sqlite) {
  return {
    getChunks: db.prepare<[string, string, string], { payload: string }>(
      'SELECT payload FROM chunks WHERE path = ? AND sha256 = ? AND digest = ?',
    ),
    putChunks: db.prepare('INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?)'),
    getVector: db.prepare<[string, string], { vector: Buffer }>(
      'SELECT vector FROM vectors WHERE space = ? AND text_hash = ?',
    ),
    putVector: db.prepare('INSERT OR REPLACE INTO vectors (space, text_hash, vector) VALUES (?, ?, ?)'),
    getExtraction: db.prepare<[string, string], { payload: string }>(
      'SELECT payload FROM extractions WHERE sha256 = ? AND digest = ?',
    ),
    putExtraction: db.prepare('INSERT OR REPLACE INTO extractions VALUES (?, ?, ?)'),
  };
}
