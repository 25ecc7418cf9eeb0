/** `GET /expiries`: what runs out, and when. */
import { parseInput } from '../../operations/input.ts';
import { listExpiries, listExpiriesInput } from '../../operations/list-expiries.ts';
import { expiriesText } from '../../rendering/expiries-text.ts';
import { callOf } from '../audited.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';

export function expiriesRoute(app: RoutedApp): void {
  resource(app, '/expiries', 'agents', {
    GET: async (c, context) => {
      const query = readQuery(c, { within: 'integer', untracked: 'flag', dir: 'text' });
      const list = await listExpiries(context, callOf(c, 'list-expiries', parseInput(listExpiriesInput, query)));
      return wantsJson(c) ? c.json(list) : c.text(expiriesText(list));
    },
  });
}
