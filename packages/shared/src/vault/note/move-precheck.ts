/**
 * Whether a text can hold a link that a move concerns, told without parsing it. Danger: a text that is passed over
 * wrongly keeps a broken link. So what is looked for is the longest run of ASCII letters and digits in a name, which
 * every way of writing a link leaves as it is but for an escape that stands for a letter or digit; a text that holds
 * such an escape is never passed over, and neither is the text of a file that moves itself.
 */
import { nameOf, pathKey, type VaultPath } from '../path.ts';
import type { Relocation } from './relocation.ts';

/** Names looked for in a text; with more of them, parsing it is about as fast. */
const MAX_NAMES = 32;
/**
 * `%41` in a markdown target, `&#65;`, `\x41` and `\u0041` in a YAML or JSON string, and a line of YAML that goes on in
 * the next. `%20` to `%2F` stand for no letter or digit; `&fjlig;` is the one entity by name that stands for such.
 */
const HIDING = /%(?!2)[0-9a-f]{2}|&(?:#|fj)|\\[xu\r\n]/i;

/** @returns false only when the text of this file, as it is called before the move, holds no link that it concerns */
export function createMovePrecheck(relocation: Relocation): (path: VaultPath, text: string) => boolean {
  const { touchedNames, source } = relocation;
  // A base or a damaged canvas may name a folder alone.
  const mayName = createNamePrecheck([...touchedNames, pathKey(nameOf(source))]);
  return (path, text) => relocation.movedTo(path) !== path || mayName(text);
}

/**
 * @param names keys of files' names
 * @returns false only when a text, as it is written in a note or canvas, holds no link to one of the names
 */
export function createNamePrecheck(names: readonly string[]): (text: string) => boolean {
  const pieces = piecesOf(names);
  if (pieces === null) return () => true;
  return (text) => {
    if (HIDING.test(text)) return true;
    const key = pathKey(text);
    return pieces.some((piece) => key.includes(piece));
  };
}

/** What every link to one of the names holds; null when that cannot be told of all of them, or there are too many. */
function piecesOf(names: readonly string[]): readonly string[] | null {
  if (names.length > MAX_NAMES) return null;
  const pieces = new Set<string>();
  for (const name of names) {
    const runs = name.replace(/\.md$/, '').match(/[a-z0-9]+/g) ?? [];
    const longest = runs.reduce((a, b) => (b.length > a.length ? b : a), '');
    if (longest === '') return null;
    pieces.add(longest);
  }
  return [...pieces];
}
