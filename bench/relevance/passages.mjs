/**
 * From ranked chunks to what is judged: passages, which are lines of a note. Pure. Danger: a large chunk holds much, and would win by
 * holding everything; so where a chunk holds several passages, each takes a place of its own, in the order in which it is read.
 */

/**
 * @typedef {{id: string, from: number, to: number}} Passage 1-based lines, both ends included
 * @typedef {{path: string, lineStart: number, lineEnd: number}} Place of a chunk
 */

/**
 * @param {readonly Place[]} ranked best first
 * @param {ReadonlyMap<string, readonly Passage[]>} passages by note, in order
 * @param {number} most passages to return
 * @returns {string[]} ids, each where the first chunk that holds a line of it stands
 */
export function passagesRead(ranked, passages, most) {
  const read = new Set();
  for (const { path, lineStart, lineEnd } of ranked) {
    for (const { id, from, to } of passages.get(path) ?? []) {
      if (isTouched({ from, to }, { lineStart, lineEnd })) read.add(id);
    }
    if (read.size >= most) break;
  }
  return [...read].slice(0, most);
}

/**
 * The same with every chunk one place: for passages so small that where they stand inside a chunk would be all that counts.
 *
 * @param {ReadonlyMap<string, number>} judgments by passage
 * @param isHeld whether a chunk counts for a passage; default when it holds the whole of it
 * @returns {string[]} the ids of judged passages which the chunk holds, else a name of the chunk's own
 */
export function chunksRead(ranked, passages, judgments, most, isHeld = isWhole) {
  const read = new Set();
  for (const [index, { path, lineStart, lineEnd }] of ranked.slice(0, most).entries()) {
    const held = (passages.get(path) ?? []).filter(
      (passage) => judgments.has(passage.id) && isHeld(passage, { lineStart, lineEnd }),
    );
    if (held.length === 0) read.add(`chunk ${index}`);
    for (const { id } of held) read.add(id);
  }
  return [...read].slice(0, most);
}

/** Whether a chunk holds a line of it. */
export function isTouched({ from, to }, { lineStart, lineEnd }) {
  return from <= lineEnd && to >= lineStart;
}

function isWhole({ from, to }, { lineStart, lineEnd }) {
  return from >= lineStart && to <= lineEnd;
}
