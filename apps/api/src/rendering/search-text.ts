/**
 * A search's answer as text, for a person at a terminal and for a model alike. Pure. Danger: what is quoted are
 * somebody's notes; each hit's own line says where it comes from, and no name or title may make a second one.
 */
import type { FoundAnswer } from '../operations/search.ts';
import type { SearchResult } from '../search/search.ts';
import { oneLine } from './one-line.ts';

const MATCHED: Readonly<Record<SearchResult['matched'], string>> = {
  both: 'words and meaning',
  dense: 'meaning',
  lexical: 'words',
};

/** What a reason means for the reader of the answer. A reason not named here is shown as it is. */
const DEGRADED: Readonly<Record<string, string>> = {
  embedder_unreachable: 'the embedder did not answer, so this was found by words only',
  vectors_pending: 'some text has no vector yet, so meaning may miss it',
  links_unavailable: 'the links could not be looked up, so none are named',
  partly_unread: 'folders or files could not be read, so links may be missing',
  index_building: 'the index is still being built, so notes may be missing',
};

/** Title and headings above; a note whose first heading is its title says it once. */
function placeOf({ title, breadcrumb }: SearchResult): string {
  if (breadcrumb === title || breadcrumb.startsWith(`${title} > `)) return breadcrumb;
  return [title, breadcrumb].filter((part) => part !== '').join(' > ');
}

/** None, unless they were asked for. */
function linksText({ links }: FoundAnswer['results'][number]): string {
  const lines = [
    ['Links to', links?.out ?? []],
    ['Linked from', links?.back ?? []],
  ] as const;
  return lines
    .map(([what, paths]) => (paths.length === 0 ? '' : `${oneLine(`${what}: ${paths.join(' | ')}`)}\n`))
    .join('');
}

function hitText(hit: FoundAnswer['results'][number], position: number): string {
  const why = hit.pinned ? `${MATCHED[hit.matched]}, pinned` : MATCHED[hit.matched];
  const place = hit.page === undefined ? `line ${hit.line}` : `page ${hit.page}, line ${hit.line}`;
  const head = `[${position}] ${hit.path}, ${place} | ${placeOf(hit)} | ${why}`;
  return `${oneLine(head)}\n${hit.text.trim()}\n${linksText(hit)}`;
}

function degradedText(answer: FoundAnswer): string {
  const reasons = answer.degraded.map((reason) => `${reason}: ${DEGRADED[reason] ?? reason}`);
  return reasons.length === 0 ? '' : `Incomplete (${reasons.join('; ')}).\n`;
}

/**
 * @param leftOut hits of the answer that did not fit and were taken out before
 * @returns one block per hit, the reasons for a lesser answer last
 */
export function searchText(answer: FoundAnswer, leftOut = 0): string {
  const hits = answer.results.map((hit, index) => hitText(hit, index + 1));
  if (hits.length === 0) hits.push('Nothing found. Try other words, or fewer filters.\n');
  if (leftOut > 0) hits.push(`${leftOut} more did not fit; ask for fewer (k) or narrow the search.\n`);
  return [...hits, degradedText(answer)].filter((block) => block !== '').join('\n');
}
