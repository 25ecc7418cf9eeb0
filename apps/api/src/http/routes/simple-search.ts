/** `POST /search/simple/`: the Obsidian plugin's plain search, its parameter names included. */
import { parseInput } from '../../operations/input.ts';
import { simpleSearch, simpleSearchInput } from '../../operations/simple-search.ts';
import { callOf } from '../audited.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { readQuery } from '../query.ts';

const { query, context_length } = simpleSearchInput.shape;
const requestSchema = simpleSearchInput.omit({ context_length: true }).extend({ query, contextLength: context_length });

export function simpleSearchRoute(app: RoutedApp): void {
  resource(app, '/search/simple/', 'agents', {
    POST: async (c, context) => {
      const request = parseInput(requestSchema, readQuery(c, { query: 'text', contextLength: 'integer' }));
      const input = { query: request.query, context_length: request.contextLength };
      return c.json(await simpleSearch(context, callOf(c, 'simple-search', input), c.req.raw.signal));
    },
  });
}
