/** `GET /expiries`: what runs out, and when. */
import type { Hono } from 'hono';
import type { WriteContext } from '../../context.ts';
import { parseInput } from '../../operations/input.ts';
import { listExpiries, listExpiriesInput } from '../../operations/list-expiries.ts';
import { expiriesText } from '../../rendering/expiries-text.ts';
import { callOf } from '../audited.ts';
import type { HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';

export function expiriesRoute(app: Hono<HttpEnv>, context: Pick<WriteContext, 'vault' | 'config' | 'now'>): void {
  resource(app, '/expiries', {
    GET: async (c) => {
      const query = readQuery(c, { within: 'integer', untracked: 'flag', dir: 'text' });
      const list = await listExpiries(context, callOf(c, 'list-expiries', parseInput(listExpiriesInput, query)));
      return wantsJson(c) ? c.json(list) : c.text(expiriesText(list));
    },
  });
}
