/**
 * The index database's tables. Everything here is derived from vault files and can be thrown away; nothing here is a
 * record. Kept as TypeScript, not a .sql file, so that the compiled package is complete by itself.
 * Danger: any change of meaning needs a new SCHEMA_VERSION: a version that is not this one is wiped and rebuilt, never
 * migrated.
 *
 * Ids of files and chunks are never used twice (AUTOINCREMENT): a search holds them across a wait, and a reused one would
 * answer with another file's text.
 *
 * - `file`       one row per note or document; `path` as spelt on disk, `path_key` NFC and case-folded for comparing.
 *                `digest` names the behaviour (chunker, analyzer, extractor) that made its chunks: other digest = stale.
 *                `page_count` and `pages_have_text` are of a document that was read; null of everything else.
 *                `arrived`, `changed`: the passes in which the path came and in which its bytes last became others, and what it
 *                held then and was last known to hold: `sha256` is empty while a file cannot be read. `text_bytes` is what its
 *                chunks hold together, 0 without any.
 * - `departed`   files that are gone, the newest 20 000: what they held, and from when to when they were there. With them a
 *                link can be asked what it led to when it was written. Lost with the index, like all of this.
 * - `chunk`      what search finds; `embedding_id` names the content it is embedded as, shared by equal chunks. `page` is of
 *                a document's.
 * - `chunk_terms` the analyzer's terms per chunk, rowid = chunk.id. Contentless (terms are not stored twice) with deletes.
 *                `detail` stays `full`: anything less silently breaks bm25 and phrases in a contentless table.
 * - `embedding`  embedding health per content key (`text_hash`): pending, embedded or failed, with reason and next try.
 *                `refs` counts the chunks that share it, so that totals per chunk need no scan.
 * - `embedding_vector` unit-length float32 little-endian vectors, apart so that scanning them reads nothing else.
 * - `embedding_signature` a hundred bytes that tell roughly where each of these points, for readers to keep in memory;
 *                `generation` is the one in which the vector was stored, so that who has followed up to one finds what is new.
 * - `note_vector` one of each note all of whose chunks have theirs, made of these: for comparing notes with one another.
 * - `link`, `file_tag` what the note says of others and of itself. `since` is the pass in which a link was written.
 * - `tally`      running totals of chunks per embedding state, kept by embedding-store.ts (as triggers they took a third
 *                of the time to store a chunk).
 * - `meta`       generation, pass, vector space, state; one value each. A pass is all that happened until the vault was quiet
 *                again; of what was before the end of `history_since`, nothing is known. `incarnation` is another one of every database that is made:
 *                within one, a higher id is a later row; it says nothing of the rows of another.
 */
import { TERM_CHARACTERS } from '../analysis/terms.ts';

export const SCHEMA_VERSION = 6;
/** `VMCP`: tells our file from somebody else's database that a mistyped setting points at. */
export const APPLICATION_ID = 0x564d4350;

/** Each can be read by a statement of its own, which shows whether it is damaged. */
export const TABLES = [
  ...['meta', 'tally', 'file', 'departed', 'chunk', 'chunk_terms', 'embedding', 'embedding_vector'],
  ...['embedding_signature', 'note_vector', 'link', 'file_tag'],
];

export const SCHEMA_SQL = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE file (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  path_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'document')),
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  ctime_ms REAL NOT NULL,
  inode INTEGER NOT NULL,
  digest TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT,
  tags TEXT NOT NULL,
  superseded_by TEXT,
  state TEXT NOT NULL CHECK (state IN ('indexed', 'quarantined', 'no_text')),
  reason TEXT,
  page_count INTEGER,
  pages_have_text INTEGER,
  arrived INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  arrived_sha256 TEXT NOT NULL,
  known_sha256 TEXT NOT NULL,
  text_bytes INTEGER NOT NULL
);
CREATE INDEX file_by_key ON file (path_key);
CREATE INDEX file_by_kind ON file (kind, state);
CREATE INDEX file_superseded ON file (id) WHERE superseded_by IS NOT NULL;

CREATE TABLE departed (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  arrived_sha256 TEXT NOT NULL,
  known_sha256 TEXT NOT NULL,
  arrived INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  gone INTEGER NOT NULL
);
CREATE INDEX departed_by_path ON departed (path, gone);

CREATE TABLE embedding (
  id INTEGER PRIMARY KEY,
  text_hash TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'embedded', 'failed')),
  refs INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  next_try_ms INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX embedding_waiting ON embedding (next_try_ms, id DESC) WHERE state = 'pending';
CREATE INDEX embedding_failed ON embedding (id) WHERE state = 'failed';

CREATE TABLE embedding_vector (
  embedding_id INTEGER PRIMARY KEY REFERENCES embedding (id) ON DELETE CASCADE,
  vector BLOB NOT NULL
);

CREATE TABLE embedding_signature (
  embedding_id INTEGER PRIMARY KEY REFERENCES embedding (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  signature BLOB NOT NULL
);
CREATE INDEX embedding_signature_by_generation ON embedding_signature (generation);

CREATE TABLE note_vector (
  file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
  vector BLOB NOT NULL
);

CREATE TABLE chunk (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  breadcrumb TEXT NOT NULL,
  line_start INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  text TEXT NOT NULL,
  page INTEGER,
  embedding_id INTEGER NOT NULL REFERENCES embedding (id)
);
CREATE INDEX chunk_by_file ON chunk (file_id, ordinal);
CREATE INDEX chunk_by_embedding ON chunk (embedding_id, file_id);

CREATE VIRTUAL TABLE chunk_terms USING fts5 (
  terms, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '${TERM_CHARACTERS}'"
);
CREATE VIRTUAL TABLE chunk_term USING fts5vocab (chunk_terms, row);

CREATE TABLE link (
  file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  form TEXT NOT NULL,
  embed INTEGER NOT NULL,
  target TEXT NOT NULL,
  heading TEXT,
  block TEXT,
  alias TEXT,
  line INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (file_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE file_tag (
  file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  tag_key TEXT NOT NULL,
  PRIMARY KEY (tag_key, file_id)
) WITHOUT ROWID;
CREATE INDEX file_tag_by_file ON file_tag (file_id);

CREATE TABLE tally (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO tally VALUES ('pending', 0), ('embedded', 0), ('failed', 0);

INSERT INTO meta VALUES ('generation', '0'), ('pass', '1'), ('history_since', '1'), ('incarnation', lower(hex(randomblob(8))));
PRAGMA user_version = ${SCHEMA_VERSION};
PRAGMA application_id = ${APPLICATION_ID};
`;
