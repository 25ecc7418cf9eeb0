/** `POST /reindex`: asks the indexer to reconcile, or to build the index anew. */
import type { Hono } from 'hono';
import type { OperationContext } from '../../context.ts';
import { parseInput } from '../../operations/input.ts';
import { reindex, reindexInput } from '../../operations/reindex.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import type { HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';
import { readQuery } from '../query.ts';

export function reindexRoute(app: Hono<HttpEnv>, context: OperationContext): void {
  resource(app, '/reindex', {
    POST: async (c) => {
      readQuery(c, {});
      const input = parseInput(reindexInput, await readJson(c, { optional: true }));
      return c.json(await reindex({ ...context, log: c.get('log') }, callOf(c, 'reindex', input)));
    },
  });
}
