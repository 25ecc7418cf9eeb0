/**
 * `/healthz` says that the process answers and depends on nothing; `/readyz` says whether what it serves is whole,
 * in the same body on 200 and 503, so that whoever is told "no" is also told why.
 */
import { type About, readStatus } from '../../operations/status.ts';
import { CHALLENGE_HEADER, PROOF_HEADER, proofOf } from '../instance-proof.ts';
import { type RoutedApp, resource } from '../methods.ts';

/** @param instanceSecret with it the probe also answers challenges, see instance-proof.ts */
export function healthRoute(app: RoutedApp, instanceSecret?: string): void {
  resource(app, '/healthz', 'anyone', {
    GET: (c) => {
      const challenge = c.req.header(CHALLENGE_HEADER);
      const proof = instanceSecret && challenge ? proofOf(instanceSecret, challenge) : null;
      if (proof !== null) c.header(PROOF_HEADER, proof);
      return c.text('ok');
    },
  });
}

export function readinessRoute(app: RoutedApp, about: About): void {
  resource(app, '/readyz', 'operator', {
    GET: async (c, context) => {
      const status = await readStatus(context, about);
      return c.json(status, status.status === 'ready' ? 200 : 503);
    },
  });
}
