/**
 * From a file's text to what the index stores of it: pure apart from its clock-free inputs. Danger: everything that
 * changes what comes out here has to be part of the behaviour digest, or old rows and cached ones never go away.
 */
import { createHash } from 'node:crypto';
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import { CHUNKER_VERSION, type ChunkOptions, chunkNote } from '@vault-mcp/shared/chunk/chunk';
import { embeddedText } from '@vault-mcp/shared/chunk/embedded-text';
import { fileStem, indexedText, namesOf } from '@vault-mcp/shared/chunk/indexed-text';
import { propertyWords } from '@vault-mcp/shared/chunk/property-words';
import type { FileRecord, IndexedChunk } from '@vault-mcp/shared/index-db/file-store';
import type { FileKind, LinkRow } from '@vault-mcp/shared/index-db/rows';
import { pageOfHeading } from '@vault-mcp/shared/vault/document-pages';
import type { Link, ParsedNote } from '@vault-mcp/shared/vault/note/model';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { supersededBy } from '@vault-mcp/shared/vault/note/superseded-by';
import {
  cutShortDigest,
  type ExtractionBehaviour,
  extractionDigest,
  ocrFreeDigest,
} from '../extract/extraction-digest.ts';

/** A file record without what only the disk knows. */
export type FileDescription = Omit<FileRecord, 'path' | 'sha256' | 'stat' | 'digest'>;

/** Raise when this module, the note model or the link extraction comes to another result for the same bytes. */
const DESCRIPTION_VERSION = 6;

/** A note and what it is called to its chunks, as `chunkNote`. */
export type Chunker = (...note: Parameters<typeof chunkNote>) => ReturnType<typeof chunkNote>;

interface DescriberParts {
  readonly analyzer: Analyzer;
  readonly chunkOptions: ChunkOptions;
  readonly chunk: Chunker;
}

export interface DocumentDigests {
  /** Names the behaviour that makes a document's rows. */
  readonly documentDigest: string;
  /** Names how text is extracted, and nothing else: other chunk sizes are no reason to recognise a scan again. */
  readonly extractionDigest: string;
}

export interface Describer {
  /** Names the behaviour that makes a note's rows; part of the cache key and of every stored row. */
  readonly digest: string;
  /** For documents, whose rows also depend on how their text was extracted: read to their end, with OCR if need be. */
  readonly whole: DocumentDigests;
  /** For what was read without OCR, whatever its settings are. */
  readonly ocrFree: DocumentDigests;
  /** For what the time allowed has cut short. */
  readonly cutShort: DocumentDigests;
  /** That time, where it is set. */
  readonly maxSeconds: number | undefined;
  /** All of these: who has one of them is as this describer would make it. */
  readonly current: readonly DocumentDigests[];
  note(path: string, text: string): FileDescription;
  /** `text`: what was extracted, as markdown. */
  document(path: string, text: string): FileDescription;
}

/**
 * @param chunkOptions sizes in tokens, from the configuration and the embedder's context
 * @param extraction the settings a document's text depends on
 * @param chunk another chunker than the product's is not in the digest: its index is for that one run
 */
export function createDescriber(
  analyzer: Analyzer,
  chunkOptions: ChunkOptions,
  extraction: ExtractionBehaviour,
  chunk: Chunker = chunkNote,
): Describer {
  const digest = digestOf(DESCRIPTION_VERSION, CHUNKER_VERSION, analyzer.version, analyzer.language, chunkOptions);
  const digestsOf = (extracted: string): DocumentDigests => ({
    documentDigest: digestOf(digest, extracted),
    extractionDigest: extracted,
  });
  const ways = {
    whole: digestsOf(extractionDigest(extraction)),
    ocrFree: digestsOf(ocrFreeDigest()),
    cutShort: digestsOf(cutShortDigest(extraction)),
  };
  const parts = { analyzer, chunkOptions, chunk };
  return {
    digest,
    ...ways,
    maxSeconds: extraction.limits?.totalSeconds,
    current: Object.values(ways),
    note: (path, text) => {
      const note = parseNote(withoutNul(text));
      return describe('note', path, note.title ?? fileStem(path), note, parts);
    },
    // A document has no title of its own that could be trusted: its name is what people look for.
    document: (path, text) => describe('document', path, fileStem(path), parseNote(withoutNul(text)), parts),
  };
}

function digestOf(...parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

function describe(
  kind: FileKind,
  path: string,
  title: string,
  note: ParsedNote,
  { analyzer, chunkOptions, chunk: chunked }: DescriberParts,
): FileDescription {
  const description = note.description ?? '';
  const names = namesOf(title, fileStem(path));
  const properties = propertyWords(note.frontmatter.data);
  // Only a note says something by its name alone: a document without text is one that could not be read.
  const form = { title, titleChunk: kind === 'note', sectionsApart: kind === 'document' };
  const chunks = chunked(note, { ...form, ...chunkOptions }).map(
    (chunk, index): IndexedChunk => ({
      ...chunk,
      page: kind === 'document' ? pageOfHeading(chunk.breadcrumb) : null,
      terms: analyzer.indexTerms(indexedText(names, chunk, index === 0 ? properties : '')).join(' '),
      textHash: sha256(embeddedText({ title, description, breadcrumb: chunk.breadcrumb, text: chunk.text })),
    }),
  );
  return {
    kind,
    title,
    description,
    type: stringOrNull(note.frontmatter.data.type),
    tags: note.tags,
    supersededBy: supersededBy(note.frontmatter.data),
    state: chunks.length > 0 ? 'indexed' : 'no_text',
    reason: note.frontmatter.error ?? null,
    chunks,
    links: note.links.map(toLinkRow),
  };
}

function toLinkRow(link: Link): LinkRow {
  const { form, embed, target, line } = link;
  return {
    form,
    embed,
    target,
    line,
    heading: link.heading ?? null,
    block: link.block ?? null,
    alias: link.alias ?? null,
  };
}

/** SQLite text ends at a NUL for many of its functions, and no search can mean one. Offsets stay as they are. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** A property that should be one string; people also write it as a list of one. */
function stringOrNull(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
