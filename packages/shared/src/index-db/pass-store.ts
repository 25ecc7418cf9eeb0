/**
 * When files came, changed and went, counted in passes: all that happens between two moments at which the vault is quiet is
 * one pass, and within one nothing is said of what was first. Part of the writer's connection. Danger: links are rewritten by
 * what stands here, so a pass ends only when every file has been compared, and what is not known of is said not to be.
 */
import type { Sqlite } from './open.ts';
import type { DepartedFile, FileHistoryRow } from './rows.ts';

/** Files that are gone and still remembered, besides those of the last pass. */
const REMEMBERED = 20_000;

/** Of a file, whether it is there or gone. */
export const HISTORY_COLUMNS = 'path, known_sha256 AS knownSha256, arrived_sha256 AS arrivedSha256, arrived, changed';

/** What is stored of a file that came, was read again or became another. */
export type FileTimes = Omit<FileHistoryRow, 'path'> & {
  /** Since when its links stand in it; `kept`: those that stood there before, since when they did. */
  readonly linksSince: { readonly pass: number; readonly kept: boolean };
};

export class PassStore {
  readonly #sql: ReturnType<typeof prepareStatements>;
  /** Whether anything was stored in this pass; what a process before this one did is not known. */
  #isUsed = true;
  /** Whether a path came or went in it. */
  #hasMoves = true;
  /** By path, the bytes that this program is about to write: they date only the links that differ. */
  readonly #own = new Map<string, string>();

  constructor(db: Sqlite) {
    this.#sql = prepareStatements(db);
  }

  /**
   * A file's rows are about to be stored. A path that goes and comes back within a pass, as many programs save, has not gone.
   *
   * @param before what was stored of its path until now
   */
  came(
    { path, sha256 }: { readonly path: string; readonly sha256: string },
    before: FileHistoryRow | undefined,
  ): FileTimes {
    this.#isUsed = true;
    const pass = this.current();
    const known = before ?? this.#cameBack(path, pass);
    if (before === undefined) this.#hasMoves = true;
    if (known === undefined) {
      const times = { arrived: pass, changed: pass, arrivedSha256: sha256, knownSha256: sha256 };
      return { ...times, linksSince: { pass, kept: false } };
    }
    // One that cannot be read right now is the same until it can.
    const isSame = sha256 === '' || known.knownSha256 === sha256;
    const isOwn = !isSame && this.#own.get(path) === sha256;
    if (isOwn) this.#own.delete(path);
    const { arrived, arrivedSha256 } = known;
    const changed = isSame ? known.changed : pass;
    return {
      ...{ arrived, arrivedSha256, changed, knownSha256: sha256 === '' ? known.knownSha256 : sha256 },
      linksSince: { pass: changed, kept: isSame || isOwn },
    };
  }

  /** A file's rows were removed. One that came in this pass was never there. */
  went({ path, knownSha256, arrivedSha256, arrived, changed }: FileHistoryRow): void {
    this.#isUsed = true;
    this.#hasMoves = true;
    const gone = this.current();
    if (arrived !== gone) this.#sql.insert.run({ path, knownSha256, arrivedSha256, arrived, changed, gone });
  }

  /** The next bytes of a path are this program's, which changes some links and leaves the others as they were written. */
  expectOwn(path: string, sha256: string): void {
    this.#own.set(path, sha256);
  }

  /**
   * The vault is quiet, and every file of it compared: what happens from now on comes after all that did until now.
   *
   * @returns whether a path may have come or gone since the last one was closed
   */
  close(): boolean {
    const hadMoves = this.#hasMoves;
    if (this.#isUsed) {
      this.#forgetOldest();
      this.#sql.nextPass.run();
    }
    this.#isUsed = false;
    this.#hasMoves = false;
    this.#own.clear();
    return hadMoves;
  }

  /** With other rules of what is indexed, files come and go that were there all along: nothing is known of before. */
  follow(rules: string): void {
    if (this.#sql.rules.get()?.value === rules) return;
    this.#sql.setRules.run(rules);
    this.#sql.since.run(this.current());
  }

  /** The pass that is not over yet. */
  current(): number {
    return Number(this.#sql.pass.get()?.value ?? 1);
  }

  /** Those of this pass are kept, however many: what they were renamed to is asked right after it. */
  #forgetOldest(): void {
    const newest = this.#sql.newestForgotten.get(this.current(), REMEMBERED);
    if (newest === undefined) return;
    this.#sql.since.run(newest.gone);
    this.#sql.forget.run(newest.id);
  }

  #cameBack(path: string, pass: number): FileHistoryRow | undefined {
    const departed = this.#sql.departed.get(path, pass);
    if (departed !== undefined) this.#sql.remove.run(path, pass);
    return departed;
  }
}

function prepareStatements(db: Sqlite) {
  return {
    pass: db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'pass'"),
    nextPass: db.prepare("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'pass'"),
    since: db.prepare<[number]>(
      "UPDATE meta SET value = max(CAST(value AS INTEGER), CAST(? AS INTEGER)) WHERE key = 'history_since'",
    ),
    rules: db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'history_rules'"),
    setRules: db.prepare<[string]>("INSERT OR REPLACE INTO meta VALUES ('history_rules', ?)"),
    insert: db.prepare<[DepartedFile]>(
      `INSERT INTO departed (path, known_sha256, arrived_sha256, arrived, changed, gone)
       VALUES (@path, @knownSha256, @arrivedSha256, @arrived, @changed, @gone)`,
    ),
    departed: db.prepare<[string, number], DepartedFile>(
      `SELECT ${HISTORY_COLUMNS}, gone FROM departed WHERE path = ? AND gone = ?`,
    ),
    remove: db.prepare('DELETE FROM departed WHERE path = ? AND gone = ?'),
    newestForgotten: db.prepare<[number, number], { id: number; gone: number }>(
      'SELECT id, gone FROM departed WHERE gone < ? ORDER BY id DESC LIMIT 1 OFFSET ?',
    ),
    forget: db.prepare('DELETE FROM departed WHERE id <= ?'),
  };
}
