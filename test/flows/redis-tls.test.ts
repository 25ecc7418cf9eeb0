/**
 * Redis behind TLS: both programs' queue over it with a private authority, and what they do and say when they cannot trust
 * who answers. Danger: a client that goes on with an unknown certificate hands the notes' text to whoever stands in between.
 */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasOpenssl, makeCertificates, type ServerCertificate } from '../support/certificates.ts';
import { hasRedisTls, startRedisServer } from '../support/redis-server.ts';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';
import { type TwoPrograms, twoPrograms } from '../support/two-programs.ts';

interface QueueState {
  readonly ok: boolean;
  readonly error: string | null;
  readonly consumers?: { readonly index: number };
}

const WITHOUT = 'skipped without openssl or a redis-server built with TLS';

describe.skipIf(!hasOpenssl || !hasRedisTls())(`Redis behind TLS (${WITHOUT})`, { timeout: 60_000 }, () => {
  let folder: TempFolder;
  let elsewhere: TempFolder;
  let certificates: ServerCertificate;
  /** Trusted as well, but made out to another name. */
  let misnamed: ServerCertificate;
  let both: TwoPrograms;
  beforeAll(async () => {
    [folder, elsewhere] = await Promise.all([createTempFolder('tls'), createTempFolder('tls-elsewhere')]);
    certificates = await makeCertificates(folder.path, 'DNS:localhost,IP:127.0.0.1');
    misnamed = await makeCertificates(elsewhere.path, 'DNS:redis.example.org');
  });
  afterEach(() => both?.close());
  afterAll(() => Promise.all([folder?.remove(), elsewhere?.remove()]));

  const begin = async (shown: ServerCertificate) => {
    both = await twoPrograms({ 'Home.md': '# Home\n\nThe chimney was swept.\n' }, () => startRedisServer([], shown));
  };
  const queue = async () => (await both.get('/readyz')).body.queue as QueueState;
  const write = () =>
    fetch(`${both.url}/vault/New.md?wait=indexed&timeout=20`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${both.server.key}` },
      body: 'About quinces.\n',
    }).then((answer) => answer.json());
  /** How much there is in Redis, as somebody sees who trusts it. */
  const held = async ({ authority }: ServerCertificate) => {
    const ca = readFileSync(authority);
    const trusting = new Redis(both.redis.url, { tls: { ca, checkServerIdentity: () => undefined } });
    const keys = await trusting.dbsize();
    trusting.disconnect();
    return keys;
  };

  it('carries the work of both programs, given the authority that signed its certificate', async () => {
    await begin(certificates);
    const trust = { NODE_EXTRA_CA_CERTS: certificates.authority };
    both.startApi(trust);
    const indexer = both.startIndexer(trust);
    await both.until(async () => (await both.get('/readyz')).status === 200, 'readiness');
    await both.until(async () => (await queue()).consumers?.index === 1, 'the indexer to take jobs');
    expect(await queue()).toMatchObject({ ok: true, error: null });
    expect(await write()).toMatchObject({ indexed: 'indexed' });
    expect(await both.search('quinces')).toContain('New.md');
    expect(await held(certificates)).toBeGreaterThan(0);
    await indexer.kill('SIGTERM');
    expect(indexer.child.exitCode).toBe(0);
    // The lease too went over it.
    expect(await indexer.errors).not.toContain('Redis is away');
  });

  it.each([
    [
      'is signed by an unknown authority',
      () => certificates,
      () => ({}),
      /certificate is not trusted \(.+\).*NODE_EXTRA_CA_CERTS/,
    ],
    [
      'is another server’s',
      () => misnamed,
      () => ({ NODE_EXTRA_CA_CERTS: misnamed.authority }),
      /does not match certificate.*127\.0\.0\.1/,
    ],
  ])('is given nothing when its certificate %s, which both programs say', async (_why, shown, trust, reason) => {
    await begin(shown());
    const api = both.startApi(trust());
    const indexer = both.startIndexer(trust());
    await both.until(async () => reason.test((await queue()).error ?? ''), 'the refusal');
    expect(await write()).toMatchObject({ indexed: 'deferred' });
    expect(await held(shown())).toBe(0);
    for (const program of [api, indexer]) {
      await program.kill('SIGTERM');
      expect(await program.errors).toMatch(reason);
    }
  });
});
