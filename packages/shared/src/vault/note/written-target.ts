/**
 * A new target as it is written into a link: percent-encoding, brackets and quotes as the old one had them. Danger:
 * what is written here is read again by other programs too, so whatever could end a destination is encoded, whether
 * our own parser minds it or not.
 */

/** What a wikilink cannot hold in its target, as Obsidian has it. */
const NOT_IN_WIKILINK = /[[\]|#^\p{Cc}]/u;
/** Encoded wherever it stands: it would end a destination, a table cell or the path, or open code, HTML or an address. */
const ALWAYS_ENCODED = /[<>#|`\\\p{Cc}]/u;
/** What a reader takes for one character, where it stands in a destination. */
const CHARACTER_REFERENCE = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi;
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** Whether a wikilink can name this target. */
export function fitsWikilink(target: string): boolean {
  return target.trim() === target && !NOT_IN_WIKILINK.test(target);
}

/**
 * Writes a target as a markdown destination that decodes to it.
 *
 * @param written the destination there was, whose way of encoding is kept
 * @param angled whether it stands in `<…>`, where spaces and parentheses need nothing
 */
export function encodeDestination(target: string, written: string, angled: boolean): string {
  const style = encodingStyle(written);
  const mustEncode = (char: string): boolean =>
    ALWAYS_ENCODED.test(char) || style.encodes(char) || (!angled && /\s/.test(char) && char <= ' ');
  const balanced = angled || hasBalancedParentheses(target);
  const colonFrom = startsLikeScheme(target) ? target.indexOf(':') : -1;
  const references = new Set(Array.from(target.matchAll(CHARACTER_REFERENCE), ({ index }) => index));
  let at = 0;
  const parts = [...target].map((char) => {
    const isMisread = at === colonFrom || references.has(at);
    at += char.length;
    if (isMisread || mustEncode(char) || (!balanced && /[()]/.test(char))) return percentEncode(char, style.lowerCase);
    return char;
  });
  const encoded = parts.join('');
  if (decoded(encoded) === target) return encoded;
  return parts.map((part) => (part === '%' ? '%25' : part)).join('');
}

interface EncodingStyle {
  encodes(char: string): boolean;
  readonly lowerCase: boolean;
}

/** Which characters a destination encodes: those it does, and all that are not ASCII once it does one of them. */
function encodingStyle(written: string): EncodingStyle {
  const escapes = decoded(written) === null ? [] : (written.match(ESCAPES) ?? []);
  const chars = new Set(escapes.flatMap((run) => [...(decoded(run) ?? '')]));
  const encodesOthers = [...chars].some((char) => char > '\x7f');
  return {
    encodes: (char) => chars.has(char) || (encodesOthers && char > '\x7f'),
    lowerCase: escapes.some((run) => /%(?:[0-9][a-f]|[a-f][0-9a-f])/.test(run)),
  };
}

/** `a:` at the start of a path would be an address's scheme. */
function startsLikeScheme(target: string): boolean {
  return /^[^/:]*:/.test(target);
}

/** As CommonMark lets a bare destination hold them, far below its limit of nesting. */
function hasBalancedParentheses(target: string): boolean {
  let open = 0;
  for (const char of target) {
    if (char === '(' && ++open > 8) return false;
    if (char === ')' && --open < 0) return false;
  }
  return open === 0;
}

function percentEncode(char: string, lowerCase: boolean): string {
  return Array.from(new TextEncoder().encode(char), (byte) => {
    const hex = byte.toString(16).padStart(2, '0');
    return `%${lowerCase ? hex : hex.toUpperCase()}`;
  }).join('');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A text as it stands inside a YAML scalar that starts with `opening`. */
export function escapeForYaml(text: string, opening: string): string {
  if (opening === "'") return text.replaceAll("'", "''");
  return opening === '"' ? text.replace(/["\\]/g, '\\$&') : text;
}
