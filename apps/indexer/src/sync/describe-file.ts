/**
 * From a file's text to what the index stores of it: pure apart from its clock-free inputs. Danger: everything that
 * changes what comes out here has to be part of the behaviour digest, or old rows and cached ones never go away.
 */
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { FileRecord, IndexedChunk } from '@vault-mcp/shared/index-db/file-store';
import type { FileKind, LinkRow } from '@vault-mcp/shared/index-db/rows';
import type { Link, ParsedNote } from '@vault-mcp/shared/vault/note/model';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { CHUNKER_VERSION, type ChunkOptions, chunkNote } from '../chunk/chunk.ts';
import { embeddedText } from '../chunk/embedded-text.ts';
import { EXTRACTOR_VERSION } from '../extract/extract.ts';

/** A file record without what only the disk knows. */
export type FileDescription = Omit<FileRecord, 'path' | 'sha256' | 'stat' | 'digest'>;

/** Raise when this module, the note model or the link extraction comes to another result for the same bytes. */
const DESCRIPTION_VERSION = 1;

export interface Describer {
  /** Names the behaviour of everything below; part of the cache key and of every stored row. */
  readonly digest: string;
  note(path: string, text: string): FileDescription;
  /** `text`: what was extracted, as markdown. */
  document(path: string, text: string): FileDescription;
}

/** @param chunkOptions sizes in tokens, from the configuration and the embedder's context */
export function createDescriber(analyzer: Analyzer, chunkOptions: ChunkOptions): Describer {
  const digest = createHash('sha256')
    .update(
      JSON.stringify([
        DESCRIPTION_VERSION,
        CHUNKER_VERSION,
        EXTRACTOR_VERSION,
        analyzer.version,
        analyzer.language,
        chunkOptions,
      ]),
    )
    .digest('hex')
    .slice(0, 16);
  return {
    digest,
    note: (path, text) => {
      const note = parseNote(withoutNul(text));
      return describe('note', note.title ?? stem(path), note, analyzer, chunkOptions);
    },
    // A document has no title of its own that could be trusted: its name is what people look for.
    document: (path, text) => describe('document', stem(path), parseNote(withoutNul(text)), analyzer, chunkOptions),
  };
}

function describe(
  kind: FileKind,
  title: string,
  note: ParsedNote,
  analyzer: Analyzer,
  chunkOptions: ChunkOptions,
): FileDescription {
  const description = note.description ?? '';
  const chunks = chunkNote(note, { title, ...chunkOptions }).map(
    (chunk): IndexedChunk => ({
      ...chunk,
      terms: analyzer.indexTerms(`${title}\n${chunk.breadcrumb}\n${chunk.text}`).join(' '),
      textHash: sha256(embeddedText({ title, description, breadcrumb: chunk.breadcrumb, text: chunk.text })),
    }),
  );
  return {
    kind,
    title,
    description,
    type: stringOrNull(note.frontmatter.data.type),
    tags: note.tags,
    supersededBy: stringOrNull(note.frontmatter.data.superseded_by),
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

function stem(path: string): string {
  return basename(path, extname(path));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
