/**
 * What a reader sees of a line of markdown: emphasis and code markers gone, links as their text. Used to compare
 * headings and to make titles and descriptions; never to edit, since offsets are lost.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser, Strikethrough } from '@lezer/markdown';

/** Longer lines are taken as they are: resolving emphasis costs the square of its markers. */
const MAX_RENDERED = 1000;

const inlineParser = parser.configure(Strikethrough);

/** Nodes that are syntax and show nothing wherever they stand. */
const HIDDEN = new Set([
  'HeaderMark',
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'LinkTitle',
  'HTMLTag',
  'Comment',
]);

/** Renders one line (line breaks count as spaces) to the text a reader sees, trimmed. */
export function plainText(markdown: string): string {
  const line = markdown.replace(/[\r\n]+/g, ' ').trim();
  if (line.length > MAX_RENDERED || !/[*_~`\\<&]|\]\(|\[\[|==|%%/.test(line)) return line;
  return render(withoutVaultMarkup(line)).trim();
}

/** Wikilinks become their alias or target, `%%` comments and `==` marks go. */
function withoutVaultMarkup(line: string): string {
  return line
    .replace(/%%[^%\n]{0,500}%%/g, '')
    .replace(/!?\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/g, (_link, target: string, alias?: string) =>
      alias === undefined || alias === '' ? target.replace(/\\$/, '') : alias,
    )
    .replace(/==(?=\S)([^=\n]{1,500})==/g, '$1');
}

function render(line: string): string {
  // As a heading the line is inline text whatever it starts with; a heading's own closing hashes guard the line's.
  const source = `# ${line} #`;
  let text = '';
  let copied = 2;
  inlineParser.parse(source).iterate({
    enter({ name, from, to, node }) {
      const end = hiddenEnd(name, from, to, node);
      if (end === null) return;
      if (from >= copied) text += source.slice(copied, from);
      copied = Math.max(copied, end);
    },
  });
  return text;
}

/** Where a node's hidden part ends, from its start on; null when the node shows. */
function hiddenEnd(name: string, from: number, to: number, node: SyntaxNode): number | null {
  if (HIDDEN.has(name)) return to;
  if (name === 'Escape') return from + 1;
  if (name !== 'LinkMark') return null;
  const link = node.parent;
  if (link?.name === 'Autolink') return to;
  // A bare `[label]` keeps its brackets: whether it is a link depends on a definition elsewhere.
  if (link === null || link.getChildren('LinkMark').length <= 2) return null;
  // From the closing bracket on, an inline link is address and title.
  return link.getChildren('LinkMark')[1]?.from === from ? link.to : to;
}
