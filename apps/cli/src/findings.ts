/**
 * What doctor has to say about an index: each thing that is not well, with a stable code and the next step. Reads
 * the index and nothing else.
 */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { IndexerStatus } from '@vault-mcp/shared/index-db/rows';
import { detailSentence } from '@vault-mcp/shared/vault/document-detail';
import { INDEX_PAGE } from '@vault-mcp/shared/vault/index-page';
import { UNNAMEABLE_REASON } from '@vault-mcp/shared/vault/walk-folder';
import type { IndexProgress } from './indexing-progress.ts';

export interface Finding {
  /** Stable, snake_case. */
  readonly code: string;
  /** `info` needs nobody. */
  readonly severity: 'error' | 'warning' | 'info';
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
  readonly message: string;
  readonly fix?: string;
  /** Of a link, as it stands in the file: what each of `paste` can stand in place of. */
  readonly written?: string;
  readonly paste?: readonly string[];
}

/** The most of one kind that are named; the counts say how many there are. */
export const NAMED = 200;

export function needsPerson({ severity }: Finding): boolean {
  return severity !== 'info';
}

/** @param watcher the server's, or null when no server runs */
export function findingsOf(
  progress: IndexProgress,
  reader: IndexReader,
  watcher: { readonly ok: boolean; readonly error: string | null } | null,
): Finding[] {
  return [
    ...indexFindings(progress),
    ...fileFindings(reader),
    ...documentFindings(reader),
    ...partFindings(reader),
    ...ocrFindings(reader),
    ...embeddingFindings(progress, reader),
    ...reportFindings(reader),
    ...(watcher === null || watcher.ok ? [] : [watcherFinding(watcher.error)]),
  ];
}

function indexFindings({ state, error }: IndexProgress): Finding[] {
  if (state === 'ready') return [];
  return [
    {
      code: 'index_not_ready',
      severity: 'error',
      message: error ?? `The index is ${state}.`,
      fix: 'Wait for it, or run vault-mcp doctor --rebuild.',
    },
  ];
}

function fileFindings(reader: IndexReader): Finding[] {
  return reader.quarantined(NAMED).map(({ path, reason }) => ({
    code: 'file_quarantined',
    severity: 'error',
    path,
    message: `is in quarantine, not in the index. ${detailSentence(reason.replace(ENDED, ''))}`,
  }));
}

/** Of a document whose reading was ended: what ended it says so itself. */
const ENDED = /^interrupted: /;

/** A scan nobody could read looks like any other document until somebody searches for what it says. */
function documentFindings(reader: IndexReader): Finding[] {
  return reader.documentsLacking('text', NAMED).map(({ path, reason }) => {
    const [status = '', ...detail] = reason.split(': ');
    const why = detail.length > 0 ? ` ${detailSentence(detail.join(': '))}` : '';
    if (status === 'needs_ocr') {
      return { code: 'document_needs_ocr', severity: 'warning', path, message: `was not read by OCR.${why}` };
    }
    const message = status === 'pending' ? `is still to be read.${why}` : `holds no text.${why}`;
    return { code: 'document_without_text', severity: 'info', path, message };
  });
}

/** What search finds in such a document looks like all of it. */
function partFindings(reader: IndexReader): Finding[] {
  return reader.documentsLacking('parts', NAMED).map(({ path, reason }) => ({
    code: 'document_read_in_part',
    severity: 'warning',
    path,
    message: `is found by a part of its text only. ${detailSentence(reason.replace(STATUS, ''))}`,
  }));
}

/** Of a document that was read. */
const STATUS = /^(?:extracted|ocr): /;

/** Before any scan comes; once one has, it says so itself. */
function ocrFindings(reader: IndexReader): Finding[] {
  const error = reader.indexerStatus()?.extraction?.ocr?.error ?? null;
  if (error === null) return [];
  return [{ code: 'ocr_unavailable', severity: 'info', message: `Scans cannot be read: ${error}` }];
}

function embeddingFindings({ counts, embedder }: IndexProgress, reader: IndexReader): Finding[] {
  const findings: Finding[] = reader.failedChunks(NAMED).map(({ path, lineStart, reason }) => ({
    code: 'chunk_without_vector',
    severity: 'warning',
    path,
    line: lineStart,
    message: `is found by words only: ${reason}`,
  }));
  if (!embedder.ok) {
    findings.push({
      code: 'embedder_unreachable',
      severity: 'error',
      message: `The embedder (${embedder.provider}) does not answer: ${embedder.error ?? 'no reason given'}`,
    });
  }
  if (counts.pending > 0) {
    findings.push({
      code: 'vectors_pending',
      severity: 'info',
      message: `${counts.pending} of ${counts.chunks} chunks wait for their vector; until then words find them.`,
    });
  }
  return findings;
}

function reportFindings(reader: IndexReader): Finding[] {
  const report = reader.indexerStatus();
  if (report === null) return [];
  const findings: Finding[] = report.unreadable.map(passedOver);
  if (report.cache.state === 'broken') {
    findings.push({
      code: 'cache_broken',
      severity: 'warning',
      message: `The cache cannot be used, so indexing is slower: ${report.cache.error ?? 'no reason given'}`,
      fix: 'Delete cache.db in the data folder.',
    });
  }
  return [...findings, ...pageFindings(report.indexDoc)];
}

/** @param page undefined in the report of an earlier version */
function pageFindings(page: IndexerStatus['indexDoc'] | undefined): Finding[] {
  return [...pageStateFindings(page), ...(page?.spare ?? []).map(sparePageFinding)];
}

/** @param path of a generated index page beside what is the page */
export function sparePageFinding(path: string): Finding {
  const message = 'was generated and is kept no more: other systems take its name for that of the page beside it.';
  return { code: 'index_page_spare', severity: 'warning', path, message, fix: 'Delete it.' };
}

function pageStateFindings(page: IndexerStatus['indexDoc'] | undefined): Finding[] {
  if (page?.state === 'failed') {
    const message = `does not list the notes as they are: ${page.error ?? 'no reason given'}`;
    return [{ code: 'index_page_failed', severity: 'error', path: INDEX_PAGE, message }];
  }
  if (page?.forbidden) {
    const message = page.detail ?? 'The indexer has no permission to write index.md.';
    return [{ code: 'index_page_forbidden', severity: 'warning', message }];
  }
  if (page?.state !== 'foreign') return [];
  return [
    { code: 'index_page_foreign', severity: 'info', message: page.detail ?? 'There is an index.md of your own.' },
  ];
}

/** What the scan could not look at. */
function passedOver({ path, reason }: { readonly path: string; readonly reason: string }): Finding {
  if (reason === UNNAMEABLE_REASON) {
    return { code: 'name_not_served', severity: 'error', path, message: `is left out: ${reason}.`, fix: 'Rename it.' };
  }
  return {
    code: 'folder_unreadable',
    severity: 'error',
    path,
    message: `cannot be read: ${reason}`,
    fix: 'Grant the server read and search permission on it.',
  };
}

function watcherFinding(error: string | null): Finding {
  return {
    code: 'watcher_down',
    severity: 'error',
    message: `Changes on disk are noticed late: ${error ?? 'the watcher does not run'}`,
    fix: 'Set WATCH_POLLING=true or raise the system’s limit on watched files.',
  };
}
