/**
 * Callouts of a note: quotes whose first line is `[!type]`. Pure, never throws. Danger: what is quoted is somebody else's
 * words, so a callout within an ordinary quote is none of the note's; one within another callout is.
 */
import type { SyntaxNode } from '@lezer/common';
import { type Leaf, walkLeaves } from './leaves.ts';
import { blankLineEnds } from './line-ends.ts';
import type { NoteStructure } from './model.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface Callout {
  /** 1-based line of its first line. */
  readonly line: number;
  /** In lower case, without what follows a `|`. */
  readonly type: string;
  readonly severity: Severity;
  /** As it is written; empty where there is none. */
  readonly title: string;
  /** Its other lines without the marks of the quote; cut, with an ellipsis, after 10 000 characters. */
  readonly body: string;
}

/** Longer ones are a text of their own. Also bounds what callouts within callouts repeat. */
const MAX_BODY = 10_000;
/** Callouts around a callout: each repeats what is in it. */
const MAX_AROUND = 8;
/** `[!type|metadata]`, the mark that folds it, a title. Bounded, so that no line is looked at twice. */
const FIRST_LINE = /^\[!([^\]\n]{1,200})\][+-]?(?:[ \t]+([^\n]*))?$/;

/** What Obsidian and GitHub draw in red and in yellow; every other type informs. */
const ERRORS: ReadonlySet<string> = new Set(['danger', 'error', 'bug', 'failure', 'fail', 'missing']);
const WARNINGS: ReadonlySet<string> = new Set(['warning', 'caution', 'attention']);

/** How bad it is what a type announces. */
export function calloutSeverity(type: string): Severity {
  if (ERRORS.has(type)) return 'error';
  return WARNINGS.has(type) ? 'warning' : 'info';
}

/** Every callout that stands in the note itself, in order. */
export function findCallouts({ text, tree, bodyFrom, lines }: NoteStructure): Callout[] {
  const body = text.slice(bodyFrom);
  if (!body.includes('[!')) return [];
  const found: Callout[] = [];
  /** Where the quotes begin that are callouts. */
  const callouts = new Set<number>();
  walkLeaves(tree, blankLineEnds(body), (leaf) => {
    const quote = quoteBegunBy(leaf);
    if (quote === null) return;
    const around = quotesAround(quote);
    if (around.length > MAX_AROUND || !around.every(({ from }) => callouts.has(from))) return;
    const first = lineFrom(body, leaf.node.from);
    const [, kind, title = ''] = FIRST_LINE.exec(first.trimEnd()) ?? [];
    const type = kind?.split('|', 1)[0]?.trim().toLowerCase();
    if (!type) return;
    callouts.add(quote.from);
    found.push({
      line: lines.lineAt(bodyFrom + leaf.node.from),
      type,
      severity: calloutSeverity(type),
      title: title.trim(),
      body: unquoted(body.slice(leaf.node.from + first.length, quote.to), around.length + 1),
    });
  });
  return found;
}

/** The quote whose first block the leaf is, or begins. */
function quoteBegunBy({ node }: Leaf): SyntaxNode | null {
  let quote = node.parent;
  while (quote !== null && quote.name !== 'Blockquote') quote = quote.parent;
  let first = quote?.firstChild ?? null;
  while (first?.name === 'QuoteMark') first = first.nextSibling;
  return first?.from === node.from ? quote : null;
}

function quotesAround(quote: SyntaxNode): SyntaxNode[] {
  const around: SyntaxNode[] = [];
  for (let up = quote.parent; up !== null; up = up.parent) if (up.name === 'Blockquote') around.push(up);
  return around;
}

function lineFrom(body: string, from: number): string {
  const end = body.indexOf('\n', from);
  return body.slice(from, end === -1 ? body.length : end);
}

/** @param rest what follows a first line, its line break included */
function unquoted(rest: string, marks: number): string {
  const lines = rest
    .slice(0, MAX_BODY * 2)
    .split(/\r?\n/)
    .slice(1);
  const text = lines
    .map((line) => withoutMarks(line, marks))
    .join('\n')
    .trim();
  return text.length > MAX_BODY ? `${text.slice(0, MAX_BODY).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** A line that goes on lazily has fewer marks than the quotes it is in. */
function withoutMarks(line: string, marks: number): string {
  let rest = line;
  for (let mark = 0; mark < marks; mark++) {
    const found = /^[ \t]{0,40}>[ \t]?/.exec(rest);
    if (found === null) break;
    rest = rest.slice(found[0].length);
  }
  return rest.trimEnd();
}
