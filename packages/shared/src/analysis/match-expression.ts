/**
 * Query terms as an FTS5 MATCH expression. Danger: FTS5 has a query language of its own; every string is quoted
 * here, so that nothing a caller writes is ever syntax.
 */
import type { QueryTerm } from './query-terms.ts';

/**
 * `any`: a chunk with any of it (an identifier's parts too, longer than one character, so that `src/vault/path.ts`
 * finds `path.ts`; the whole and the phrase outweigh them). `all`: only chunks that hold every term, an identifier's
 * tokens standing together in order.
 */
export type MatchMode = 'any' | 'all';

/** @returns undefined when there is nothing to ask for (an empty MATCH is an error in FTS5) */
export function matchExpression(terms: readonly QueryTerm[], mode: MatchMode): string | undefined {
  const asked = mode === 'all' ? terms.map(held) : terms.flatMap(alternatives);
  const expressions = [...new Set(asked)].filter((expression) => expression !== '');
  return expressions.length === 0 ? undefined : expressions.join(mode === 'all' ? ' AND ' : ' OR ');
}

/** The phrases of such an expression, one each time it stands there, as their terms. */
export function phrasesOf(expression: string): string[][] {
  return [...expression.matchAll(/"((?:[^"]|"")*)"/g)].map(([, text = '']) => text.replaceAll('""', '"').split(' '));
}

function held(term: QueryTerm): string {
  return quote(term.phrase);
}

function alternatives(term: QueryTerm): string[] {
  if (term.phrase.length < 2) return [held(term)];
  const parts = term.identifier ? term.phrase.filter((part) => part.length > 1) : [];
  const whole = term.term.includes(' ') ? [] : [quote([term.term])];
  return [...whole, quote(term.phrase), ...parts.map((part) => quote([part]))];
}

/** One FTS5 string: the terms as a phrase, quotes doubled, NUL (which would end the string) taken out. */
function quote(phrase: readonly string[]): string {
  const text = phrase.join(' ').replaceAll('\0', '').trim();
  return text === '' ? '' : `"${text.replaceAll('"', '""')}"`;
}
