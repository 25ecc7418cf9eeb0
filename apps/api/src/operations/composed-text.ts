/**
 * A text in Unicode's composed form (NFC) for comparing, and the way back to where its characters stand in the text as
 * it is. Pure. Danger: a position inside a character that was put together has no place of its own in the text, so a
 * start is taken to the character's beginning and an end to its end.
 */

export interface ComposedText {
  readonly text: string;
  /** Where something that starts at this unit of the composed text starts in the text as it is. */
  startOf(offset: number): number;
  /** Where something that ends before this unit ends in the text as it is. */
  endOf(offset: number): number;
}

/** Marks, and the letters of Hangul that join the one before: what a character before may be put together with. */
const JOINING = String.raw`[\p{M}\u1160-\u11ff]`;
/** A character and all that joins it; composing two of these is composing each. */
const CLUSTER = new RegExp(`(?:(?!${JOINING})[^]|^)${JOINING}*`, 'gu');
const STARTS_JOINING = new RegExp(`^${JOINING}`, 'u');
/** Unicode's Stream-Safe Text Format puts at most 30 marks on a character; a longer heap of them is cut anywhere. */
const MAX_MARKS = 32;

export function composed(text: string): ComposedText {
  const whole = text.normalize('NFC');
  // Nearly every text; its check costs the engine next to nothing.
  if (whole === text) return { text, startOf: (offset) => offset, endOf: (offset) => offset };
  // Made when it is first asked for: most texts searched hold no match.
  let places: ReturnType<typeof placesOf> | undefined;
  const known = () => (places ??= placesOf(text));
  return {
    text: whole,
    startOf: (offset) => known().starts[offset] ?? text.length,
    endOf: (offset) => known().ends[offset] ?? text.length,
  };
}

/** For each unit of the composed text where it starts in the text, and where one that ends before it ends. */
function placesOf(text: string): { readonly starts: readonly number[]; readonly ends: readonly number[] } {
  const starts: number[] = [];
  const ends: number[] = [0];
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const form = cluster.normalize('NFC');
    const same = form === cluster;
    for (let unit = 0; unit < form.length; unit++) {
      starts.push(same ? index + unit : index);
      ends.push(same ? index + unit + 1 : index + cluster.length);
    }
  }
  return { starts, ends };
}

/** The first position from here on (a character's beginning) at which a text can be cut without parting a cluster. */
export function clusterBoundary(text: string, position: number): number {
  let at = position;
  for (let marks = 0; marks < MAX_MARKS && at < text.length; marks++) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (!STARTS_JOINING.test(character)) return at;
    at += character.length;
  }
  return at;
}
