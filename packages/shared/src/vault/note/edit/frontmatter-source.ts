/**
 * A frontmatter block's source with the places of its parts: where a key's value begins, where a list's items stand,
 * which comments there are. Only for blocks that frontmatter.ts could read, since that bounds size and nesting.
 */
import { isMap, isScalar, type ParsedNode, parseDocument, type YAMLMap } from 'yaml';
import { frontmatterNodes, YAML_OPTIONS } from '../frontmatter.ts';
import type { Frontmatter, FrontmatterEntry, TextRange } from '../model.ts';

export interface EntrySource {
  readonly entry: FrontmatterEntry;
  /** Offset behind the key's colon. */
  readonly valueFrom: number;
  readonly value: ParsedNode | null;
}

export interface BlockSource {
  /** Offsets of nodes and tokens count from here. */
  readonly offset: number;
  readonly root: YAMLMap.Parsed | null;
  /** Comments, from `#` to the end of their line, in order. */
  readonly comments: readonly TextRange[];
}

/** The source of a block, read again where its nodes were not kept; `text` is the whole note. */
export function blockSource(text: string, frontmatter: Frontmatter): BlockSource {
  const { inner } = frontmatter;
  const root = frontmatterNodes(frontmatter) ?? nodesIn(text.slice(inner.from, inner.to));
  return { offset: inner.from, root, comments: commentsIn(root?.srcToken, inner.from) };
}

function nodesIn(source: string): YAMLMap.Parsed | null {
  const { contents } = parseDocument(source, { ...YAML_OPTIONS, keepSourceTokens: true });
  return isMap(contents) ? (contents as YAMLMap.Parsed) : null;
}

/** The parts of one entry; null for one that is not `key: value` with key and colon on a line of their own. */
export function entrySource(text: string, source: BlockSource, entry: FrontmatterEntry): EntrySource | null {
  const pair = source.root?.items.find(
    ({ key }) => isScalar(key) && String(key.value ?? '') === entry.key && key.range !== undefined,
  );
  const keyFrom = source.offset + (pair?.key.range[0] ?? 0);
  const colon = pair?.srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  if (pair === undefined || colon === undefined) return null;
  const valueFrom = source.offset + colon.offset + 1;
  const isOnOneLine = !text.slice(keyFrom, valueFrom).includes('\n');
  if (!isOnOneLine || text.slice(entry.range.from, keyFrom).trim() !== '') return null;
  return { entry, valueFrom, value: pair.value };
}

/** Every comment token below one of the source, nested no deeper than the block itself. */
function commentsIn(token: unknown, offset: number, found: TextRange[] = []): TextRange[] {
  if (typeof token !== 'object' || token === null) return found;
  const { type, offset: at, source } = token as { type?: unknown; offset?: unknown; source?: unknown };
  if (type === 'comment' && typeof at === 'number' && typeof source === 'string') {
    found.push({ from: offset + at, to: offset + at + source.trimEnd().length });
    return found;
  }
  for (const part of Object.values(token)) commentsIn(part, offset, found);
  return found;
}
