/**
 * The reader's fixed statements, prepared once per opened file. Danger: they belong to the connection and schema they
 * were prepared on; a replaced or re-created index needs a new set.
 */
import type { Statement } from 'better-sqlite3';
import { type NoteReadStatements, prepareNoteReads } from './note-reads.ts';
import type { Sqlite } from './open.ts';
import { HISTORY_COLUMNS } from './pass-store.ts';
import type {
  ChunkRow,
  DatedTarget,
  DepartedFile,
  DocumentStates,
  FileHistoryRow,
  FileHistoryRows,
  FileKind,
  FileRow,
  FileStat,
  FileState,
  FileVersion,
  IndexCounts,
  LinkingFileRow,
  LinkRow,
  NoteChanges,
  NoteMark,
} from './rows.ts';

export type FileColumns = Omit<FileRow, 'stat' | 'tags' | 'pages'> &
  FileStat & { tags: string; pageCount: number | null; pagesHaveText: number | null };

type LinkColumns = Omit<LinkRow, 'embed'> & { readonly embed: number };

export interface SquaredHit {
  readonly chunkId: number;
  readonly fileId: number;
  readonly l2: number;
}

const CHUNK_COLUMNS = `c.id, c.file_id AS fileId, c.ordinal, c.breadcrumb, c.line_start AS lineStart,
  c.line_end AS lineEnd, c.text, c.page, f.path, f.kind, f.title, f.sha256`;

/** Each with its parameters and its row. */
export interface ReadStatements extends NoteReadStatements {
  readonly meta: Statement<[string], { value: string }>;
  readonly tally: Statement<[string], { value: number }>;
  readonly postponed: Statement<[number], { total: number | null }>;
  readonly tallies: Statement<[], { name: 'pending' | 'embedded' | 'failed'; value: number }>;
  readonly chunkTotal: Statement<[], { total: number }>;
  readonly filesByState: Statement<[], { kind: FileKind; state: FileState; total: number }>;
  readonly anySuperseded: Statement<[], unknown>;
  readonly vectorDims: Statement<[], { dims: number }>;
  readonly dense: Statement<[Buffer, number, number], SquaredHit>;
  readonly documentFrequency: Statement<[string], { doc: number }>;
  readonly chunk: Statement<[number], ChunkRow>;
  readonly chunksOf: Statement<[string], ChunkRow>;
  readonly file: Statement<[string], FileColumns>;
  readonly quarantined: Statement<[number], { path: string; reason: string }>;
  readonly quarantinedOf: Statement<[FileKind, number], { path: string; reason: string }>;
  readonly documentsLacking: Readonly<Record<'text' | 'parts', Statement<[number], { path: string; reason: string }>>>;
  readonly textlessDocuments: Statement<[number], { path: string; reason: string }>;
  readonly textlessTotal: Statement<[], { total: number }>;
  readonly documentStates: Statement<[], DocumentStates>;
  readonly failedChunks: Statement<[number], { path: string; lineStart: number; reason: string }>;
  readonly notePage: Statement<[number, number], Omit<LinkingFileRow, 'stat' | 'links'> & FileStat>;
  readonly linkTargets: Statement<[number, number], DatedTarget & { fileId: number }>;
  readonly noteVersions: Statement<[number], FileVersion>;
  readonly noteIds: Statement<[], { id: number }>;
  readonly noteTotal: Statement<[], { total: number }>;
  readonly lastFileId: Statement<[], { seq: number }>;
  readonly fileHistory: Statement<[], FileHistoryRow>;
  readonly departed: Statement<[], DepartedFile>;
  readonly linksOf: Statement<[number, string, string], LinkColumns | { form: null }>;
}

/** A note whose links are known. Both columns stand in `file_by_kind`, so that counting them reads no rows. */
const LINKING_NOTE = "kind = 'note' AND state IN ('indexed', 'no_text')";

/** A document of which no text came, and none is waited for. */
const TEXTLESS_DOCUMENT = `kind = 'document' AND (state = 'quarantined' OR state = 'no_text' OR reason LIKE 'needs_ocr%')
  AND coalesce(reason, '') NOT LIKE 'pending%'`;

export function prepareReads(db: Sqlite): ReadStatements {
  return {
    ...prepareNoteReads(db),
    meta: db.prepare('SELECT value FROM meta WHERE key = ?'),
    tally: db.prepare('SELECT value FROM tally WHERE name = ?'),
    postponed: db.prepare(
      `SELECT sum(refs) AS total FROM embedding INDEXED BY embedding_waiting
       WHERE state = 'pending' AND next_try_ms > ?`,
    ),
    tallies: db.prepare('SELECT name, value FROM tally'),
    chunkTotal: db.prepare('SELECT sum(value) AS total FROM tally'),
    filesByState: db.prepare('SELECT kind, state, count(*) AS total FROM file GROUP BY kind, state'),
    anySuperseded: db.prepare('SELECT 1 FROM file INDEXED BY file_superseded WHERE superseded_by IS NOT NULL LIMIT 1'),
    vectorDims: db.prepare('SELECT length(vector) / 4 AS dims FROM embedding_vector LIMIT 1'),
    // Equal contents share one vector, so `limit` vectors give at least `limit` chunks: both are cut.
    dense: db.prepare(
      `SELECT c.id AS chunkId, c.file_id AS fileId, h.l2
       FROM (SELECT embedding_id, vec_distance_l2(vector, ?) AS l2 FROM embedding_vector ORDER BY l2, embedding_id LIMIT ?) h
       JOIN chunk c ON c.embedding_id = h.embedding_id ORDER BY h.l2, chunkId LIMIT ?`,
    ),
    documentFrequency: db.prepare('SELECT doc FROM chunk_term WHERE term = ?'),
    chunk: db.prepare(`SELECT ${CHUNK_COLUMNS} FROM chunk c JOIN file f ON f.id = c.file_id WHERE c.id = ?`),
    chunksOf: db.prepare(
      `SELECT ${CHUNK_COLUMNS} FROM file f JOIN chunk c ON c.file_id = f.id WHERE f.path = ? ORDER BY c.ordinal`,
    ),
    file: db.prepare(
      `SELECT id, path, kind, sha256, size, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs, inode, title, description, type,
              tags, superseded_by AS supersededBy, state, reason, page_count AS pageCount,
              pages_have_text AS pagesHaveText FROM file WHERE path = ?`,
    ),
    quarantined: db.prepare("SELECT path, reason FROM file WHERE state = 'quarantined' ORDER BY path LIMIT ?"),
    quarantinedOf: db.prepare(
      "SELECT path, reason FROM file WHERE kind = ? AND state = 'quarantined' ORDER BY path LIMIT ?",
    ),
    textlessDocuments: db.prepare(
      `SELECT path, coalesce(reason, 'no_text') AS reason FROM file WHERE ${TEXTLESS_DOCUMENT} ORDER BY path LIMIT ?`,
    ),
    textlessTotal: db.prepare(`SELECT count(*) AS total FROM file WHERE ${TEXTLESS_DOCUMENT}`),
    documentsLacking: {
      text: db.prepare(
        "SELECT path, coalesce(reason, 'no_text') AS reason FROM file WHERE kind = 'document' AND (state = 'no_text' OR reason LIKE 'needs_ocr%') ORDER BY path LIMIT ?",
      ),
      // Of a text that is all there is, nothing is said behind the status.
      parts: db.prepare(
        "SELECT path, reason FROM file WHERE kind = 'document' AND state = 'indexed' AND (reason LIKE 'extracted: %' OR reason LIKE 'ocr: %') ORDER BY path LIMIT ?",
      ),
    },
    documentStates: db.prepare(
      `SELECT count(*) FILTER (WHERE reason LIKE 'pending%') AS pending,
         count(*) FILTER (WHERE reason LIKE 'needs_ocr%') AS needsOcr,
         count(*) FILTER (WHERE state = 'quarantined') AS failed FROM file WHERE kind = 'document'`,
    ),
    failedChunks: db.prepare(
      `SELECT f.path, c.line_start AS lineStart, e.reason FROM embedding e JOIN chunk c ON c.embedding_id = e.id
       JOIN file f ON f.id = c.file_id WHERE e.state = 'failed' ORDER BY f.path, c.ordinal LIMIT ?`,
    ),
    notePage: db.prepare(
      `SELECT id, path, state, size, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs, inode FROM file
       WHERE kind = 'note' AND id > ? ORDER BY id LIMIT ?`,
    ),
    linkTargets: db.prepare(
      'SELECT DISTINCT file_id AS fileId, form, target, since FROM link WHERE file_id BETWEEN ? AND ?',
    ),
    noteVersions: db.prepare(`SELECT id, path, sha256 FROM file WHERE id > ? AND ${LINKING_NOTE} ORDER BY id`),
    noteIds: db.prepare(`SELECT id FROM file WHERE ${LINKING_NOTE}`),
    noteTotal: db.prepare(`SELECT count(*) AS total FROM file WHERE ${LINKING_NOTE}`),
    lastFileId: db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'file'"),
    fileHistory: db.prepare(`SELECT ${HISTORY_COLUMNS} FROM file`),
    departed: db.prepare(`SELECT ${HISTORY_COLUMNS}, gone FROM departed ORDER BY id`),
    // One statement for the row and its links: between two, the row could become another file's.
    linksOf: db.prepare(
      `SELECT l.form, l.embed, l.target, l.heading, l.block, l.alias, l.line
       FROM file f LEFT JOIN link l ON l.file_id = f.id
       WHERE f.id = ? AND f.path = ? AND f.sha256 = ? ORDER BY l.ordinal`,
    ),
  };
}

/** Exact scan of the narrowed files' vectors only. */
export function narrowedDenseSql(where: string): string {
  return `SELECT c.id AS chunkId, c.file_id AS fileId, vec_distance_l2(v.vector, ?) AS l2
    FROM file f CROSS JOIN chunk c ON c.file_id = f.id CROSS JOIN embedding_vector v ON v.embedding_id = c.embedding_id
    WHERE ${where} ORDER BY l2, chunkId LIMIT ?`;
}

export function toFileRow(row: FileColumns): FileRow {
  const { size, mtimeMs, ctimeMs, inode, tags, pageCount, pagesHaveText, ...rest } = row;
  const pages = pageCount === null ? {} : { pages: { count: pageCount, hasText: pagesHaveText === 1 } };
  return { ...rest, ...pages, tags: JSON.parse(tags) as string[], stat: { size, mtimeMs, ctimeMs, inode } };
}

export function readCounts(sql: ReadStatements): IndexCounts {
  const counts = { notes: 0, documents: 0, quarantined: 0, chunks: 0, embedded: 0, pending: 0, failed: 0 };
  for (const { kind, state, total } of sql.filesByState.all()) {
    if (kind === 'note') counts.notes += total;
    else counts.documents += total;
    if (state === 'quarantined') counts.quarantined += total;
  }
  for (const { name, value } of sql.tallies.all()) {
    counts[name] = value;
    counts.chunks += value;
  }
  return counts;
}

/** @returns undefined when the file's row is another one by now */
export function readLinks(sql: ReadStatements, { id, path, sha256 }: FileVersion): LinkRow[] | undefined {
  const rows = sql.linksOf.all(id, path, sha256);
  if (rows.length === 0) return undefined;
  return rows.flatMap((row) => (row.form === null ? [] : [{ ...row, embed: row.embed === 1 }]));
}

/**
 * What became of the notes' rows since `since`. A row is never changed but for its stat, it is replaced under a higher id;
 * so the last id and the number of rows tell without reading any whether there is anything to tell.
 *
 * @param knows whether a path had a row at that mark
 */
export function readNoteChanges(
  db: Sqlite,
  sql: ReadStatements,
  since: NoteMark | null,
  knows: (path: string) => boolean,
): NoteChanges {
  return db.transaction((): NoteChanges => {
    const mark = {
      incarnation: sql.meta.get('incarnation')?.value ?? '',
      lastId: sql.lastFileId.get()?.seq ?? 0,
      notes: sql.noteTotal.get()?.total ?? 0,
    };
    if (since === null || !isLater(mark, since)) {
      return { mark, whole: true, rows: sql.noteVersions.all(0), left: null };
    }
    const rows = mark.lastId === since.lastId ? [] : sql.noteVersions.all(since.lastId);
    const replaced = rows.filter(({ path }) => knows(path)).length;
    const onlyReplaced = since.notes - replaced + rows.length === mark.notes;
    const left = onlyReplaced ? null : new Set(sql.noteIds.all().map(({ id }) => id));
    return { mark, whole: false, rows, left };
  })();
}

/** Whether one mark goes on from another: in the same database, which nobody has put back to an earlier state. */
function isLater(mark: NoteMark, since: NoteMark): boolean {
  return since.incarnation !== '' && mark.incarnation === since.incarnation && mark.lastId >= since.lastId;
}

/** A page of notes and what they link to, as they stand at one moment. */
export function readLinkingFiles(db: Sqlite, sql: ReadStatements, after: number, limit: number): LinkingFileRow[] {
  return db.transaction(() => {
    const notes = sql.notePage.all(after, limit);
    const [first, last] = [notes[0], notes.at(-1)];
    if (first === undefined || last === undefined) return [];
    const links = new Map<number, DatedTarget[]>(notes.map(({ id }) => [id, []]));
    for (const { fileId, ...link } of sql.linkTargets.all(first.id, last.id)) links.get(fileId)?.push(link);
    return notes.map(({ id, path, state, ...stat }) => ({ id, path, state, stat, links: links.get(id) ?? [] }));
  })();
}

/** When each file came and changed, as it stands at one moment. */
export function readFileHistory(db: Sqlite, sql: ReadStatements): FileHistoryRows {
  return db.transaction(() => ({
    pass: Number(sql.meta.get('pass')?.value ?? 1),
    since: Number(sql.meta.get('history_since')?.value ?? 1),
    files: sql.fileHistory.all(),
    departed: sql.departed.all(),
  }))();
}
