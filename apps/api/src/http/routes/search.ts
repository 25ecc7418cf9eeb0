/** `GET` and `POST /search`: the same question as a query string or as JSON, where the query goes by `q`. */
import type { Hono } from 'hono';
import type { OperationContext } from '../../context.ts';
import { parseInput } from '../../operations/input.ts';
import { search, searchInput } from '../../operations/search.ts';
import { searchText } from '../../rendering/search-text.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import type { HttpContext, HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';
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

export function searchRoute(app: Hono<HttpEnv>, context: OperationContext): void {
  const answer = async (c: HttpContext, request: unknown) => {
    const { q, ...rest } = parseInput(requestSchema, request);
    const found = await search({ ...context, log: c.get('log') }, callOf(c, 'search', { ...rest, query: q }));
    return wantsJson(c) ? c.json(found) : c.text(searchText(found));
  };
  resource(app, '/search', {
    GET: (c) => answer(c, readQuery(c, QUERY)),
    POST: async (c) => {
      readQuery(c, {});
      return answer(c, await readJson(c));
    },
  });
}
