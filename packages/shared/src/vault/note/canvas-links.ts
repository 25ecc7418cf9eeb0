/**
 * Makes a canvas follow a move: the `file` of its cards, the `background` of its groups, and the links in its texts.
 * Only those strings change, so that the file stays as its program wrote it. Danger: a canvas is untrusted JSON of any
 * size and depth; it is parsed by a grammar that does not recurse, after the JSON reader has accepted it.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/json';
import { nameOf, shown, type VaultPath } from '../path.ts';
import { type LinkJudge, linkChange } from './link-change.ts';
import type { TextRange } from './model.ts';
import { withoutSuffix } from './new-target.ts';
import type { NameChange, Relocation } from './relocation.ts';
import { type LeftLink, type RewrittenText, rewriteLinks } from './rewrite-links.ts';
import { indexLines } from './text.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';
import type { VaultNames } from './vault-names.ts';

/**
 * Rewrites one canvas.
 *
 * @param path the canvas's path before the move
 * @param relocation without a source, nothing is said of a canvas that is damaged
 * @param judge as for rewriteLinks, of the links in its texts
 */
export function rewriteCanvas(
  text: string,
  path: VaultPath,
  relocation: NameChange & Partial<Pick<Relocation, 'source'>>,
  judge: LinkJudge = linkChange,
): RewrittenText {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const json = text.slice(start);
  if (json.trim() === '') return { text, changedLines: [], breaking: 0, left: [] };
  if (!isJson(json)) return unreadable(text, relocation.source);
  const rewriter = new CanvasRewriter(json, path, relocation, judge);
  for (const node of cards(json)) rewriter.card(node);
  const result = rewriter.result();
  return { ...result, text: text.slice(0, start) + result.text };
}

/** Longer than any key that matters, each of its characters written as an escape. */
const MAX_KEY = 100;

/** Collects what changes in one canvas. */
class CanvasRewriter {
  private readonly json: string;
  private readonly path: VaultPath;
  private readonly relocation: NameChange;
  private readonly judge: LinkJudge;
  private readonly lineAt: (offset: number) => number;
  private readonly edits: TextEdit[] = [];
  private readonly changedLines: number[] = [];
  private readonly left: LeftLink[] = [];
  private breaking = 0;

  constructor(json: string, path: VaultPath, relocation: NameChange, judge: LinkJudge) {
    this.json = json;
    this.path = path;
    this.relocation = relocation;
    this.judge = judge;
    const lines = indexLines(json);
    this.lineAt = (offset) => lines.lineAt(offset);
  }

  card(node: SyntaxNode): void {
    const properties = propertiesOf(node, this.json);
    const of = (key: string): StringValue | undefined => stringOf(properties.get(key), this.json);
    const type = of('type')?.value;
    if (type === 'file') this.followFile(of('file'));
    else if (type === 'group') this.followFile(of('background'));
    else if (type === 'text') this.followText(of('text'));
  }

  result(): RewrittenText {
    const { changedLines, breaking, left } = this;
    return { text: applyEdits(this.json, this.edits), changedLines, breaking, left };
  }

  private followFile(field: StringValue | undefined): void {
    const file = field === undefined ? undefined : fileAt(field.value, this.relocation.before);
    if (field === undefined || file === undefined) return;
    const destination = this.relocation.movedTo(file);
    if (destination === file) return;
    this.breaking++;
    this.changedLines.push(this.lineAt(field.range.from));
    this.edits.push({ range: field.range, replacement: JSON.stringify(destination) });
  }

  private followText(field: StringValue | undefined): void {
    if (field === undefined) return;
    const line = this.lineAt(field.range.from);
    const outcome = rewriteLinks(field.value, this.path, this.relocation, this.judge);
    this.breaking += outcome.breaking;
    for (const { reason } of outcome.left) this.left.push({ line, reason });
    if (outcome.changedLines.length === 0) return;
    if (JSON.stringify(field.value) !== this.json.slice(field.range.from, field.range.to)) {
      const reason = 'the text is escaped in a way that a change would not keep: change the link by hand';
      for (const _ of outcome.changedLines) this.left.push({ line, reason });
      return;
    }
    for (const _ of outcome.changedLines) this.changedLines.push(line);
    this.edits.push({ range: field.range, replacement: JSON.stringify(outcome.text) });
  }
}

interface StringValue {
  readonly value: string;
  /** Its quotes included. */
  readonly range: TextRange;
}

/** The objects of the top object's `nodes` list. */
function cards(json: string): SyntaxNode[] {
  const top = parser.parse(json).topNode.getChild('Object');
  const list = top === null ? undefined : propertiesOf(top, json).get('nodes')?.getChild('Array');
  return list?.getChildren('Object') ?? [];
}

function stringOf(property: SyntaxNode | undefined, json: string): StringValue | undefined {
  const string = property?.getChild('String');
  if (!string) return undefined;
  const { from, to } = string;
  return { value: JSON.parse(json.slice(from, to)) as string, range: { from, to } };
}

/** An object's properties that matter here; of several with one key the last, which is the one that counts. */
function propertiesOf(object: SyntaxNode, json: string): ReadonlyMap<string, SyntaxNode> {
  const properties = new Map<string, SyntaxNode>();
  for (let one = object.firstChild; one !== null; one = one.nextSibling) {
    const name = one.name === 'Property' ? one.firstChild : null;
    if (name === null || name.to - name.from > MAX_KEY) continue;
    properties.set(JSON.parse(json.slice(name.from, name.to)) as string, one);
  }
  return properties;
}

/** The file at a whole path: the one spelled like it, else the only one that differs in case or normal form. */
function fileAt(written: string, names: VaultNames): VaultPath | undefined {
  const files = names.byPath(written);
  return (
    files.find((file) => file.normalize('NFC') === written.normalize('NFC')) ??
    (files.length === 1 ? files[0] : undefined)
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A damaged canvas is reported when it seems to speak of what moves. */
function unreadable(text: string, source: VaultPath | undefined): RewrittenText {
  if (source === undefined) return { text, changedLines: [], breaking: 0, left: [] };
  const name = withoutSuffix(nameOf(source));
  const at = indexOfName(text, name);
  if (at === -1) return { text, changedLines: [], breaking: 0, left: [] };
  const reason = `is not valid JSON and names "${shown(name)}": repair it, then change the path by hand`;
  return { text, changedLines: [], breaking: 0, left: [{ line: indexLines(text).lineAt(at), reason }] };
}

/** Where a name stands as one: behind a quote, bracket or slash, and before what ends a name. */
function indexOfName(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (/["[(/<]/.test(before) && /["\])/>|#.\\]/.test(after)) return at;
  }
  return -1;
}
