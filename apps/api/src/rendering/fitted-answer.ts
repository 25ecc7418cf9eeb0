/**
 * A write's answer as text, with its lists and its diff cut to what fits, in the structured answer alike (the rule is in
 * answer-size.ts). Pure. Danger: what is left out must be counted, or a caller takes the part for the whole.
 */
import { pageText } from '../operations/page.ts';
import { oneLine } from './one-line.ts';

/** Entries shown of one list, however much room there is: beyond that nobody reads on. */
const MAX_LISTED = 50;
/** Characters kept free for the line that says what each list, and the diff, leaves out. */
const REMARK_CHARS = 100;

/** What an answer says: sentences first, then its lists, then its diff. */
export interface Statement<A> {
  /** A line each. */
  readonly facts: readonly string[];
  /** Each renders a field of the answer, item by item. Empty ones are not shown. */
  readonly lists?: readonly {
    readonly field: keyof A & string;
    readonly heading: string;
    readonly items: readonly string[];
  }[];
}

export interface FittedAnswer<A> {
  readonly text: string;
  /** The answer with the same lists and diff cut at the same place; `shortened` names the fields that were. */
  readonly structured: A & { readonly shortened?: readonly string[] };
}

/** @param maxChars for the text; at least some hundred */
export function fittedAnswer<A extends object>(
  answer: A & { readonly diff?: string },
  { facts, lists = [] }: Statement<A>,
  maxChars: number,
): FittedAnswer<A> {
  const cut: Record<string, unknown> = {};
  let text = `${facts.map(oneLine).join('\n')}\n`;
  let reserved = REMARK_CHARS * (lists.length + 1);
  for (const { field, heading, items } of lists) {
    const shown = fittingItems(items, maxChars - reserved - text.length - heading.length - 2);
    reserved -= REMARK_CHARS;
    if (items.length > 0) text += `${heading}:\n${shown.join('')}`;
    if (shown.length === items.length) continue;
    text += `(${items.length - shown.length} more are not shown.)\n`;
    cut[field] = (answer[field] as readonly unknown[]).slice(0, shown.length);
  }
  const { diff } = answer;
  if (diff) {
    const page = pageText(diff, 0, Math.max(maxChars - REMARK_CHARS - text.length, REMARK_CHARS));
    text += page.text;
    if (page.next_offset !== null) {
      text += `(The diff goes on: ${page.next_offset} of its ${page.total_chars} characters are shown.)\n`;
      cut.diff = page.text;
    }
  }
  const fields = Object.keys(cut);
  const structured = fields.length === 0 ? answer : { ...answer, ...cut, shortened: fields };
  return { text: pageText(text, 0, maxChars).text, structured };
}

function fittingItems(items: readonly string[], room: number): string[] {
  const lines: string[] = [];
  let left = room;
  for (const item of items.slice(0, MAX_LISTED)) {
    const line = `- ${oneLine(item)}\n`;
    if (line.length > left) break;
    lines.push(line);
    left -= line.length;
  }
  return lines;
}
