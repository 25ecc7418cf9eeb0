/**
 * Text out of header values. Danger: HTTP has no encoding for them: Node hands them over a byte a character, and
 * clients put there whatever their library lets through, so the text meant has to be found again.
 */

/** UTF-8 where the bytes are that, else one character a byte, as HTTP once had it (Latin-1). */
export function headerText(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** Undoes percent-encoding where there is one; a `%` that stands for itself ("100% sure", "50%") stays. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
