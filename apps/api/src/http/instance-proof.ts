/**
 * How a server proves, before anybody shows it a key, that it is the one that wrote `server.json`: it answers a
 * challenge with the secret that stands in that file. Pure. Danger: a killed server's port may since belong to another
 * program; whoever sent the key there to find out would have given it away. The secret is random and of one start, so
 * answering challenges of strangers tells them nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** On a request to `/healthz`. */
export const CHALLENGE_HEADER = 'X-Vault-Challenge';
/** On its answer. */
export const PROOF_HEADER = 'X-Vault-Proof';

const CHALLENGE = /^[\w-]{16,128}$/;

/** A new secret or challenge: 256 random bits. */
export function newNonce(): string {
  return randomBytes(32).toString('base64url');
}

/** @returns null for what is no challenge */
export function proofOf(secret: string, challenge: string): string | null {
  if (!CHALLENGE.test(challenge)) return null;
  return createHmac('sha256', secret).update(challenge).digest('base64url');
}

/** Whether an answer's proof is the one that only a holder of the secret can give. */
export function isProof(proof: string | null, secret: string, challenge: string): boolean {
  const expected = Buffer.from(proofOf(secret, challenge) ?? '');
  const given = Buffer.from(proof ?? '');
  return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected);
}
