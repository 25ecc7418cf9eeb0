/**
 * Reads the frontmatter that most notes have, keys with plain values and lists of them, at a tenth of what the YAML library
 * takes. Pure. Danger: it must come to exactly what the library comes to or leave the block to it, so whatever YAML could
 * mean otherwise (a colon, a comment, an escape, a number but the plainest, a second line) is left to it.
 */
import type { Frontmatter, FrontmatterEntry, LineIndex, TextRange } from './model.ts';

export interface PlainBlock {
  readonly data: Frontmatter['data'];
  readonly entries: readonly FrontmatterEntry[];
  /** Of every string value, in order: where it stands in the note, quotes included. */
  readonly strings: readonly { readonly value: string; readonly range: TextRange }[];
}

/** A key, and all that follows it on its line. */
const KEY_LINE = /^([A-Za-z][A-Za-z0-9_-]{0,63}):(?: +([^ ].*))?$/;
const ITEM_LINE = /^( *)- +([^ ].*)$/;
/** Items of words, the first of which begins with a letter. */
const LIST = /^\[([A-Za-z][A-Za-z0-9/_-]*(?:(?:, ?| )[A-Za-z][A-Za-z0-9/_-]*)*)\]$/;
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')$/;
const STARTS_WITH_LETTER = /^\p{L}/u;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;
/** What YAML takes for no string, in any case. */
const RESERVED = /^(?:null|true|false)$/i;
/** White space of other kinds, and line ends that are none to everybody. */
const UNUSUAL = /[\p{Cc}\u2028\u2029\ufeff]/u;

/**
 * @param source the block's inside, which stands in the note at `inner`
 * @returns null where the library has to read it
 */
export function readPlainBlock(source: string, inner: TextRange, lines: LineIndex): PlainBlock | null {
  if (!source.endsWith('\n') || UNUSUAL.test(source.replaceAll('\n', ''))) return null;
  const reader = new PlainReader(inner.from, lines);
  for (const line of source.slice(0, -1).split('\n')) if (!reader.take(line)) return null;
  return reader.read();
}

/** The key that was read last. */
interface Owner {
  readonly key: string;
  readonly lineStart: number;
  lineEnd: number;
  /** Items below the key; null where its value stands on its line. */
  readonly items: unknown[] | null;
  /** Of the items, once there is one. */
  indent: number;
}

class PlainReader {
  readonly #lines: LineIndex;
  readonly #data: Record<string, unknown> = Object.create(null);
  readonly #entries: FrontmatterEntry[] = [];
  readonly #strings: { value: string; range: TextRange }[] = [];
  #at: number;
  #line: number;
  #owner: Owner | null = null;

  constructor(from: number, lines: LineIndex) {
    this.#lines = lines;
    this.#at = from;
    this.#line = lines.lineAt(from);
  }

  /** The next line; false where it says more than is understood here. */
  take(line: string): boolean {
    const key = KEY_LINE.exec(line);
    const understood = key === null ? this.#item(line) : this.#key(line, key[1] ?? '', key[2]);
    this.#at += line.length + 1;
    this.#line++;
    return understood;
  }

  read(): PlainBlock {
    this.#close();
    return { data: this.#data, entries: this.#entries, strings: this.#strings };
  }

  #key(line: string, key: string, written: string | undefined): boolean {
    if (RESERVED.test(key) || key in this.#data) return false;
    this.#close();
    this.#owner = {
      key,
      lineStart: this.#line,
      lineEnd: this.#line,
      items: written === undefined ? [] : null,
      indent: -1,
    };
    this.#data[key] = null;
    return written === undefined || this.#store(key, written, this.#at + line.length - written.length);
  }

  #store(key: string, written: string, from: number): boolean {
    const words = LIST.exec(written)?.[1];
    const value = words === undefined ? this.#scalar(written, from) : this.#words(words, from + 1);
    this.#data[key] = value;
    return value !== undefined;
  }

  #item(line: string): boolean {
    const [, { length: indent } = '', written] = ITEM_LINE.exec(line) ?? [];
    const owner = this.#owner;
    if (written === undefined || owner === null || owner.items === null) return false;
    if (owner.items.length > 0 && indent !== owner.indent) return false;
    const value = this.#scalar(written, this.#at + line.length - written.length);
    owner.items.push(value);
    owner.indent = indent;
    owner.lineEnd = this.#line;
    return value !== undefined;
  }

  #close(): void {
    const owner = this.#owner;
    if (owner === null) return;
    const { key, lineStart, lineEnd, items } = owner;
    if (items !== null && items.length > 0) this.#data[key] = items;
    const range = { from: this.#lines.startOf(lineStart), to: this.#lines.startOf(lineEnd + 1) };
    this.#entries.push({ key, range, lineStart, lineEnd });
  }

  /** The items of a list on one line; undefined for what is not understood. */
  #words(list: string, from: number): string[] | undefined {
    const words: string[] = [];
    let at = from;
    for (const item of list.split(',')) {
      const word = item.trimStart();
      if (RESERVED.test(word)) return undefined;
      words.push(this.#string(word, at + item.length - word.length, word.length));
      at += item.length + 1;
    }
    return words;
  }

  /** Undefined for what is not understood. */
  #scalar(raw: string, from: number): unknown {
    const written = withoutEndSpaces(raw);
    const quoted = QUOTED.exec(written);
    if (quoted !== null) return this.#string(quoted[1] ?? quoted[2] ?? '', from, written.length);
    if (WHOLE_NUMBER.test(written)) return Number(written);
    if (written === 'true' || written === 'false') return written === 'true';
    if (written === 'null') return null;
    if (DATE.test(written) || isPlainText(written)) return this.#string(written, from, written.length);
    return undefined;
  }

  #string(value: string, from: number, length: number): string {
    this.#strings.push({ value, range: { from, to: from + length } });
    return value;
  }
}

function isPlainText(written: string): boolean {
  return (
    STARTS_WITH_LETTER.test(written) &&
    !written.includes(': ') &&
    !written.includes(' #') &&
    !written.endsWith(':') &&
    !RESERVED.test(written)
  );
}

/** Spaces alone: to YAML other white space is text. */
function withoutEndSpaces(text: string): string {
  let to = text.length;
  while (to > 0 && text.charCodeAt(to - 1) === 32) to--;
  return text.slice(0, to);
}
