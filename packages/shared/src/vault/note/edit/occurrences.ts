/**
 * Finds a text literally in another, in time linear in both. Danger: the engine's own search takes minutes on texts
 * made for it (a long run of one letter searched for a long run with another letter in it), so this is
 * Knuth–Morris–Pratt's. A line break matches a line break, however either is written.
 */
import type { TextRange } from '../model.ts';
import { countAtMost } from '../text.ts';

/** Every place where `find` stands in `text` inside a range, from left to right, none overlapping another. */
export function occurrences(text: string, find: string, range: TextRange): TextRange[] {
  const source = text.slice(range.from, range.to);
  const returns = carriageReturns(source);
  const offset = (at: number): number => range.from + at + countAtMost(returns, at - 1);
  const wanted = find.replaceAll('\r\n', '\n');
  const found = search(returns.length === 0 ? source : source.replaceAll('\r\n', '\n'), wanted);
  return found.map((at) => ({ from: offset(at), to: offset(at + wanted.length) }));
}

/** Offsets, in the text without them, of the line feeds that had a carriage return before them. */
function carriageReturns(source: string): number[] {
  const feeds: number[] = [];
  for (let at = source.indexOf('\r\n'); at !== -1; at = source.indexOf('\r\n', at + 2)) feeds.push(at - feeds.length);
  return feeds;
}

function search(text: string, wanted: string): number[] {
  if (wanted === '' || wanted.length > text.length) return [];
  const borders = bordersOf(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched++;
    if (matched < wanted.length) continue;
    found.push(at - matched + 1);
    matched = 0;
  }
  return found;
}

/** For each beginning of the text the length of its longest proper beginning that it also ends in. */
export function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (wanted.charCodeAt(length) === unit) length++;
    borders[at] = length;
  }
  return borders;
}
