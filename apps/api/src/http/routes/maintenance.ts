/**
 * `GET` and `POST /maintenance`: makes every check; `GET /maintenance/checks` only says which there are. None of them takes
 * anything from a caller: scripts are run, and nothing of a request may reach one.
 */
import { z } from 'zod';
import type { ServedContext } from '../../context.ts';
import { describeChecks } from '../../operations/describe-checks.ts';
import { parseInput } from '../../operations/input.ts';
import { runMaintenance } from '../../operations/run-maintenance.ts';
import { checksText, maintenanceMarkdown } from '../../rendering/maintenance-text.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import type { HttpContext } from '../env.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';

const NOTHING = z.strictObject({});

export function maintenanceRoute(app: RoutedApp): void {
  const answer = async (c: HttpContext, context: ServedContext) => {
    callOf(c, 'run-maintenance', {});
    const run = await runMaintenance({ ...context, log: c.get('log') }, c.req.raw.signal);
    const markdown = maintenanceMarkdown(run);
    if (wantsJson(c)) return c.json({ ...run, markdown });
    return c.body(markdown, 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
  };
  resource(app, '/maintenance', 'operator', {
    GET: (c, context) => {
      readQuery(c, {});
      return answer(c, context);
    },
    POST: async (c, context) => {
      readQuery(c, {});
      parseInput(NOTHING, await readJson(c, { optional: true }));
      return answer(c, context);
    },
  });
  resource(app, '/maintenance/checks', 'operator', {
    GET: async (c, context) => {
      readQuery(c, {});
      callOf(c, 'describe-checks', {});
      const described = await describeChecks(context, c.req.raw.signal);
      return wantsJson(c) ? c.json(described) : c.text(checksText(described));
    },
  });
}
