/**
 * A fact and the page it belongs on: what is there already, and else the page's text with it. Pure. Danger: people's pages.
 * Whatever the fact holds, the page has to be read afterwards as before, and one item more; so each result is parsed again,
 * and what would hide, end or begin anything else is refused.
 */
import { foldWord } from '@vault-mcp/shared/analysis/characters';
import { loadLanguage } from '@vault-mcp/shared/analysis/languages';
import { AppError } from '@vault-mcp/shared/errors';
import { appendToNote } from '@vault-mcp/shared/vault/note/edit/body';
import { editSection } from '@vault-mcp/shared/vault/note/edit/section';
import { bumpTimestamp } from '@vault-mcp/shared/vault/note/edit/timestamp';
import { type ListItem, listItems } from '@vault-mcp/shared/vault/note/list-items';
import type { Heading, NoteStructure } from '@vault-mcp/shared/vault/note/model';
import { parseStructure } from '@vault-mcp/shared/vault/note/parse';
import { requireStructure } from '@vault-mcp/shared/vault/note/whole-structure';
import { relateFact, trailingLinks, withoutMarks } from './fact.ts';
import { bulletText, type Fact } from './fact-bullet.ts';
import { wordKinds } from './telling-words.ts';

/** Plain data, so that a thread can be sent it. */
export interface FactToPlace {
  /** The page's whole text. */
  readonly text: string;
  readonly fact: Fact;
  /** On which it is added, `YYYY-MM-DD`. */
  readonly day: string;
  /** Whose words say nothing by themselves (search.language). */
  readonly language: string;
  /** What to do where it says more than a bullet that is there or corrects it; nothing unless named. */
  readonly onRefine?: 'replace' | 'append' | undefined;
  readonly stamp: { readonly key: string; readonly now: Date };
}

/** A bullet as it stands on the page. */
export interface StandingBullet {
  readonly bullet: string;
  /** 1-based line of its marker. */
  readonly line: number;
}

export type PlacedFact =
  /** Nothing is to be written: it is this bullet, or in it; or it says more than this one or corrects it, and what to do was not said. */
  | ({ readonly is: 'same' | 'refines' } & StandingBullet)
  | ({ readonly is: 'added'; readonly text: string } & StandingBullet)
  | ({ readonly is: 'replaced'; readonly text: string; readonly before: string } & StandingBullet);

/** The section that facts are put at the end of. */
export const SECTION = 'Updates';

/** @throws AppError `invalid_value`, `note_too_large` */
export function placeFact(task: FactToPlace): PlacedFact {
  const page = parseStructure(task.text);
  requireStructure(page);
  const items = listItems(page);
  const bullets = items.map(({ range }) => task.text.slice(range.from, range.to));
  const { stopWords } = loadLanguage(task.language);
  const isStopWord = (word: string) => stopWords.has(foldWord(word));
  const relation = relateFact(task.fact.text, bullets, wordKinds(task.language, isStopWord));
  if (relation.is === 'new' || (relation.is === 'refines' && task.onRefine === 'append'))
    return added(task, page, items);
  const at = bullets.indexOf(relation.bullet);
  const item = items[at];
  if (item === undefined) throw new Error('a bullet was found that is not on the page');
  if (relation.is === 'refines' && task.onRefine === 'replace') return replaced(task, page, items, at);
  return { is: relation.is, bullet: relation.bullet, line: item.line };
}

function added(task: FactToPlace, page: NoteStructure, before: readonly ListItem[]): PlacedFact {
  const bullet = `- ${bulletText(task.fact, task.day)}`;
  const section = sectionOf(page.headings);
  const { text } =
    section === undefined
      ? appendToNote(page, `## ${SECTION}\n\n${bullet}\n`)
      : editSection(page, section.target, 'append', bullet, { scope: 'own' });
  const made = section === undefined ? 1 : 0;
  const item = verified(text, bullet, { items: before.length + 1, headings: page.headings.length + made });
  return { is: 'added', bullet, ...stamped(task, text, item.line) };
}

/** The last of the outermost of its name: what is new stands at the end of a page. */
function sectionOf(headings: readonly Heading[]): Heading | undefined {
  const named = headings.filter(({ text }) => text.trim().toLowerCase() === SECTION.toLowerCase());
  const depth = Math.min(...named.map((heading) => heading.depth));
  return named.findLast((heading) => heading.depth === depth);
}

/** The bullet's marker, box, links and block id stay: others may mean them. */
function replaced(task: FactToPlace, page: NoteStructure, items: readonly ListItem[], at: number): PlacedFact {
  const { range, textRange } = items[at] as ListItem;
  const old = page.text.slice(textRange.from, textRange.to);
  const id = /\s\^[A-Za-z0-9-]{1,128}\s*$/.exec(old)?.[0].trimEnd() ?? '';
  const kept = [...trailingLinks(withoutMarks(old)).matchAll(/\[\[([^[\]]+)\]\]/g)].map(([, name = '']) => name);
  const links = [...new Set([...kept.filter((name) => !task.fact.text.includes(`[[${name}]]`)), ...task.fact.links])];
  const insert = bulletText({ text: task.fact.text, links }, task.day) + id;
  const bullet = page.text.slice(range.from, textRange.from) + insert;
  const text = page.text.slice(0, textRange.from) + insert + page.text.slice(textRange.to);
  const item = verified(text, bullet, { items: items.length, headings: page.headings.length });
  const before = page.text.slice(range.from, range.to);
  return { is: 'replaced', before, bullet, ...stamped(task, text, item.line) };
}

/** The bullet in the new text. @throws AppError `invalid_value` when the page would not be read as before but for it */
function verified(
  text: string,
  bullet: string,
  expected: { readonly items: number; readonly headings: number },
): ListItem {
  const page = parseStructure(text);
  const items = listItems(page);
  const item = items.findLast(({ range }) => text.slice(range.from, range.to) === bullet);
  if (item !== undefined && items.length === expected.items && page.headings.length === expected.headings) return item;
  throw new AppError(
    'invalid_value',
    'With this fact the page would not be read as before and one item more: the text opens a comment ("%%") or code, or ' +
      'what it would be put below is left open. Leave such marks out, or mend the page first.',
  );
}

/** The timestamp stands above everything else, and may be a line more. */
function stamped({ stamp }: FactToPlace, text: string, line: number): { text: string; line: number } {
  const { text: after } = bumpTimestamp(text, stamp.key, stamp.now);
  return { text: after, line: line + lineBreaks(after) - lineBreaks(text) };
}

function lineBreaks(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks++;
  return breaks;
}
