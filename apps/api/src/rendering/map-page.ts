/**
 * One page of a note's map, as text and as structure cut at the same line. Pure. Danger: headings of a few characters
 * take many times as many as JSON, so the page ends where either of the two is full.
 */
import type { DocumentFacts } from '../operations/document-text.ts';
import type { NoteMap } from '../operations/map-note.ts';
import { pageText } from '../operations/page.ts';
import { fittedFields, fittingEntries, roomForEntries, roomForFacts } from './answer-size.ts';
import { mapText } from './map-text.ts';

/** Characters kept free for the remark that the map goes on. */
const REMARK_CHARS = 100;

export interface MapPage {
  readonly text: string;
  readonly structured: object;
}

/** @param offset where to start in the whole text, in characters */
export function mapPage(map: NoteMap | DocumentFacts, offset: number, maxChars: number): MapPage {
  const { text: whole, headingOffsets, blockOffsets } = mapText(map);
  const page = pageText(whole, offset, Math.max(maxChars - REMARK_CHARS, REMARK_CHARS));
  if (map.kind === 'document') {
    const { stat: _stat, ...facts } = map;
    return paged(page.text, page.next_offset, whole.length, facts);
  }
  const { frontmatter, headings, blocks, ...rest } = map;
  const onPage = (at: number | undefined) =>
    at !== undefined && at >= page.offset && at < (page.next_offset ?? whole.length);
  const all = [
    ...headings.map((heading, i) => ({ heading, at: headingOffsets[i] })),
    ...blocks.map((block, i) => ({ block, at: blockOffsets[i] })),
  ];
  const entries = all.filter(({ at }) => onPage(at));
  const fitting = fittingEntries(entries, roomForEntries(maxChars));
  // A line of several blocks is on one page, whole; a page holds one line at least.
  const full = entries[fitting]?.at ?? page.offset;
  const end = full > page.offset ? full : page.next_offset;
  const shown = entries.filter(({ at }) => end === null || (at ?? 0) < end);
  const facts = page.offset === 0 ? fittedFields({ frontmatter }, roomForFacts(maxChars)) : undefined;
  return paged(page.text.slice(0, (end ?? whole.length) - page.offset), end, whole.length, {
    ...rest,
    ...facts?.fields,
    ...(facts === undefined || facts.shortened.length === 0 ? {} : { shortened: facts.shortened }),
    headings: shown.flatMap((entry) => ('heading' in entry ? [entry.heading] : [])),
    blocks: shown.flatMap((entry) => ('block' in entry ? [entry.block] : [])),
  });
}

function paged(text: string, next_offset: number | null, total_chars: number, facts: object): MapPage {
  const more = next_offset === null ? '' : `Goes on: offset ${next_offset} of ${total_chars}.\n`;
  return { text: text + more, structured: { ...facts, next_offset, total_chars } };
}
