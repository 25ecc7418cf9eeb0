/** Text of any script in Latin letters without marks. Pure. Danger: many texts come to one; it is for names, never for content. */
import anyAscii from 'any-ascii';

/** @returns letters and digits as they are written in Latin letters; whatever is neither stays as it is */
export function inLatin(text: string): string {
  // Most names are, and there may be thousands of them.
  if (/^[ -~]*$/.test(text)) return text;
  const latin = text.normalize('NFC').replace(/[\p{L}\p{N}]/gu, (char) => anyAscii(char));
  return latin.normalize('NFD').replace(/\p{M}/gu, '');
}
