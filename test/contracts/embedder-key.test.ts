// Where an embedder's key goes, and that nobody gets to read it.
import { createLogger } from '@vault-mcp/shared/log';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startFakeOllama } from '../support/fake-ollama.ts';
import { embedderSuite, remoteEmbedder, remoteSettings, status, texts } from '../support/remote-embedder.ts';

const suite = embedderSuite();

describe('the key', () => {
  const remote = { provider: 'openai', model: 'm', dims: 768 } as const;

  test('is sent as a bearer token, also to a redirecting server, but never to where it redirects', async () => {
    const elsewhere = await startFakeOllama();
    suite.server.misbehave = () => status(307, { headers: { location: `${elsewhere.url}/embeddings` } });
    const embedder = await suite.embedderWith({ ...remote, api_key: 'sk-secret' });
    await expect(embedder.embedDocuments(['a'])).rejects.toMatchObject({ kind: 'configuration' });
    expect(suite.server.requests[0]?.headers.authorization).toBe('Bearer sk-secret');
    expect([...elsewhere.requests, ...elsewhere.others]).toEqual([]);
    await elsewhere.close();
  });

  test('is required for openai away from this machine, and never for the default address', async () => {
    await expect(suite.embedderWith({ ...remote, ollama_url: 'https://api.example.com/v1' })).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('EMBED_API_KEY'),
    });
    await expect(
      suite.embedderWith({ ...remote, ollama_url: 'http://ollama:11434/v1', api_key: 'k' }),
    ).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('OLLAMA_URL'),
    });
  });

  test('goes to no host but the configured one, whatever is answered', async () => {
    const hosts = new Set<string>();
    const recording: typeof fetch = (input, init) => {
      hosts.add(new URL(String(input)).host);
      return fetch(input, init);
    };
    for (const bad of [
      null,
      status(307, { headers: { location: 'http://example.com/' } }),
      status(400),
      { kind: 'reset' } as const,
    ]) {
      suite.server.misbehave = () => bad;
      const embedder = await suite.embedderWith({ api_key: 'sk-secret' }, { fetch: recording });
      await embedder.embedDocuments(texts(2)).catch(() => undefined);
      await embedder.embedQuery('a').catch(() => undefined);
    }
    expect([...hosts]).toEqual([new URL(suite.server.url).host]);
  });

  test('appears in no error, outcome, health or log line, even where the server echoes it', async () => {
    const key = fc.string({ unit: fc.constantFrom(...'ABCDEFghijk0123456789-_'), minLength: 8, maxLength: 40 });
    const code = fc.constantFrom(400, 401, 403, 404, 413, 422, 429, 500, 503);
    const written: string[] = [];
    const logger = createLogger({
      name: 'test',
      level: 'trace',
      destination: { write: (line: string) => written.push(line) },
    });
    await fc.assert(
      fc.asyncProperty(key, code, fc.boolean(), async (secret, answer, masked) => {
        const echoed = masked ? `${secret.slice(0, 4)}****${secret.slice(-4)}` : secret;
        suite.server.misbehave = (all) =>
          all.includes('ok') ? null : status(answer, { body: { error: { message: `bad key ${echoed}` } } });
        const embedder = await remoteEmbedder(
          remoteSettings(suite.server, { ...remote, api_key: secret, max_attempts: 1 }),
          {
            logger,
          },
        );
        const said = [
          await embedder.embedDocuments(['a']).catch((error: Error) => describeWhole(error)),
          await embedder.embedQuery('a').catch((error: Error) => describeWhole(error)),
          embedder.health(),
          written,
        ];
        expect(JSON.stringify(said)).not.toContain(echoed);
        await embedder.close();
      }),
      { numRuns: 60 },
    );
  });
});

/** Message, stack and causes: all of an error that could reach a log. */
function describeWhole(error: Error): unknown {
  return {
    ...error,
    message: error.message,
    stack: error.stack,
    cause: error.cause instanceof Error ? describeWhole(error.cause) : error.cause,
  };
}
