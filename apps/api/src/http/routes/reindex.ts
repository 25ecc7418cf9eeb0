/** `POST /reindex`: asks the indexer to reconcile, or to build the index anew. */
import { parseInput } from '../../operations/input.ts';
import { reindex, reindexInput } from '../../operations/reindex.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { readQuery } from '../query.ts';

export function reindexRoute(app: RoutedApp): void {
  resource(app, '/reindex', 'operator', {
    POST: async (c, context) => {
      readQuery(c, {});
      const input = parseInput(reindexInput, await readJson(c, { optional: true }));
      return c.json(await reindex({ ...context, log: c.get('log') }, callOf(c, 'reindex', input)));
    },
  });
}
