/**
 * Text in and out of header values. Danger: HTTP has no encoding for them: Node hands them over a byte a character, and
 * clients put there whatever their library lets through, so the text meant has to be found again; and what we put there
 * ourselves must hold no line break.
 */

/** Longest text put into a header, in characters: proxies refuse answers whose headers are many thousands of bytes. */
const LONGEST_VALUE = 1000;

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

/** A text as a header carries it anywhere: what is not printable ASCII is percent-encoded UTF-8, and what is too long is cut. */
export function headerValue(text: string): string {
  const short = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
  return short.replace(/[^ -~]+/g, (part) => encodeURIComponent(part.toWellFormed()));
}
