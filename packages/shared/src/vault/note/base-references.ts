/**
 * Finds where a `.base` file names something that moves. Its filters are a small language of their own (paths, folders,
 * links in quotes inside YAML), so nothing is rewritten there: a wrong guess would silently change what a view shows.
 */
import { pathKey, shown, type VaultPath, withoutOuterSlashes } from '../path.ts';
import { linkChange } from './link-change.ts';
import type { Relocation } from './relocation.ts';
import type { LeftLink } from './rewrite-links.ts';

/** What separates the names in a line: quotes of every kind, wikilink brackets, call parentheses, a fragment or alias. */
const SEPARATORS = /["'`()|#]|\[\[|\]\]/;

/**
 * The lines that name what moves, each with what it names.
 *
 * @param path the base's path before the move
 */
export function baseReferences(text: string, path: VaultPath, relocation: Relocation): LeftLink[] {
  return text.split('\n').flatMap((line, i) => {
    const name = namesIn(line).find((one) => isConcerned(one, path, relocation));
    if (name === undefined) return [];
    return [{ line: i + 1, reason: `names "${shown(name)}", which moves: a base is not rewritten, change it by hand` }];
  });
}

/** Quoted pieces of a line, and unquoted values that look like a path. */
function namesIn(line: string): string[] {
  const pieces = line.split(SEPARATORS).map((piece) => piece.trim());
  const inside = pieces.slice(1, -1);
  const value = line.replace(/^[\s-]*(?:[^:"']*:\s+)?/, '').trim();
  return [...inside, ...(value.includes('/') || value.toLowerCase().endsWith('.md') ? [value] : [])].filter(
    (piece) => piece !== '',
  );
}

function isConcerned(name: string, path: VaultPath, relocation: Relocation): boolean {
  const key = pathKey(withoutOuterSlashes(name));
  const source = pathKey(relocation.source);
  if (key === source || key.startsWith(`${source}/`)) return true;
  const change = linkChange({ form: 'wikilink', target: name }, path, relocation);
  return change.action !== 'keep' && change.breaks === true;
}
