/**
 * Finds and reads a note's frontmatter block. Danger: the block is untrusted YAML, and YAML can name code, refer to
 * itself, multiply by aliases and nest until the parser dies. So size and nesting are checked before parsing, the
 * schema is YAML 1.2 core alone, aliases and values are counted, and values are built here rather than by the library.
 * What cannot be used is an error string with empty data, never an exception: bad YAML must not hide the note.
 */
import { Alias, type Document, isMap, isScalar, isSeq, type ParsedNode, parseDocument, type YAMLMap } from 'yaml';
import { integerBeyondDouble } from './exact-integer.ts';
import type { Frontmatter, FrontmatterEntry, LineIndex, TextRange } from './model.ts';
import { readPlainBlock } from './plain-frontmatter.ts';
import { indexLines } from './text.ts';

/** Largest block parsed, in characters. */
export const MAX_FRONTMATTER = 128 * 1024;
/** Deepest nesting parsed; 50 000 nested brackets abort the process inside the library. */
const MAX_DEPTH = 64;
const MAX_ALIASES = 100;
/** Most values built from one block, aliases expanded. */
const MAX_VALUES = 100_000;

/** A string value of the block and where it stands in the note, quotes included. */
export interface FrontmatterString {
  readonly value: string;
  readonly range: TextRange;
}

export interface ReadFrontmatter {
  readonly frontmatter: Frontmatter;
  /** Every string value, in order of appearance. */
  readonly strings: readonly FrontmatterString[];
}

/** The nodes of blocks that parseFrontmatter read, tokens included: who edits one has not to parse it again. */
const nodes = new WeakMap<Frontmatter, YAMLMap.Parsed>();

/** Reads the block of a note's whole text (a leading byte order mark is allowed). Never throws. */
export function parseFrontmatter(text: string): Frontmatter {
  // The lines below the block are nobody's business here, and a note may have very many.
  const block = findBlock(text);
  return readFound(text, block, indexLines(text.slice(0, block?.range.to ?? 0)), 'nodes').frontmatter;
}

/** The nodes of a block, with source tokens and offsets from the block's inside; undefined when they were not kept. */
export function frontmatterNodes(frontmatter: Frontmatter): YAMLMap.Parsed | undefined {
  return nodes.get(frontmatter);
}

/** parseFrontmatter with the block's strings, for those who look for links in them. */
export function readFrontmatter(text: string, lines: LineIndex): ReadFrontmatter {
  return readFound(text, findBlock(text), lines);
}

/** parseFrontmatter for those who compare values: whole numbers that a double cannot hold are bigints. Never throws. */
export function exactFrontmatter(text: string): Frontmatter {
  const block = findBlock(text);
  return readFound(text, block, indexLines(text.slice(0, block?.range.to ?? 0)), 'exact').frontmatter;
}

/**
 * Characters that are parsed to read a note's block, or that would be if an edit closed a block that is only opened:
 * none when there is no block, or one too large to be read.
 */
export function yamlLength(text: string): number {
  const block = findBlock(text);
  if (block === null) return opensBlock(text) ? Math.min(text.length, MAX_FRONTMATTER) : 0;
  const length = block.inner.to - block.inner.from;
  return length > MAX_FRONTMATTER ? 0 : length;
}

/**
 * @param lines at least those up to the one below the block
 * @param how `nodes` are kept, or numbers read exactly
 */
function readFound(text: string, block: Block | null, lines: LineIndex, how?: 'nodes' | 'exact'): ReadFrontmatter {
  if (block === null) {
    const start = blockStart(text);
    const empty = { from: start, to: start };
    return { frontmatter: { present: false, data: {}, range: empty, inner: empty, entries: [] }, strings: [] };
  }
  const failed = (line: number, reason: string): ReadFrontmatter => ({
    frontmatter: { present: true, data: {}, error: `line ${line}: ${reason}`, ...block, entries: [] },
    strings: [],
  });
  const source = text.slice(block.inner.from, block.inner.to);
  const firstLine = lines.lineAt(block.inner.from);
  if (source.length > MAX_FRONTMATTER)
    return failed(firstLine, `the block is larger than ${MAX_FRONTMATTER} characters`);
  // First of all, or what is read plainly would be a title to one reader of the block and too deep to another.
  if (isNestedTooDeep(source)) return failed(firstLine, `values are nested more than ${MAX_DEPTH} deep`);
  const plain = how === undefined ? readPlainBlock(source, block.inner, lines) : null;
  if (plain !== null) {
    const { data, entries, strings } = plain;
    return { frontmatter: { present: true, data, ...block, entries }, strings };
  }
  try {
    return readBlock(source, block, lines, how);
  } catch (thrown) {
    if (!(thrown instanceof UnusableBlock)) return failed(firstLine, 'the YAML could not be read');
    return failed(lines.lineAt(block.inner.from + thrown.at), thrown.message);
  }
}

/** Why a block cannot be used, and where in its source. */
class UnusableBlock extends Error {
  readonly at: number;
  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

interface Block {
  readonly range: TextRange;
  readonly inner: TextRange;
}

/** A line of three hyphens at the very start, up to the next line of three hyphens or dots. */
function findBlock(text: string): Block | null {
  if (!opensBlock(text)) return null;
  const start = blockStart(text);
  const opening = lineEndAfter(text, start);
  for (let from = opening + 1; from < text.length; ) {
    const end = lineEndAfter(text, from);
    if (isFence(text, from, end, '---') || isFence(text, from, end, '...')) {
      return { range: { from: start, to: Math.min(end + 1, text.length) }, inner: { from: opening + 1, to: from } };
    }
    from = end + 1;
  }
  return null;
}

function opensBlock(text: string): boolean {
  const start = blockStart(text);
  const end = lineEndAfter(text, start);
  return end < text.length && isFence(text, start, end, '---');
}

function blockStart(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

function lineEndAfter(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  return feed === -1 ? text.length : feed;
}

/** Whether a line is the fence, white space after it allowed. */
function isFence(text: string, from: number, to: number, fence: string): boolean {
  return text.startsWith(fence, from) && text.slice(from + fence.length, to).trim() === '';
}

/**
 * A cheap upper bound on nesting: unclosed brackets (quoted ones too), and block indicators that lead a line.
 * Nesting by indentation needs the square of its depth in characters and is bounded by the block's size.
 */
function isNestedTooDeep(source: string): boolean {
  let brackets = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '[' || char === '{') brackets++;
    else if (char === ']' || char === '}') brackets = Math.max(0, brackets - 1);
    if (brackets > MAX_DEPTH) return true;
  }
  return source.split('\n').some((line) => leadingIndicators(line) > MAX_DEPTH);
}

/** How many `-`, `?` and `:` indicators a line begins with. */
function leadingIndicators(line: string): number {
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (isBlank(char)) continue;
    if (!'-?:'.includes(char) || !isBlank(line.charAt(at + 1))) break;
    count++;
  }
  return count;
}

/** White space or the end of the line. */
function isBlank(char: string): boolean {
  return char === '' || char === ' ' || char === '\t' || char === '\r';
}

/** How a block's YAML is read; an edit has to read it the same way. */
export const YAML_OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  // The library compares each key with every other; duplicates are found while values are built.
  uniqueKeys: false,
  prettyErrors: false,
  // Not `silent`, with which a second document in the block is passed over. Nothing is printed: only `parse` does that.
  logLevel: 'error',
} as const;

function readBlock(source: string, block: Block, lines: LineIndex, how?: 'nodes' | 'exact'): ReadFrontmatter {
  const keepNodes = how === 'nodes';
  const document = parseDocument(source, { ...YAML_OPTIONS, keepSourceTokens: keepNodes });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem?.code === 'MULTIPLE_DOCS') {
    throw new UnusableBlock(problem.pos[0], 'a line that begins with "---" starts a second YAML document');
  }
  if (problem !== undefined) throw new UnusableBlock(problem.pos[0], problem.message);
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) {
    return { frontmatter: { present: true, data: {}, ...block, entries: [] }, strings: [] };
  }
  if (!isMap(root)) throw new UnusableBlock(root.range[0], 'the block is not a list of keys with values');
  const reader = new ValueReader(document as Document, block.inner.from, how === 'exact');
  const data = reader.read(root, 0) as Record<string, unknown>;
  const entries = blockEntries(root, block.inner, lines);
  const frontmatter = { present: true, data, ...block, entries };
  if (keepNodes) nodes.set(frontmatter, root);
  return { frontmatter, strings: reader.strings };
}

/** Builds plain values from the parsed nodes, counting as it goes. */
class ValueReader {
  readonly strings: FrontmatterString[] = [];
  private readonly document: Document;
  private readonly offset: number;
  private readonly exact: boolean;
  private values = 0;
  private aliases = 0;

  constructor(document: Document, offset: number, exact: boolean) {
    this.document = document;
    this.offset = offset;
    this.exact = exact;
  }

  read(node: unknown, depth: number, viaAlias = false): unknown {
    const at = (node as ParsedNode | null)?.range?.[0] ?? 0;
    if (++this.values > MAX_VALUES) throw new UnusableBlock(at, `the block holds more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) throw new UnusableBlock(at, `values are nested more than ${MAX_DEPTH} deep`);
    if (node instanceof Alias) return this.readAlias(node, at, depth);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1, viaAlias));
    if (isMap(node)) return this.readMap(node, depth, viaAlias);
    if (!isScalar(node)) return null;
    if (typeof node.value === 'string' && node.range && !viaAlias) {
      this.strings.push({
        value: node.value,
        range: { from: this.offset + node.range[0], to: this.offset + node.range[1] },
      });
    }
    if (this.exact && typeof node.value === 'number') return integerBeyondDouble(node.source ?? '') ?? node.value;
    return typeof node.value === 'bigint' ? String(node.value) : node.value;
  }

  private readAlias(node: Alias, at: number, depth: number): unknown {
    if (++this.aliases > MAX_ALIASES) throw new UnusableBlock(at, `the block uses more than ${MAX_ALIASES} aliases`);
    const target = node.resolve(this.document);
    if (target === undefined) throw new UnusableBlock(at, `the alias "${node.source}" names no anchor`);
    return this.read(target, depth + 1, true);
  }

  private readMap(map: YAMLMap, depth: number, viaAlias: boolean): Record<string, unknown> {
    // No prototype, so that a key called like one of Object's own members is a key like any other.
    const result: Record<string, unknown> = Object.create(null);
    const seen = new Set<string>();
    for (const { key, value } of map.items) {
      const at = (key as ParsedNode | null)?.range?.[0] ?? 0;
      if (!isScalar(key)) throw new UnusableBlock(at, 'a key is not plain text');
      const name = key.value === null ? '' : String(key.value);
      if (seen.has(name)) throw new UnusableBlock(at, `the key "${name}" is there twice`);
      seen.add(name);
      const read = this.read(value, depth + 1, viaAlias);
      if (name !== '__proto__') result[name] = read;
    }
    return result;
  }
}

/** The top-level keys with the lines they own: from the key to the end of its value. */
function blockEntries(root: YAMLMap, inner: TextRange, lines: LineIndex): FrontmatterEntry[] {
  if (root.flow) return [];
  return root.items.flatMap(({ key, value }) => {
    const range = (key as ParsedNode | null)?.range;
    if (!isScalar(key) || !range) return [];
    const valueEnd = (value as ParsedNode | null)?.range?.[1] ?? range[1];
    const from = inner.from + range[0];
    // A block scalar's value ends where the next line starts.
    const last = Math.max(from, inner.from + Math.max(range[1], valueEnd) - 1);
    const lineStart = lines.lineAt(from);
    const lineEnd = lines.lineAt(last);
    return [
      {
        key: key.value === null ? '' : String(key.value),
        range: { from: lines.startOf(lineStart), to: lines.startOf(lineEnd + 1) },
        lineStart,
        lineEnd,
      },
    ];
  });
}
