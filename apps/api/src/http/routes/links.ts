/** `GET /links`: what links to what, of one file or of the whole vault. */
import type { Hono } from 'hono';
import type { OperationContext } from '../../context.ts';
import { findLinks, findLinksInput } from '../../operations/find-links.ts';
import { parseInput } from '../../operations/input.ts';
import { linksText } from '../../rendering/links-text.ts';
import { callOf } from '../audited.ts';
import type { HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';

export function linksRoute(app: Hono<HttpEnv>, context: OperationContext): void {
  resource(app, '/links', {
    GET: async (c) => {
      const query = readQuery(c, { path: 'text', limit: 'integer', cursor: 'text' });
      const input = callOf(c, 'find-links', parseInput(findLinksInput, query));
      const found = await findLinks({ ...context, log: c.get('log') }, input);
      return wantsJson(c) ? c.json(found) : c.text(linksText(found));
    },
  });
}
