/** `GET` and `POST /search`: the same question as a query string or as JSON, where the query goes by `q`. */
import type { ServedContext } from '../../context.ts';
import { parseInput } from '../../operations/input.ts';
import { search, searchInput } from '../../operations/search.ts';
import { searchText } from '../../rendering/search-text.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import type { HttpContext } from '../env.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';

const requestSchema = searchInput.omit({ query: true }).extend({ q: searchInput.shape.query });

const QUERY = {
  q: 'text',
  k: 'number',
  prefix: 'text',
  type: 'text',
  tag: 'text',
  kind: 'text',
  include_superseded: 'flag',
  distance_ceiling: 'number',
  bm25_ceiling: 'number',
  expand_links: 'flag',
  explain: 'flag',
} as const;

export function searchRoute(app: RoutedApp): void {
  const answer = async (c: HttpContext, context: ServedContext, request: unknown) => {
    const { q, ...rest } = parseInput(requestSchema, request);
    const found = await search({ ...context, log: c.get('log') }, callOf(c, 'search', { ...rest, query: q }));
    return wantsJson(c) ? c.json(found) : c.text(searchText(found));
  };
  resource(app, '/search', 'agents', {
    GET: (c, context) => answer(c, context, readQuery(c, QUERY)),
    POST: async (c, context) => {
      readQuery(c, {});
      return answer(c, context, await readJson(c));
    },
  });
}
