/**
 * Find passages by words and by meaning. Danger: a prefix narrows before anything is ranked, so one that names
 * nothing indexed must be refused, or it reads as "the vault does not know".
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Access } from '@vault-mcp/shared/vault/access';
import { parseVaultPath, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { type LinkedFiles, linkedFiles } from '../links/linked-files.ts';
import { search as runSearch, type SearchAnswer, type SearchResult } from '../search/search.ts';
import { linkGraph, PARTLY_UNREAD } from './link-graph.ts';

const MAX_K = 20;
/** Folders named when a prefix misses; more would drown the message. */
const NAMED_FOLDERS = 40;

export const searchInput = z.strictObject({
  query: z.string().describe('What to find: words, a question, or an identifier exactly as it is written.'),
  k: z.number().optional().describe('How many results, 1 to 20; what lies outside is brought inside.'),
  prefix: z.string().optional().describe('Only this folder or note: whole path segments, case-insensitive.'),
  type: z.string().min(1).optional().describe('Only notes whose frontmatter `type` is this.'),
  tag: z.string().min(1).optional().describe('Only notes with this tag or one nested below it; a leading # is fine.'),
  kind: z.enum(['note', 'document']).optional().describe('Only notes, or only filed documents such as PDFs.'),
  include_superseded: z.boolean().optional().describe('Also notes that another note has replaced. Default false.'),
  distance_ceiling: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe('Drop what meaning alone finds farther than this cosine distance, 0 (same) to 2.'),
  bm25_ceiling: z
    .number()
    .max(0)
    .optional()
    .describe('Drop what words find with a rank above this; ranks are negative, lower is better, 0 admits all.'),
  expand_links: z
    .boolean()
    .optional()
    .describe('Also name the files that each result links to and those that link to it. Default false.'),
  explain: z.boolean().optional().describe('Also say how each result came to its place. Default false.'),
});

export interface FoundAnswer extends Omit<SearchAnswer, 'degraded'> {
  readonly degraded: readonly (SearchAnswer['degraded'][number] | 'links_unavailable' | typeof PARTLY_UNREAD)[];
  readonly results: (SearchResult & { readonly links?: LinkedFiles })[];
}

/**
 * @throws AppError invalid_request (empty query or tag), invalid_path (malformed prefix), not_found (nothing indexed under the
 * prefix; the folders that are indexed are named), out_of_scope (a ceiling of ranks, for who reads a part), not_ready
 */
export async function search(context: OperationContext, input: z.infer<typeof searchInput>): Promise<FoundAnswer> {
  const found = await passages(context, input);
  return input.expand_links === true ? withLinks(context, found) : found;
}

/** What nearly answers the question is often linked with what does; without that, what was found is still an answer. */
async function withLinks(context: OperationContext, found: SearchAnswer): Promise<FoundAnswer> {
  try {
    const { graph, leftOut } = await linkGraph(context);
    const results = found.results.map((hit) => ({ ...hit, links: linkedFiles(graph, hit.path as VaultPath) }));
    return { ...found, results, degraded: [...found.degraded, ...(leftOut.length > 0 ? [PARTLY_UNREAD] : [])] };
  } catch (error) {
    context.log.warn({ err: error }, 'the links of what a search found could not be looked up');
    return { ...found, degraded: [...found.degraded, 'links_unavailable'] };
  }
}

async function passages(context: OperationContext, input: z.infer<typeof searchInput>): Promise<SearchAnswer> {
  const { reader, analyzer, embedder, config, log, vault } = context;
  refuseCeiling(vault.access, input);
  refuseNamelessTag(input.tag);
  const prefix = input.prefix === undefined ? '' : indexedPrefix(context, input.prefix);
  return runSearch(
    { reader, analyzer, embedder, settings: config.search, log },
    {
      query: input.query,
      k: clampK(input.k ?? config.search.default_k),
      filter: {
        ...(prefix === '' ? {} : { prefix }),
        ...(input.type === undefined ? {} : { type: input.type }),
        ...(input.tag === undefined ? {} : { tag: input.tag }),
        ...(input.kind === undefined ? {} : { kind: input.kind }),
        excludeDirs: excludedUnder(prefix, config.search.exclude_dirs),
        includeSuperseded: input.include_superseded ?? false,
        readable: vault.access.readRules,
      },
      distanceCeiling: input.distance_ceiling,
      bm25Ceiling: input.bm25_ceiling,
      explain: input.explain ?? false,
    },
  );
}

/** By asking again and again with another ceiling, somebody would read off how often a word stands where they may not look. */
function refuseCeiling({ readRules }: Access, { bm25_ceiling }: z.infer<typeof searchInput>): void {
  if (readRules === null || bm25_ceiling === undefined) return;
  const message =
    'bm25_ceiling compares with the words of the whole vault, of which you may read a part: leave it out.';
  throw new AppError('out_of_scope', message);
}

/** A `#` alone names no tag, and would find nothing without a word. */
function refuseNamelessTag(tag: string | undefined): void {
  if (tag === undefined || /[^#\s]/.test(tag)) return;
  throw new AppError('invalid_request', 'tag names no tag: send one such as "garden", or leave tag out.');
}

function clampK(k: number): number {
  return Math.min(MAX_K, Math.max(1, Math.floor(k)));
}

/** The canonical prefix; the root is '' and always fits. */
function indexedPrefix({ reader, vault }: Pick<OperationContext, 'reader' | 'vault'>, raw: string): string {
  const prefix = parseVaultPath(raw);
  if (prefix === '' || reader.prefixHasFiles(prefix, vault.access.readRules)) return prefix;
  const folders = indexedFolders(reader, vault.access);
  const named = folders.slice(0, NAMED_FOLDERS).join(', ');
  const more = folders.length > NAMED_FOLDERS ? ' and more' : '';
  throw new AppError(
    'not_found',
    folders.length === 0
      ? `Nothing is indexed under "${prefix}": no folder holds an indexed file. Search without a prefix.`
      : `Nothing is indexed under "${prefix}". Folders that are: ${named}${more}. A note's whole path works too.`,
  );
}

interface KnownFolders {
  readonly generation: number;
  /** By what may be read. */
  readonly folders: Map<string, string[]>;
}

const knownFolders = new WeakMap<IndexReader, KnownFolders>();

/** Read once per generation: listing them goes through the whole file table, and an agent that guesses misses often. */
function indexedFolders(reader: IndexReader, { readKey, readRules }: Access): string[] {
  const generation = reader.generation();
  const last = knownFolders.get(reader);
  const known = last?.generation === generation ? last.folders : new Map<string, string[]>();
  const folders = known.get(readKey) ?? reader.indexedFolders(NAMED_FOLDERS + 1, readRules);
  known.set(readKey, folders);
  knownFolders.set(reader, { generation, folders: known });
  return folders;
}

/** A caller who asks for an excluded folder by name means it: then it is not left out. */
function excludedUnder(prefix: string, excludeDirs: readonly string[]): string[] {
  const key = pathKey(prefix);
  return excludeDirs.filter((folder) => {
    const excluded = pathKey(folder);
    return key !== excluded && !key.startsWith(`${excluded}/`);
  });
}
