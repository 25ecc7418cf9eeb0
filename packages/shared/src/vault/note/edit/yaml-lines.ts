/**
 * Writes a frontmatter value as the lines of a block: lists and mappings one item a line, two spaces deeper each.
 * An empty list or mapping has no other form than `[]` and `{}`.
 */
import type { FrontmatterValue } from './frontmatter-value.ts';
import { yamlKey, yamlScalar } from './yaml-scalar.ts';

export interface ValueLines {
  /** What stands on the key's own line; empty when the value begins below it. */
  readonly inline: string;
  /** The lines below, indented from the key's column. */
  readonly below: readonly string[];
}

/** A value as it stands after `key:`. */
export function valueLines(value: FrontmatterValue): ValueLines {
  if (typeof value !== 'object') return { inline: yamlScalar(value), below: [] };
  const lines = isList(value) ? value.flatMap(itemLines) : Object.entries(value).flatMap(entryLines);
  if (lines.length === 0) return { inline: isList(value) ? '[]' : '{}', below: [] };
  return { inline: '', below: lines.map((line) => `  ${line}`) };
}

/** `key: value`, or the key with its value's lines below. */
export function entryLines([key, value]: readonly [string, FrontmatterValue]): string[] {
  const { inline, below } = valueLines(value);
  return [`${yamlKey(key)}:${inline === '' ? '' : ` ${inline}`}`, ...below];
}

/** `- value`; the first line of a nested value stands behind the dash. */
export function itemLines(value: FrontmatterValue): string[] {
  const { inline, below } = valueLines(value);
  if (inline !== '') return [`- ${inline}`];
  return below.map((line, i) => (i === 0 ? `- ${line.slice(2)}` : line));
}

function isList(value: FrontmatterValue): value is readonly FrontmatterValue[] {
  return Array.isArray(value);
}
