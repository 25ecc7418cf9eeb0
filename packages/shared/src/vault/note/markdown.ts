/**
 * The block parser: CommonMark with tables and task items, plus `%%` comments, on lezer's grammar with offsets.
 * It builds blocks only; what stands inside a line is read by inline.ts. Danger: several of the grammar's steps are
 * quadratic in what a hostile note can hold (nesting, a `[` that never closes, link destinations, long quotes), so
 * each is bounded or replaced here; whoever adds an extension has to bound it too (see markdown-hostile.test.ts).
 *
 * Block nodes: Document, Paragraph, ATXHeading1–6, SetextHeading1–2 (with HeaderMark), BulletList, OrderedList,
 * ListItem (with ListMark), Task (with TaskMarker), Blockquote (with QuoteMark), FencedCode (with CodeMark, CodeInfo,
 * CodeText), CodeBlock, HorizontalRule, HTMLBlock, CommentBlock (HTML), VaultComment (`%%`), LinkReference, Table
 * (with TableHeader, TableRow, TableCell, TableDelimiter), Unread (the rest of a body of too many blocks).
 */
import type { Tree } from '@lezer/common';
import {
  type BlockContext,
  type BlockParser,
  parser as commonMark,
  type InlineContext,
  type LeafBlock,
  type LeafBlockParser,
  type Line,
  type MarkdownConfig,
  Table,
  TaskList,
} from '@lezer/markdown';
import { scanDefinition, startsDefinition } from './destinations.ts';
import { scanInline } from './inline.ts';
import { withLineFeeds } from './line-ends.ts';

/** Open containers at which nesting stops being structure: a list level takes two, a quote one. */
const MAX_OPEN_CONTAINERS = 64;
/**
 * Blocks, containers and quote marks of one note that get structure: 1.3 seconds and 300 MB at the most, where 5 MB of
 * the shortest items would take 16 and 2.6 GB. A list of 50 characters a line stays within it up to 5 MB.
 */
const MAX_BLOCKS = 200_000;
const UNREAD = 'Unread';
/** Longest run of text, in characters, kept as one paragraph or table; and the same inside a quote. */
const MAX_LEAF = 1_048_576;
const MAX_QUOTED_LEAF = 16_384;
/** Longest white space before a table's delimiter row, and longest such row, in characters. */
const MAX_DELIMITER_INDENT = 256;
const MAX_DELIMITER_ROW = 8192;
/** Longest line that is matched against HTML's block rules. */
const MAX_HTML_LINE = 8192;

/** Parses a body into its blocks; offsets count in the body as given, whatever its line ends. Never throws. */
export function parseBlocks(body: string): Tree {
  const { text, restore } = withLineFeeds(body);
  parsed = { body: text, lastMark: text.lastIndexOf('%%'), hiddenUntil: 0, blocks: 0 };
  return restore(blockParser.parse(text));
}

/**
 * The body being parsed, up to where a `%%` that opened in the middle of a line hides it (as leaves.ts sees it), and how
 * many blocks were seen.
 * The grammar carries no state of ours along, and a parse runs from start to end without giving way, so the module
 * holds it.
 */
let parsed = { body: '', lastMark: -1, hiddenUntil: 0, blocks: 0 };

/** Follows the comments that leaves open, so that the line which closes one is not taken for one that opens. */
function followComments(cx: InlineContext): number {
  if (cx.end <= parsed.hiddenUntil || !cx.text.includes('%%')) return cx.end;
  const { openComment } = scanInline(cx.text, Math.max(0, parsed.hiddenUntil - cx.offset));
  const opened = cx.offset + openComment;
  if (openComment !== -1 && parsed.lastMark > opened + 1) {
    parsed.hiddenUntil = parsed.body.indexOf('%%', opened + 2) + 2;
  }
  return cx.end;
}

/** A note of more blocks than anyone wrote by hand: what follows is one leaf, with links but without structure. */
const blockBudget: BlockParser = {
  name: 'BlockBudget',
  before: 'LinkReference',
  parse(cx, line) {
    parsed.blocks += 1 + line.markers.length;
    if (parsed.blocks < MAX_BLOCKS) return false;
    const from = cx.lineStart + line.pos;
    while (cx.nextLine());
    cx.addElement(cx.elt(UNREAD, from, cx.prevLineEnd()));
    return true;
  },
};

/** Where the rest begins that has no structure; the body's length when all of it has. */
export function structuredTo(tree: Tree): number {
  let node = tree.topNode;
  for (let last = node.lastChild; last !== null; last = node.lastChild) node = last;
  return node.name === UNREAD ? node.from : tree.length;
}

/** Beyond the deepest nesting a marker is text: each such line becomes a paragraph of its own. */
const depthGuard: BlockParser = {
  name: 'DepthGuard',
  before: 'LinkReference',
  parse(cx, line) {
    return cx.depth >= MAX_OPEN_CONTAINERS && startsContainer(line) && takeLine(cx, line);
  },
};

function startsContainer(line: Line): boolean {
  const { next } = line;
  return next === 62 || next === 45 || next === 43 || next === 42 || (next >= 48 && next <= 57);
}

/** The grammar's expressions overflow the stack on a tag of a million attributes: such a line is text. */
const htmlGuard: BlockParser = {
  name: 'HtmlGuard',
  before: 'HTMLBlock',
  parse(cx, line) {
    if (line.next !== 60 || line.text.length - line.pos <= MAX_HTML_LINE) return false;
    return /^<\/?[a-z]/i.test(line.text.slice(line.pos, line.pos + 3)) && takeLine(cx, line);
  },
};

/** Makes the rest of the current line a paragraph. */
function takeLine(cx: BlockContext, line: Line): true {
  const from = cx.lineStart + line.pos;
  const to = cx.lineStart + line.text.length;
  cx.nextLine();
  cx.addElement(cx.elt('Paragraph', from, to));
  return true;
}

/** A line that opens with `%%` hides everything up to the line that closes it; unclosed, it hides the rest. */
const commentBlock: BlockParser = {
  name: 'VaultComment',
  before: 'LinkReference',
  parse(cx, line) {
    if (line.indent >= line.baseIndent + 4 || !opensComment(line)) return false;
    const from = cx.lineStart + line.pos;
    // These marks close what a leaf before left open.
    if (from < parsed.hiddenUntil) return false;
    while (cx.nextLine() && !leftContainer(cx, line)) {
      if (line.text.includes('%%', line.pos)) {
        cx.nextLine();
        break;
      }
    }
    cx.addElement(cx.elt('VaultComment', from, cx.prevLineEnd()));
    return true;
  },
  endLeaf: (_cx, line) => opensComment(line),
};

/** Whether the line starts a comment that does not end on it. */
function opensComment(line: Line): boolean {
  return line.next === 37 && line.text.startsWith('%%', line.pos) && !line.text.includes('%%', line.pos + 2);
}

/** `depth` of a line (containers it continues) is not in the library's types, but is what its own blocks go by. */
function leftContainer(cx: BlockContext, line: Line): boolean {
  return (line as Line & { readonly depth: number }).depth < cx.depth;
}

/**
 * Replaces the grammar's own definition parser, which flattens all text seen so far at every line. The label and its
 * colon have to stand on the first line and a title on one line, so that three lines decide.
 */
const definitions: BlockParser = {
  name: 'LinkReference',
  leaf: (_cx, leaf) => (startsDefinition(leaf.content) ? new DefinitionParser(leaf.content) : null),
};

class DefinitionParser implements LeafBlockParser {
  private content: string;
  private open = true;

  constructor(firstLine: string) {
    this.content = firstLine;
  }

  nextLine(cx: BlockContext, line: Line, leaf: LeafBlock): boolean {
    if (!this.open) return false;
    this.content += `\n${' '.repeat(line.basePos)}${line.text.slice(line.basePos)}`;
    const found = scanDefinition(this.content);
    if (found === null) this.open = false;
    else if (found.end < this.content.length) return addDefinition(cx, leaf, found.end);
    return false;
  }

  finish(cx: BlockContext, leaf: LeafBlock): boolean {
    const found = this.open ? scanDefinition(this.content) : null;
    return found !== null && found.end === this.content.length && addDefinition(cx, leaf, found.end);
  }
}

function addDefinition(cx: BlockContext, leaf: LeafBlock, length: number): boolean {
  cx.addLeafElement(leaf, cx.elt('LinkReference', leaf.start, leaf.start + length));
  return true;
}

/**
 * Rows of a table are held until it ends, and placing quote marks into a leaf costs the square of its lines: a leaf
 * that grows too long ends early.
 */
const leafLimit: BlockParser = {
  name: 'LeafLimit',
  endLeaf(cx, _line, leaf) {
    if (leaf.content.length < MAX_QUOTED_LEAF) return false;
    if (leaf.content.length > MAX_LEAF) return true;
    for (let depth = cx.depth - 1; depth > 0; depth--) if (cx.parentType(depth).name === 'Blockquote') return true;
    return false;
  },
};

/** The table extension, its expressions kept from backtracking over long white space and long rows. */
function boundedTables(): MarkdownConfig {
  const [table] = Table.parseBlock ?? [];
  const { leaf: observe, endLeaf: interrupts } = table ?? {};
  if (table === undefined || observe === undefined || interrupts === undefined) {
    throw new Error('the table extension has changed its shape');
  }
  return {
    ...Table,
    parseBlock: [
      {
        ...table,
        leaf(cx, leaf) {
          const parser = observe(cx, leaf);
          if (parser !== null) boundDelimiterRow(parser);
          return parser;
        },
        endLeaf(cx, line, leaf) {
          if (!line.text.includes('|', line.basePos)) return false;
          const next = cx.peekLine();
          return mayBeDelimiterRow(next) && interrupts(withNextLine(cx, next), line, leaf);
        },
      },
    ],
  };
}

/**
 * Lets the parser see no further line once its second one, which makes a table or does not, is too long for one. White
 * space after that one's last `|`, which the grammar's expression refuses, is kept from it.
 */
function boundDelimiterRow(parser: LeafBlockParser): void {
  const nextLine = parser.nextLine.bind(parser);
  let row = 1;
  let tooLong = false;
  parser.nextLine = (cx, line, leaf) => {
    row++;
    if (row !== 2) return !tooLong && nextLine(cx, line, leaf);
    tooLong = line.text.length > MAX_DELIMITER_ROW;
    return !tooLong && nextLine(cx, withoutEndSpaces(line), leaf);
  };
}

/**
 * The same line without the white space at its end, and the same context with `next` to come, without it; neither is changed.
 * Danger: what another object inherits from gets a shape of its own, and a line or context is read by all of the grammar: with
 * one such object for each note that has a `|` parsing took half as long again. So it is made where there is such white space.
 */
function withoutEndSpaces(line: Line): Line {
  const text = line.text.trimEnd();
  return text === line.text ? line : (Object.create(line, { text: { value: text } }) as Line);
}

function withNextLine(cx: BlockContext, line: string): BlockContext {
  const next = line.trimEnd();
  return next === line ? cx : (Object.create(cx, { peekLine: { value: () => next } }) as BlockContext);
}

function mayBeDelimiterRow(text: string): boolean {
  if (text.length > MAX_DELIMITER_ROW) return false;
  let indent = 0;
  while (indent < text.length && (text[indent] === ' ' || text[indent] === '\t' || text[indent] === '>')) indent++;
  return indent <= MAX_DELIMITER_INDENT && /[-:|]/.test(text.charAt(indent)) && text.includes('|', indent);
}

const blockParser = commonMark.configure([
  boundedTables(),
  TaskList,
  {
    defineNodes: [
      { name: 'VaultComment', block: true },
      { name: UNREAD, block: true },
    ],
    parseBlock: [blockBudget, depthGuard, htmlGuard, commentBlock, definitions, leafLimit],
    remove: ['Escape', 'Entity', 'InlineCode', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link', 'Image', 'LinkEnd'],
    // One step to the end of the leaf: inline text is read later, by a scanner that is linear in it.
    parseInline: [{ name: 'WholeLeaf', parse: followComments }],
  },
]);
