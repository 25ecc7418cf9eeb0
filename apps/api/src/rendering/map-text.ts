/**
 * A note's map as text: frontmatter by key, then headings, each a line that ends in the target to paste into the next
 * call. Pure.
 */
import type { DocumentFacts } from '../operations/document-text.ts';
import type { NoteMap } from '../operations/map-note.ts';
import { oneLine, targetLine } from './one-line.ts';
import { supersededLine } from './superseded-line.ts';

export interface MapText {
  readonly text: string;
  /** Where each heading's line starts in the text, in the map's order. */
  readonly headingOffsets: readonly number[];
  /** Where the line of each block starts. */
  readonly blockOffsets: readonly number[];
}

/** Blocks named on one line, so that a page can end between lines. */
const BLOCKS_PER_LINE = 10;

function frontmatterLines(map: NoteMap): string[] {
  if (map.frontmatter_error !== undefined) return [oneLine(`Frontmatter cannot be used: ${map.frontmatter_error}`)];
  const keys = Object.entries(map.frontmatter);
  if (keys.length === 0) return ['No frontmatter.'];
  return ['Frontmatter:', ...keys.map(([key, value]) => oneLine(`  ${key}: ${JSON.stringify(value)}`))];
}

function noteMapText(map: NoteMap): MapText {
  const problem = map.outline_error === undefined ? [] : [`${map.outline_error} None of them can be used as a target.`];
  let text = supersededLine(map.superseded_by);
  text += [headLine(map), ...frontmatterLines(map), ...problem, ''].join('\n');
  text += map.headings.length === 0 ? 'No headings.\n' : 'Headings (line: target):\n';
  const headingOffsets: number[] = [];
  for (const { line, depth, target } of map.headings) {
    headingOffsets.push(text.length);
    text += `${line}: ${'#'.repeat(depth)} ${targetLine(target)}\n`;
  }
  const blockOffsets: number[] = [];
  for (let first = 0; first < map.blocks.length; first += BLOCKS_PER_LINE) {
    const blocks = map.blocks.slice(first, first + BLOCKS_PER_LINE);
    blockOffsets.push(...blocks.map(() => text.length));
    text += `Blocks: ${blocks.join(' ')}\n`;
  }
  return { text, headingOffsets, blockOffsets };
}

/** The version goes with every text that is read, for the write that follows. */
function headLine({ path, etag }: Pick<NoteMap, 'path' | 'etag'>): string {
  return oneLine(`${path} | etag ${etag}`);
}

function documentFactsText(facts: DocumentFacts): MapText {
  const detail = facts.detail === undefined ? '' : ` ${oneLine(facts.detail)}`;
  const pages = facts.pages === null ? '' : ` and ${facts.pages} ${facts.pages === 1 ? 'page' : 'pages'}`;
  // Recognised pages may stand between pages that have text of their own.
  const layer = facts.has_text_layer === null ? '' : ` ${facts.has_text_layer ? 'with' : 'without'} a text layer`;
  const text = `${headLine(facts)}\nDocument of ${facts.stat.size} bytes${pages}. Extraction: ${facts.extraction}${layer}, ${facts.extracted_chars} characters.${detail}\n`;
  return { text, headingOffsets: [], blockOffsets: [] };
}

export function mapText(map: NoteMap | DocumentFacts): MapText {
  return map.kind === 'note' ? noteMapText(map) : documentFactsText(map);
}
