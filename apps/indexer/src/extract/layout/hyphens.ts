/**
 * Words cut by a hyphen at a line's end made whole again. Danger: many hyphens there belong to the word, and a joined
 * identifier is never found again; so the rule is narrow, and what it is not sure of stays as it stands.
 *
 * The rest of the word moves up to the line it began on. A soft hyphen goes before any letter. A hyphen is looked at only
 * where a lower-case word goes on in lower case: it stays where the document writes the word so within a line, where the
 * word has a hyphen already (`state-of-the-` `art`), and after a single letter (`e-` `mail`); else it goes. Before or
 * behind capitals other than a first one, and digits, nothing is joined (`COVID-` `19`).
 */

const SOFT = '\u00ad';
/** The last word of a line, without what stands before it in quotes or brackets. */
const CUT_WORD = /(?:^|\s)[\p{P}]*(?<word>\p{L}[\p{L}\p{M}'’-]*)(?<hyphen>[-\u2010\u00ad])$/u;
/** A word as it may be cut: capitals only at its start. */
const PLAIN_WORD = /^\p{L}[\p{Ll}\p{Lo}\p{M}'’-]*$/u;
const NEXT_WORD = /^(?<rest>[\p{L}\p{M}][\p{L}\p{M}'’-]*)(?<end>[^\s\p{L}\p{N}]*)(?=\s|$)/u;
const COMPOUND = /\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)+/gu;
const MAX_LINE = 2_000;
/** Remembered compounds: more than any book has. */
const MAX_COMPOUNDS = 50_000;

/** @returns the words that the lines write with a hyphen inside, in lower case */
export function compoundsOf(lines: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const line of lines) {
    // No line of prose is that long, and the pattern would look at its letters again and again.
    if (line.length > MAX_LINE) continue;
    for (const [word] of line.matchAll(COMPOUND)) if (found.size < MAX_COMPOUNDS) found.add(word.toLowerCase());
  }
  return found;
}

/** @returns as many lines or fewer: a line whose only word moved up is gone */
export function joinHyphens(lines: readonly string[], compounds: ReadonlySet<string> = new Set()): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    const whole = before === undefined ? null : joinedWord(before, line, compounds);
    if (whole === null) {
      joined.push(line);
      continue;
    }
    joined[joined.length - 1] = whole.line;
    if (whole.rest !== '') joined.push(whole.rest);
  }
  return joined.map((line) => line.replaceAll(SOFT, ''));
}

function joinedWord(
  before: string,
  line: string,
  compounds: ReadonlySet<string>,
): { line: string; rest: string } | null {
  // A word is short; what is longer would only make the pattern slow.
  const cut = CUT_WORD.exec(before.slice(-200))?.groups;
  const next = NEXT_WORD.exec(line.slice(0, 200))?.groups;
  if (!cut?.word || !next?.rest) return null;
  const isSoft = cut.hyphen === SOFT;
  if (!isSoft && !(PLAIN_WORD.test(cut.word) && /\p{Ll}$/u.test(cut.word) && /^[\p{Ll}\p{M}'’-]+$/u.test(next.rest)))
    return null;
  const stem = before.slice(0, -1);
  const keeps = !isSoft && belongs(cut.word, next.rest, compounds);
  const moved = `${next.rest}${next.end ?? ''}`;
  return { line: `${stem}${keeps ? '-' : ''}${moved}`, rest: line.slice(moved.length).trimStart() };
}

function belongs(word: string, rest: string, compounds: ReadonlySet<string>): boolean {
  return word.length === 1 || word.includes('-') || compounds.has(`${word}-${rest}`.toLowerCase());
}
