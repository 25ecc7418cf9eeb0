/**
 * Which entries of the cache nothing needs any more: how long that has been so is noted beside them, and in time they go.
 * Danger: an entry that the index needs must stay, so need is asked for again before anything is deleted; and a vault may be
 * away or another model tried for a while, so nothing goes at once.
 */
import type Database from 'better-sqlite3';

type Sqlite = Database.Database;

/** What the index needs now. Asked while it changes. */
export interface CacheNeeds {
  chunks(path: string): boolean;
  vector(space: string, textHash: string): boolean;
  extraction(sha256: string): boolean;
}

export interface SweepOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Unneeded vectors beyond this are too many, unless as many are needed; default MOST_SPARE_VECTORS. */
  readonly mostSpareVectors?: number;
}

const DAY_MS = 86_400_000;
/** How often a sweep is worth its reads: each key of the cache once. */
const SWEEP_EVERY_MS = DAY_MS;
/** Longer than a branch, a holiday or the trial of another model. */
const UNNEEDED_FOR_MS = 30 * DAY_MS;
/** 60 MiB at 768 dimensions: what many small edits leave, well before a month is over. */
const MOST_SPARE_VECTORS = 20_000;
/** Keys a turn of the thread, which files and news share: a few milliseconds. */
const TURN_KEYS = 200;
/** Pages given back to the disk a turn. */
const TURN_PAGES = 256;

/** Beside the tables of entries, so that these stay as they are and a look into them costs what it did. */
const MARKS_SQL = `
CREATE TABLE IF NOT EXISTS unneeded (kind TEXT NOT NULL, part TEXT NOT NULL, key TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (kind, part, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS unneeded_by_age ON unneeded (kind, since);
CREATE TABLE IF NOT EXISTS swept (at INTEGER NOT NULL);
`;

interface Key {
  readonly part: string;
  readonly key: string;
}

/** How the entries of a table are named, and those behind one, so that an index of it tells. */
const TABLES = [
  { kind: 'chunks', part: "''", key: 'path', behind: 'path > @key' },
  { kind: 'vectors', part: 'space', key: 'text_hash', behind: '(space, text_hash) > (@part, @key)' },
  { kind: 'extractions', part: 'sha256', key: 'digest', behind: '(sha256, digest) > (@part, @key)' },
] as const;
type Table = (typeof TABLES)[number];
type Kind = Table['kind'];

/** The index could not be asked, for the reason in `cause`: no fault of the cache. */
export class NeedsUnknownError extends Error {
  constructor(cause: unknown) {
    super('What the index needs of the cache cannot be told.', { cause });
    this.name = 'NeedsUnknownError';
  }
}

/**
 * One sweep, a turn of the thread at a time: each step does a little of it, and between two of them the caller lets others work.
 * @returns by the generator, how many entries went; undefined when it was not a day since the last sweep
 * @throws NeedsUnknownError where `needs` throws, else what SQLite throws, out of the step that met it
 */
export function* sweepSteps(db: Sqlite, needs: CacheNeeds, options: SweepOptions): Generator<void, number | undefined> {
  const { nowMs, mostSpareVectors = MOST_SPARE_VECTORS } = options;
  db.exec(MARKS_SQL);
  const last = db.prepare<[], { at: number | null }>('SELECT max(at) AS at FROM swept').get()?.at ?? null;
  // A clock that was set back must not stop it for years.
  if (last !== null && last <= nowMs && nowMs - last < SWEEP_EVERY_MS) return undefined;
  let gone = 0;
  for (const table of TABLES) {
    const { kind } = table;
    const isNeeded = (entry: Key) => needed(needs, kind, entry);
    const needing = yield* mark(db, table, isNeeded, nowMs);
    const drop = dropper(db, table, isNeeded);
    gone += yield* drop(nowMs - UNNEEDED_FOR_MS, Number.POSITIVE_INFINITY);
    if (kind !== 'vectors') continue;
    // Not what became so since yesterday: a vault that is away for an hour comes back.
    const spare = countMarked(db, kind, nowMs - DAY_MS) - Math.max(mostSpareVectors, needing);
    if (spare > 0) gone += yield* drop(nowMs - DAY_MS, spare);
  }
  yield* shrink(db);
  db.transaction(() => {
    db.prepare('DELETE FROM swept').run();
    db.prepare('INSERT INTO swept VALUES (?)').run(nowMs);
  })();
  return gone;
}

function needed(needs: CacheNeeds, kind: Kind, { part, key }: Key): boolean {
  try {
    if (kind === 'chunks') return needs.chunks(key);
    return kind === 'vectors' ? needs.vector(part, key) : needs.extraction(part);
  } catch (error) {
    throw new NeedsUnknownError(error);
  }
}

/** Notes since when each entry is not needed, and forgets that of those that are. @returns how many are */
function* mark(
  db: Sqlite,
  { kind, part, key, behind }: Table,
  isNeeded: (entry: Key) => boolean,
  nowMs: number,
): Generator<void, number> {
  const order = kind === 'chunks' ? key : `${part}, ${key}`;
  const page = db.prepare<[Key & { limit: number }], Key>(
    `SELECT ${part} AS part, ${key} AS key FROM ${kind} WHERE ${behind} ORDER BY ${order} LIMIT @limit`,
  );
  const note = db.prepare('INSERT OR IGNORE INTO unneeded VALUES (?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM unneeded WHERE kind = ? AND part = ? AND key = ?');
  let needing = 0;
  let after: Key = { part: '', key: '' };
  for (;;) {
    const entries = page.all({ part: after.part, key: after.key, limit: TURN_KEYS });
    const verdicts = entries.map((entry) => ({ entry, isNeeded: isNeeded(entry) }));
    db.transaction(() => {
      for (const { entry, isNeeded: stays } of verdicts) {
        if (stays) forget.run(kind, entry.part, entry.key);
        else note.run(kind, entry.part, entry.key, nowMs);
      }
    })();
    needing += verdicts.filter((verdict) => verdict.isNeeded).length;
    const last = entries.at(-1);
    if (!last) return needing;
    after = last;
    yield;
  }
}

/** @returns what deletes at most `limit` entries that nobody has needed since `before`, the oldest first */
function dropper(db: Sqlite, { kind, part, key }: Table, isNeeded: (entry: Key) => boolean) {
  const oldest = db.prepare<[string, number, number], Key>(
    'SELECT part, key FROM unneeded WHERE kind = ? AND since <= ? ORDER BY since LIMIT ?',
  );
  const forget = db.prepare('DELETE FROM unneeded WHERE kind = ? AND part = ? AND key = ?');
  const remove = db.prepare(`DELETE FROM ${kind} WHERE ${part} = ? AND ${key} = ?`);
  return function* drop(before: number, limit: number): Generator<void, number> {
    let gone = 0;
    for (let left = limit; left > 0; ) {
      const entries = oldest.all(kind, before, Math.min(TURN_KEYS, left));
      if (entries.length === 0) break;
      left -= entries.length;
      // It may have come back while others worked.
      const unneeded = entries.filter((entry) => !isNeeded(entry));
      db.transaction(() => {
        for (const entry of entries) forget.run(kind, entry.part, entry.key);
        for (const entry of unneeded) gone += remove.run(entry.part, entry.key).changes;
      })();
      yield;
    }
    return gone;
  };
}

function countMarked(db: Sqlite, kind: Kind, before: number): number {
  const count = db.prepare<[string, number], { n: number }>(
    'SELECT count(*) AS n FROM unneeded WHERE kind = ? AND since <= ?',
  );
  return count.get(kind, before)?.n ?? 0;
}

/**
 * Gives free pages back to the disk. In a file that was made before there were sweeps they are only used again: SQLite would
 * have to write all of it anew first, at once.
 */
function* shrink(db: Sqlite): Generator<void, void> {
  if (db.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL) return;
  for (let free = freePages(db); free > 0; ) {
    db.pragma(`incremental_vacuum(${TURN_PAGES})`);
    const left = freePages(db);
    if (left >= free) return;
    free = left;
    yield;
  }
}

/** SQLite's number for it; to be set before the first table. */
export const INCREMENTAL = 2;

function freePages(db: Sqlite): number {
  return Number(db.pragma('freelist_count', { simple: true }));
}
