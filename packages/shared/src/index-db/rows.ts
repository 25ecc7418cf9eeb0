/**
 * The shapes that cross the index database's boundary. Pure types: reader and writer speak these and nothing else,
 * so that neither callers nor tests see SQL.
 */
import type { ReadRules } from '../vault/access.ts';
import type { PageStep } from '../vault/document-pages.ts';

export type FileKind = 'note' | 'document';
/** `indexed`: chunks are in place; `quarantined`: `reason` says why this file could not be; `no_text`: nothing to index in it. */
export type FileState = 'indexed' | 'quarantined' | 'no_text';

/** What stat said when the file was last looked at; decides whether a reconcile has to read it again. */
export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** What is known of a file besides its chunks. */
export interface FileFacts {
  /** Vault path in the spelling on disk. */
  readonly path: string;
  readonly kind: FileKind;
  /** Hex SHA-256 of the bytes; the etag. Empty for a file that could not be read. */
  readonly sha256: string;
  readonly stat: FileStat;
  readonly title: string;
  readonly description: string;
  readonly type: string | null;
  readonly tags: readonly string[];
  readonly supersededBy: string | null;
  readonly state: FileState;
  /** Why it is in quarantine or holds no text; or what to know of its text. */
  readonly reason: string | null;
  /** What reading a document found besides its text; absent for a note, and for a document that could not be opened. */
  readonly pages?: PageFacts;
}

export interface PageFacts {
  /** Of the document, at least 1. */
  readonly count: number;
  /** Whether it holds text of its own, and not only pictures of it. */
  readonly hasText: boolean;
}

export interface FileRow extends FileFacts {
  readonly id: number;
}

/** One chunk as the chunker gives it. */
export interface Chunk {
  /** 0-based position in the file. */
  readonly ordinal: number;
  /** Ancestor headings, outermost first, joined with ` > `; empty before the first heading. */
  readonly breadcrumb: string;
  /** 1-based first and last line in the file. */
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly text: string;
}

/** A chunk with what a search result needs of its file. */
export interface ChunkRow extends Chunk {
  readonly id: number;
  readonly fileId: number;
  /** Of a document: the page all of it stands on, 1-based. Null in a note. */
  readonly page: number | null;
  readonly path: string;
  readonly kind: FileKind;
  readonly title: string;
  readonly sha256: string;
}

export interface LinkRow {
  readonly form: string;
  readonly embed: boolean;
  readonly target: string;
  readonly heading: string | null;
  readonly block: string | null;
  readonly alias: string | null;
  readonly line: number;
}

export interface DatedTarget extends Pick<LinkRow, 'form' | 'target'> {
  /** The pass in which it was written. */
  readonly since: number;
}

/** A note with the targets of its links, each once: what decides whether a move concerns it. */
export interface LinkingFileRow {
  readonly id: number;
  readonly path: string;
  readonly state: FileState;
  readonly stat: FileStat;
  readonly links: readonly DatedTarget[];
}

/** When a file came and when its bytes last became others, in passes: all that happened until the vault was quiet again. */
export interface FileHistoryRow {
  readonly path: string;
  /** Hex SHA-256 of what it was last known to hold; empty for a file that could never be read. */
  readonly knownSha256: string;
  /** The same of when it came; empty where it could not be read then. */
  readonly arrivedSha256: string;
  readonly arrived: number;
  readonly changed: number;
}

/** A file that is not there any more, as it was when it was last looked at. */
export interface DepartedFile extends FileHistoryRow {
  /** The pass in which it went. */
  readonly gone: number;
}

export interface FileHistoryRows {
  /** The one that is not over yet. */
  readonly pass: number;
  /** The first whose end is known: of all that was before nobody knows which files there were. */
  readonly since: number;
  readonly files: readonly FileHistoryRow[];
  /** Oldest first. */
  readonly departed: readonly DepartedFile[];
}

/** Names one version of a file's row: a rebuilt index gives its ids anew, so all three have to agree. */
export interface FileVersion {
  readonly id: number;
  readonly path: string;
  readonly sha256: string;
}

/** Up to where somebody has followed the rows of notes. */
export interface NoteMark {
  /** Of the database; empty of one that was made before there were any. */
  readonly incarnation: string;
  /** The last id that was given to a file. */
  readonly lastId: number;
  /** How many rows of notes there were. */
  readonly notes: number;
}

/** What became of the rows of notes since a mark. The quarantined, whose links nobody knows, do not count. */
export interface NoteChanges {
  readonly mark: NoteMark;
  /** Whether `rows` are all there are: without a mark, and where the database was made anew since. */
  readonly whole: boolean;
  /** The new ones, by id; among them those that took the place of another row of their path. */
  readonly rows: readonly FileVersion[];
  /** The ids of all that are left; null when none went but those whose place was taken. */
  readonly left: ReadonlySet<number> | null;
}

/** Narrowing that applies before any candidate window is cut. */
export interface SearchFilter {
  /** Canonical vault path of a folder or note; compared in NFC, case-insensitively, whole segments. */
  readonly prefix?: string;
  readonly type?: string;
  readonly tag?: string;
  readonly kind?: FileKind;
  /** Root-relative folders left out (`search.exclude_dirs`). */
  readonly excludeDirs: readonly string[];
  readonly includeSuperseded: boolean;
  /** What the caller may read, so that nothing else takes a place among the candidates; null: everything. */
  readonly readable: ReadRules | null;
}

/** bm25: FTS5's negative rank, lower is better. */
export interface LexicalCandidate {
  readonly chunkId: number;
  readonly fileId: number;
  readonly bm25: number;
}

/** distance: cosine distance in [0, 2]. */
export interface DenseCandidate {
  readonly chunkId: number;
  readonly fileId: number;
  readonly distance: number;
}

export interface IndexCounts {
  readonly notes: number;
  readonly documents: number;
  readonly quarantined: number;
  readonly chunks: number;
  /** Chunks by the state of their embedding; they add up to `chunks`. */
  readonly embedded: number;
  readonly pending: number;
  readonly failed: number;
}

/** `building`: the first reconcile is not complete; `ready`: it is; `failed`: it gave up, `error` says why. */
export type IndexState = 'building' | 'ready' | 'failed';

/** How long calls took: a histogram's state, never reset while its program runs. */
export interface LatencyFigures {
  /** Seconds, growing. */
  readonly bounds: readonly number[];
  /** Calls up to each bound and above the one before, then those above all. */
  readonly counts: readonly number[];
  /** Seconds of all calls together. */
  readonly sum: number;
}

/** What embedding the texts of files has come to since the writer started, on whatever machine it was done. */
export interface EmbeddingFigures {
  /** Texts that got a vector. */
  readonly texts: number;
  /** Calls of an embedder, each with a batch of texts, by how they ended. */
  readonly calls: Readonly<Record<'ok' | 'failed', LatencyFigures>>;
}

/** How many documents have no text yet, and why. */
export interface DocumentStates {
  /** Their text is still to come, those being read included. */
  readonly pending: number;
  readonly needsOcr: number;
  readonly failed: number;
}

/** A document that somebody is reading right now. */
export interface DocumentInHand {
  readonly path: string;
  readonly sha256: string;
  readonly step: PageStep;
  /** The one in work, 1-based; 0 while the document is being opened. */
  readonly page: number;
  readonly pages: number;
}

export interface ExtractionReport {
  readonly reading: readonly DocumentInHand[];
  /** Of the process that reports; null where others read documents. */
  readonly ocr: {
    readonly enabled: boolean;
    readonly languages: readonly string[];
    readonly error: string | null;
  } | null;
}

/**
 * `pending`: not compared with the notes since the start; `published`: it lists every note; `empty`: there is no note to
 * list, and no page; `foreign`: a person's own, left alone; `disabled`: nobody is to write it; `failed`: it is not what it
 * should be.
 */
export type IndexPageState = 'pending' | 'published' | 'empty' | 'foreign' | 'disabled' | 'failed';

/** What the indexer says about itself through the index database, with a heartbeat. */
export interface IndexerStatus {
  readonly heartbeatMs: number;
  readonly state: IndexState;
  readonly error: string | null;
  readonly builtAt: string | null;
  readonly buildSeconds: number | null;
  readonly watcher: {
    readonly ok: boolean;
    readonly mode: 'events' | 'polling' | 'off';
    readonly lastEvent: string | null;
    readonly error: string | null;
  };
  readonly queue: {
    readonly ok: boolean;
    readonly depth: number;
    readonly failed: number;
    /** Connected consumers by queue, where they can be told. */
    readonly consumers?: Readonly<Record<string, number>>;
    readonly error: string | null;
  };
  readonly embedder: {
    readonly ok: boolean;
    readonly provider: string;
    readonly model: string;
    readonly error: string | null;
  };
  /** An indexer of an earlier version reports none. */
  readonly embedding?: EmbeddingFigures;
  /** An indexer of an earlier version reports none. */
  readonly extraction?: ExtractionReport;
  readonly cache: { readonly ok: boolean; readonly state: 'on' | 'off' | 'broken'; readonly error: string | null };
  /** Files the last reconcile met that are still to be looked at. */
  readonly waiting: number;
  /** Folders that could not be read, with the reason; at most 20. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  /** The root's index page. */
  readonly indexDoc: {
    readonly ok: boolean;
    readonly state: IndexPageState;
    /** Notes it lists. */
    readonly entries: number;
    /** Why it is not what it should be. */
    readonly error: string | null;
    /** Why there is none of ours, and what to do to have one; or what else is to be done about it. */
    readonly detail: string | null;
    /** Only when true: it is the system that lets nobody write it, which may not be meant. */
    readonly forbidden?: true;
    /** Only when there are any: generated pages of other spellings, which are kept no more. */
    readonly spare?: readonly string[];
  };
}
