/**
 * One linear pass over the text of a paragraph, heading or table cell: links, tags, and everything that hides them
 * (code spans, HTML tags and comments, `%%` comments). Danger: notes are untrusted; each construct either ends soon
 * by its own rules or remembers that its closing mark does not come, so that no input costs more than its length.
 *
 * Differs from CommonMark where vaults do: `[[…]]` and `%%` exist, and a bare `[label]` is never taken for a link,
 * since only the definition it may refer to carries a target.
 */
import { scanDestination, scanLabel, scanTitle, skipBlank } from './destinations.ts';
import type { TextRange } from './model.ts';

/** Longest wikilink looked for, in characters: a path of 255-byte segments with a heading and an alias fits. */
const MAX_WIKILINK = 2048;
/** Longest HTML tag or autolink looked for, in characters. */
const MAX_TAG = 1024;

export interface InlineLink {
  readonly kind: 'wikilink' | 'markdown';
  readonly embed: boolean;
  readonly range: TextRange;
  /** What stands between `[[` and the pipe or `]]`; or the destination without angle brackets. */
  readonly destination: TextRange;
  /** Alias or link text. */
  readonly label: TextRange | null;
}

export interface InlineScan {
  /** In the order in which they close; an image inside a link's text comes before the link. */
  readonly links: InlineLink[];
  readonly tags: TextRange[];
  /** Where a `%%` comment opens that does not close in this text; -1 when there is none. */
  readonly openComment: number;
}

interface Opener {
  readonly at: number;
  readonly image: boolean;
}

/** What `step` does something about: everything else is passed over at once. */
const NOTABLE = /[\\`<%#![\]]/g;

/**
 * Reads `text` from `start` on. All offsets in the answer are into `text`.
 * An open `%%` ends the scan: what follows it belongs to the caller, who knows whether the note closes it.
 */
export function scanInline(text: string, start = 0): InlineScan {
  // Most text holds nothing of the kind, and a scanner takes longer to make than such a text to be read.
  NOTABLE.lastIndex = start;
  return NOTABLE.test(text) ? new InlineScanner(text).run(start) : { links: [], tags: [], openComment: -1 };
}

class InlineScanner {
  private readonly text: string;
  private readonly links: InlineLink[] = [];
  private readonly tags: TextRange[] = [];
  private readonly openers: Opener[] = [];
  /** Openers below this height are switched off: a link around a link is none. */
  private inactiveBelow = 0;
  private openComment = -1;
  private backticks: Map<number, number[]> | null = null;
  /** Per closing mark: from where it was looked for last, and where it stands (-1: nowhere). */
  private readonly lookups = new Map<string, { readonly from: number; readonly found: number }>();

  constructor(text: string) {
    this.text = text;
  }

  run(start: number): InlineScan {
    for (let at = start; this.openComment === -1; ) {
      NOTABLE.lastIndex = at;
      if (!NOTABLE.test(this.text)) break;
      at = this.step(NOTABLE.lastIndex - 1);
    }
    return { links: this.links, tags: this.tags, openComment: this.openComment };
  }

  /** Handles what stands at `at`, gives where to go on. */
  private step(at: number): number {
    switch (this.text.charCodeAt(at)) {
      case 92 /* \ */:
        return at + 2;
      case 96 /* ` */:
        return this.codeSpan(at);
      case 60 /* < */:
        return this.html(at);
      case 37 /* % */:
        return this.comment(at);
      case 35 /* # */:
        return this.tag(at);
      case 33 /* ! */:
        return this.text.charCodeAt(at + 1) === 91 ? this.open(at, true) : at + 1;
      case 91 /* [ */:
        return this.open(at, false);
      case 93 /* ] */:
        return this.close(at);
      default:
        return at + 1;
    }
  }

  private codeSpan(at: number): number {
    let end = at;
    while (this.text.charCodeAt(end) === 96) end++;
    const runs = this.backtickRuns().get(end - at);
    while (runs !== undefined && runs.length > 0 && (runs.at(-1) ?? 0) < end) runs.pop();
    const closing = runs?.at(-1);
    return closing === undefined ? end : closing + (end - at);
  }

  /** Start offsets of the text's backtick runs by their length, last first, so that passed ones pop off. */
  private backtickRuns(): Map<number, number[]> {
    if (this.backticks !== null) return this.backticks;
    const runs = new Map<number, number[]>();
    for (let at = this.text.indexOf('`'); at !== -1; ) {
      let end = at;
      while (this.text.charCodeAt(end) === 96) end++;
      const sameLength = runs.get(end - at);
      if (sameLength === undefined) runs.set(end - at, [at]);
      else sameLength.push(at);
      at = this.text.indexOf('`', end);
    }
    for (const starts of runs.values()) starts.reverse();
    this.backticks = runs;
    return runs;
  }

  private html(at: number): number {
    if (this.text.startsWith('<!--', at)) {
      if (this.text.startsWith('>', at + 4)) return at + 5;
      if (this.text.startsWith('->', at + 4)) return at + 6;
      const end = this.find('-->', at + 4);
      return end === -1 ? at + 1 : end + 3;
    }
    const close = this.find('>', at);
    if (close === -1 || close - at > MAX_TAG) return at + 1;
    const length = htmlLength(this.text.slice(at, at + MAX_TAG));
    return length === 0 ? at + 1 : at + length;
  }

  private comment(at: number): number {
    if (this.text.charCodeAt(at + 1) !== 37) return at + 1;
    const end = this.find('%%', at + 2);
    if (end === -1) {
      this.openComment = at;
      return at + 2;
    }
    return end + 2;
  }

  /** A tag begins the text, follows white space, or follows another tag directly. */
  private tag(at: number): number {
    const follows = at === 0 || this.tags.at(-1)?.to === at || /\s/.test(this.text.charAt(at - 1));
    if (!follows) return at + 1;
    const end = tagEnd(this.text, at + 1);
    if (end === at + 1) return end;
    if (/[^\d/]/.test(this.text.slice(at + 1, end))) this.tags.push({ from: at, to: end });
    return end;
  }

  private open(at: number, image: boolean): number {
    const bracket = image ? at + 1 : at;
    if (this.text.charCodeAt(bracket + 1) === 91) {
      const link = scanWikilink(this.text, at, bracket + 2);
      if (link !== null) return this.addLink(link);
    }
    this.openers.push({ at, image });
    return bracket + 1;
  }

  private close(at: number): number {
    const opener = this.openers.pop();
    const active = opener !== undefined && (opener.image || this.openers.length >= this.inactiveBelow);
    this.inactiveBelow = Math.min(this.inactiveBelow, this.openers.length);
    if (!active || opener === undefined) return at + 1;
    const next = this.text.charCodeAt(at + 1);
    if (next === 91 /* [ */) return this.skipReference(at + 1);
    const target = next === 40 /* ( */ ? scanTarget(this.text, at + 2) : null;
    if (target === null) return at + 1;
    return this.addLink({
      kind: 'markdown',
      embed: opener.image,
      range: { from: opener.at, to: target.end },
      destination: target.range,
      label: { from: opener.at + (opener.image ? 2 : 1), to: at },
    });
  }

  /** `[text][label]`: the label is not text; what it refers to is the definition's business. */
  private skipReference(at: number): number {
    if (this.text.charCodeAt(at + 1) === 91) return at;
    const end = scanLabel(this.text, at);
    return end === -1 || this.text.charCodeAt(end) === 40 ? at : end;
  }

  private addLink(link: InlineLink): number {
    this.links.push(link);
    if (!link.embed) this.inactiveBelow = this.openers.length;
    return link.range.to;
  }

  /** indexOf that looks through every stretch of the text once, however often it is asked. */
  private find(mark: string, from: number): number {
    const last = this.lookups.get(mark);
    if (last !== undefined && from >= last.from && (last.found === -1 || from <= last.found)) return last.found;
    const found = this.text.indexOf(mark, from);
    this.lookups.set(mark, { from, found });
    return found;
  }
}

/** `destination "title")` after the opening parenthesis; null when that is not what stands there. */
function scanTarget(text: string, from: number): { range: TextRange; end: number } | null {
  const start = skipBlank(text, from);
  if (text.charCodeAt(start) === 41 /* ) */) return { range: { from: start, to: start }, end: start + 1 };
  const destination = scanDestination(text, start);
  if (destination === null) return null;
  let end = skipBlank(text, destination.end);
  if (end > destination.end) {
    const title = scanTitle(text, end);
    if (title !== -1) end = skipBlank(text, title);
  }
  return text.charCodeAt(end) === 41 ? { range: destination.range, end: end + 1 } : null;
}

/** A wikilink whose content starts at `from`; `at` is where the link itself starts. */
function scanWikilink(text: string, at: number, from: number): InlineLink | null {
  const limit = Math.min(text.length, from + MAX_WIKILINK);
  let end = from;
  while (end < limit && !endsWikiTarget(text.charCodeAt(end))) end++;
  if (text.charCodeAt(end) !== 124 /* | */) return closesWikilink(text, end) ? wikilink(text, at, from, -1, end) : null;
  const pipe = end;
  // An alias may hold brackets, as long as they pair.
  let bracketsOpen = 0;
  for (end = pipe + 1; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (code === 10 || (code === 91 && text.charCodeAt(end + 1) === 91)) return null;
    if (code === 93 && bracketsOpen === 0 && closesWikilink(text, end)) return wikilink(text, at, from, pipe, end);
    if (code === 91) bracketsOpen++;
    else if (code === 93) bracketsOpen = Math.max(0, bracketsOpen - 1);
  }
  return null;
}

/** A line break, bracket or pipe. */
function endsWikiTarget(code: number): boolean {
  return code === 10 || code === 91 || code === 93 || code === 124;
}

function closesWikilink(text: string, at: number): boolean {
  return text.charCodeAt(at) === 93 && text.charCodeAt(at + 1) === 93;
}

function wikilink(text: string, at: number, from: number, pipe: number, to: number): InlineLink | null {
  // Inside tables the pipe is written `\|`; the backslash belongs to neither side.
  const escaped = pipe > from && text.charCodeAt(pipe - 1) === 92;
  const destination = trimRange(text, { from, to: pipe === -1 ? to : escaped ? pipe - 1 : pipe });
  if (destination.from === destination.to) return null;
  return {
    kind: 'wikilink',
    embed: text.charCodeAt(at) === 33,
    range: { from: at, to: to + 2 },
    destination,
    label: pipe === -1 ? null : { from: pipe + 1, to },
  };
}

/** The range without white space at its ends; an empty one stays where it began. */
export function trimRange(text: string, range: TextRange): TextRange {
  let { from, to } = range;
  while (to > from && /\s/.test(text.charAt(to - 1))) to--;
  while (from < to && /\s/.test(text.charAt(from))) from++;
  return { from, to };
}

/** Length of the HTML tag or autolink a text starts with; 0 when it starts with neither. */
function htmlLength(text: string): number {
  const autolink = /^<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9][a-z0-9.-]*)>/i.exec(text);
  if (autolink !== null) return autolink[0].length;
  const tag =
    /^<(?:\/[a-z][a-z0-9-]*\s*|[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>/i;
  return tag.exec(text)?.[0].length ?? 0;
}

const TAG_CHARACTERS = /(?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_\-/]|\u200d|\ufe0f){1,256}/uy;

/** End of the tag name that starts at `from`; `from` itself when none does. */
function tagEnd(text: string, from: number): number {
  TAG_CHARACTERS.lastIndex = from;
  return from + (TAG_CHARACTERS.exec(text)?.[0].length ?? 0);
}
