import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { Callers } from '../callers.ts';
import type { HttpEnv } from './env.ts';
import { CHALLENGE_HEADER, isProof, newNonce, PROOF_HEADER, proofOf } from './instance-proof.ts';
import { healthRoute } from './routes/probes.ts';

async function answerTo(challenge: string | undefined, secret?: string) {
  const app = new Hono<HttpEnv>();
  healthRoute({ hono: app, callers: {} as Callers, classes: new Map() }, secret);
  const headers = challenge === undefined ? {} : { [CHALLENGE_HEADER]: challenge };
  const answer = await app.request('/healthz', { headers });
  return { body: await answer.text(), proof: answer.headers.get(PROOF_HEADER) };
}

describe('the proof of being one server and no other', () => {
  it('is given by the liveness probe to whoever asks with a challenge', async () => {
    const [secret, challenge] = [newNonce(), newNonce()];
    const { body, proof } = await answerTo(challenge, secret);
    expect(body).toBe('ok');
    expect(isProof(proof, secret, challenge)).toBe(true);
  });

  it('is not given by another server, nor for another challenge', async () => {
    const [secret, challenge] = [newNonce(), newNonce()];
    const { proof } = await answerTo(challenge, newNonce());
    expect(isProof(proof, secret, challenge)).toBe(false);
    expect(isProof(proofOf(secret, newNonce()), secret, challenge)).toBe(false);
    expect(isProof(null, secret, challenge)).toBe(false);
    expect(isProof('', secret, '')).toBe(false);
  });

  it.each([[undefined], ['short'], ['x'.repeat(129)], ['a b'.repeat(10)]])(
    'is not given where none was asked for: %j',
    async (challenge) => {
      expect(await answerTo(challenge, newNonce())).toEqual({ body: 'ok', proof: null });
    },
  );

  it('is not given by a server without a record', async () => {
    expect(await answerTo(newNonce())).toEqual({ body: 'ok', proof: null });
  });
});
