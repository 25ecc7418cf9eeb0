/**
 * Walks a body's blocks in order and hands out the text of each leaf that holds inline markup, together with what
 * `%%` comments that open in the middle of a line hide. Danger: such a comment may run over any number of blocks, so
 * the walk carries it along; a reader that iterates the tree by itself would see headings nobody else sees.
 */
import type { SyntaxNode, Tree } from '@lezer/common';
import { type InlineScan, scanInline } from './inline.ts';

export interface Leaf {
  readonly node: SyntaxNode;
  /** Offset in the body of the leaf's first character; `scan` offsets count from here. */
  readonly from: number;
  /** The leaf's text, quote marks blanked out so that offsets stay. */
  readonly text: string;
  /** Made when it is first asked for: who looks for structure alone needs none. */
  readonly scan: InlineScan;
}

const EMPTY_SCAN: InlineScan = { links: [], tags: [], openComment: -1 };

/** Visits the leaves of `tree`, which parseBlocks made; `body` with its line ends blanked, offsets being the same. */
export function walkLeaves(tree: Tree, body: string, visit: (leaf: Leaf) => void): void {
  const lastMark = body.lastIndexOf('%%');
  let hiddenUntil = 0;
  tree.iterate({
    enter(ref) {
      const { name } = ref;
      const isDefinition = name === 'LinkReference';
      if (!isDefinition && !holdsInline(name)) return true;
      if (ref.from < hiddenUntil && (isDefinition || ref.to <= hiddenUntil)) return false;
      const node = ref.node;
      const text = leafText(node, body);
      if (isDefinition) {
        visit({ node, from: node.from, text, scan: EMPTY_SCAN });
        return false;
      }
      const partlyHidden = node.from < hiddenUntil;
      const leaf = new ScannedLeaf(node, text, partlyHidden ? hiddenUntil - node.from : inlineStart(node));
      // Without a mark further on no comment can hide anything, so that nothing has to be scanned to know it.
      if (lastMark > node.from && leaf.scan.openComment !== -1) {
        const opened = node.from + leaf.scan.openComment;
        if (lastMark > opened + 1) hiddenUntil = body.indexOf('%%', opened + 2) + 2;
      }
      if (!partlyHidden || !name.includes('Heading')) visit(leaf);
      return false;
    },
  });
}

/** A class, since an object with a getter of its own takes longer to make than most leaves take to be read. */
class ScannedLeaf implements Leaf {
  readonly node: SyntaxNode;
  readonly from: number;
  readonly text: string;
  readonly #start: number;
  #scan: InlineScan | undefined;

  /** @param start where inline text begins in `text` */
  constructor(node: SyntaxNode, text: string, start: number) {
    this.node = node;
    this.from = node.from;
    this.text = text;
    this.#start = start;
  }

  get scan(): InlineScan {
    this.#scan ??= scanInline(this.text, this.#start);
    return this.#scan;
  }
}

function holdsInline(name: string): boolean {
  return (
    name === 'Paragraph' ||
    name === 'Unread' ||
    name === 'TableCell' ||
    name === 'Task' ||
    name.startsWith('ATXHeading') ||
    name.startsWith('SetextHeading')
  );
}

/** Where inline text begins in a leaf: past a heading's hashes or a task's box. */
function inlineStart(node: SyntaxNode): number {
  const marker = node.name === 'Task' || node.name.startsWith('ATX') ? node.firstChild : null;
  return marker === null ? 0 : marker.to - node.from;
}

/** The leaf's source with its quote marks turned into spaces. */
function leafText(node: SyntaxNode, body: string): string {
  const source = body.slice(node.from, node.to);
  if (!source.includes('>')) return source;
  const marks = node.getChildren('QuoteMark');
  if (marks.length === 0) return source;
  const parts: string[] = [];
  let copied = 0;
  for (const mark of marks) {
    parts.push(source.slice(copied, mark.from - node.from), ' '.repeat(mark.to - mark.from));
    copied = mark.to - node.from;
  }
  parts.push(source.slice(copied));
  return parts.join('');
}
