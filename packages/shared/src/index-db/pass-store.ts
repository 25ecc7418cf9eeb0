/**
 * When files came, changed and went, counted in passes: all that happens between two moments at which the vault is quiet is
 * one pass, and within one nothing is said of what was first. Part of the writer's connection. Danger: a path that goes and
 * comes back within a pass, as many programs save, has not gone.
 */
import type { Sqlite } from './open.ts';
import type { DepartedFile, FileHistoryRow } from './rows.ts';

/** Files that are gone and still remembered. */
const REMEMBERED = 20_000;

export class PassStore {
  readonly #sql: ReturnType<typeof prepareStatements>;
  /** Whether anything was stored in this pass; what a process before this one did is not known. */
  #isUsed = true;
  /** Whether a path came or went in it. */
  #hasMoves = true;

  constructor(db: Sqlite) {
    this.#sql = prepareStatements(db);
  }

  /**
   * A file's rows are about to be stored.
   * @param before what was stored of its path until now
   */
  came(
    { path, sha256 }: Pick<FileHistoryRow, 'path' | 'sha256'>,
    before: FileHistoryRow | undefined,
  ): Pick<FileHistoryRow, 'arrived' | 'changed'> {
    this.#isUsed = true;
    const pass = this.#pass();
    const known = before ?? this.#cameBack(path, pass);
    if (before === undefined) this.#hasMoves = true;
    const isSame = known !== undefined && sha256 !== '' && known.sha256 === sha256;
    return { arrived: known?.arrived ?? pass, changed: isSame ? known.changed : pass };
  }

  /** A file's rows were removed. One that came in this pass was never there. */
  went({ path, sha256, size, arrived, changed }: FileHistoryRow): void {
    this.#isUsed = true;
    this.#hasMoves = true;
    const gone = this.#pass();
    if (arrived !== gone) this.#sql.insert.run({ path, sha256, size, arrived, changed, gone });
  }

  /**
   * The vault is quiet: what happens from now on comes after everything that did until now.
   * @returns whether a path may have come or gone since the last one was closed
   */
  close(): boolean {
    const hadMoves = this.#hasMoves;
    if (this.#isUsed) {
      this.#sql.nextPass.run();
      this.#sql.forget.run(REMEMBERED);
    }
    this.#isUsed = false;
    this.#hasMoves = false;
    return hadMoves;
  }

  #pass(): number {
    return Number(this.#sql.pass.get()?.value ?? 1);
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
    insert: db.prepare<[DepartedFile]>(
      `INSERT INTO departed (path, sha256, size, arrived, changed, gone)
       VALUES (@path, @sha256, @size, @arrived, @changed, @gone)`,
    ),
    departed: db.prepare<[string, number], DepartedFile>(
      'SELECT path, sha256, size, arrived, changed, gone FROM departed WHERE path = ? AND gone = ?',
    ),
    remove: db.prepare('DELETE FROM departed WHERE path = ? AND gone = ?'),
    forget: db.prepare('DELETE FROM departed WHERE id <= (SELECT max(id) FROM departed) - ?'),
  };
}
