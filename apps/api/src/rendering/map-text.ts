/**
 * A note's map as text: frontmatter by key, then headings, each a line that ends in the target to paste into the next
 * call. Pure.
 */
import type { DocumentFacts } from '../operations/document-text.ts';
import type { NoteMap } from '../operations/map-note.ts';
import { oneLine, targetLine } from './one-line.ts';

export interface MapText {
  readonly text: string;
  /** Where each heading's line starts in the text, in the map's order. */
  readonly headingOffsets: readonly number[];
}

function frontmatterLines(map: NoteMap): string[] {
  if (map.frontmatter_error !== undefined) return [oneLine(`Frontmatter cannot be used: ${map.frontmatter_error}`)];
  const keys = Object.entries(map.frontmatter);
  if (keys.length === 0) return ['No frontmatter.'];
  return ['Frontmatter:', ...keys.map(([key, value]) => oneLine(`  ${key}: ${JSON.stringify(value)}`))];
}

function noteMapText(map: NoteMap): MapText {
  const problem = map.outline_error === undefined ? [] : [`${map.outline_error} None of them can be used as a target.`];
  let text = [oneLine(map.path), ...frontmatterLines(map), ...problem, ''].join('\n');
  text += map.headings.length === 0 ? 'No headings.\n' : 'Headings (line: target):\n';
  const headingOffsets: number[] = [];
  for (const { line, depth, target } of map.headings) {
    headingOffsets.push(text.length);
    text += `${line}: ${'#'.repeat(depth)} ${targetLine(target)}\n`;
  }
  if (map.blocks.length > 0) text += `Blocks: ${map.blocks.join(' ')}\n`;
  return { text, headingOffsets };
}

function documentFactsText(facts: DocumentFacts): MapText {
  const detail = facts.detail === undefined ? '' : ` ${oneLine(facts.detail)}`;
  const text = `${oneLine(facts.path)}\nDocument of ${facts.stat.size} bytes. Extraction: ${facts.extraction}, ${facts.extracted_chars} characters.${detail}\n`;
  return { text, headingOffsets: [] };
}

export function mapText(map: NoteMap | DocumentFacts): MapText {
  return map.kind === 'note' ? noteMapText(map) : documentFactsText(map);
}
