import { BaseUrlError } from '@vault-mcp/shared/remote/base-url';
import { CallFailure } from '@vault-mcp/shared/remote/json-call';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatReply, type FakeChat, startFakeChat } from '../../../../../test/support/fake-chat.ts';
import type { ChatModel, ChatTime } from '../ports.ts';
import { ChatAnswerError, type ChatDeps, type ChatSettings, createChatModel } from './chat-model.ts';
import { chatTime } from './chat-time.ts';

const KEY = 'sk-Zq7wR2mXv9Lk4TpB';
const MESSAGES = [{ role: 'user', content: 'What becomes of it?' }] as const;
const EMBEDDING = { ollama_url: 'http://ollama:11434/v1' };

let server: FakeChat;
beforeEach(async () => {
  server = await startFakeChat();
});
afterEach(() => server.close());

function modelAt(change: Partial<ChatSettings> = {}, deps: ChatDeps = {}): ChatModel {
  const chat = createChatModel({ model: 'llama', url: server.url, api_key: KEY, ...change }, EMBEDDING, deps);
  if (chat === null) throw new Error('A model was set.');
  return chat;
}

function ask(
  chat = modelAt(),
  options: { maxChars?: number; time?: ChatTime; signal?: AbortSignal } = {},
): Promise<string> {
  const signal = new AbortController().signal;
  return chat.ask(MESSAGES, { maxChars: 1_000, time: chatTime(20), signal, ...options });
}

async function failureOf(reply: ChatReply, deps: ChatDeps = {}, seconds = 20): Promise<unknown> {
  server.reply = () => reply;
  return ask(modelAt({}, deps), { time: chatTime(seconds) }).then(
    (text) => `answered ${text}`,
    (error: unknown) => error,
  );
}

describe('a chat model', () => {
  it('is asked once, in the way every compatible server takes, and answers what it says', async () => {
    server.reply = () => ({ kind: 'says', content: 'Let it be filed.' });
    expect(await ask()).toBe('Let it be filed.');
    expect(server.asked).toMatchObject([{ path: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } }]);
    expect(server.asked[0]?.body).toEqual({ model: 'llama', messages: MESSAGES, temperature: 0, stream: false });
  });

  it('is where the embedder is unless it has an address of its own, and gets no key when there is none', async () => {
    const chat = createChatModel({ model: 'llama', url: null, api_key: null }, { ollama_url: `${server.url}/` });
    await ask(chat as ChatModel);
    expect(server.asked[0]?.path).toBe('/v1/chat/completions');
    expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('keeps the query that some services need, and shows it to nobody', async () => {
    const chat = modelAt({ url: `${server.url}?api-version=7&code=hunter2` });
    await ask(chat);
    expect(server.asked[0]?.path).toBe('/v1/chat/completions?api-version=7&code=hunter2');
    expect(chat.shown).toBe(`llama at ${server.url}`);
  });

  it('is none without a name', () => {
    expect(createChatModel({ model: null, url: server.url, api_key: KEY }, EMBEDDING)).toBeNull();
  });

  it('is refused at an address with a password, by the setting it came from', () => {
    const attempt = () => modelAt({ url: 'http://me:hunter2@127.0.0.1/v1' });
    expect(attempt).toThrow(BaseUrlError);
    expect(attempt).toThrow('GATE_URL (gate.url)');
    expect(attempt).not.toThrow(/hunter2/);
  });
});

describe('no answer', () => {
  it.each<[string, ChatReply, RegExp, string]>([
    ['a refused key', { kind: 'status', status: 401 }, /answered 401$/, 'configuration'],
    ['an unknown model', { kind: 'status', status: 404 }, /answered 404: no$/, 'configuration'],
    ['too many calls', { kind: 'status', status: 429 }, /answered 429: no$/, 'transient'],
    ['a defect of the server', { kind: 'status', status: 500 }, /answered 500: no$/, 'transient'],
    [
      'a redirect',
      { kind: 'status', status: 307, headers: { location: 'http://127.0.0.9/' } },
      /GATE_URL/,
      'configuration',
    ],
    ['no JSON', { kind: 'text', text: '<html>' }, /not JSON/, 'transient'],
    ['a connection that ends', { kind: 'dead' }, /cannot be reached/, 'transient'],
    ['half an answer', { kind: 'half-then-dead', content: 'x'.repeat(200) }, /cannot be reached/, 'transient'],
  ])('comes with %s', async (_what, reply, message, kind) => {
    const failure = await failureOf(reply);
    expect(failure).toBeInstanceOf(CallFailure);
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(server.asked).toHaveLength(1);
  });

  it.each<[string, ChatReply]>([
    ['a server that takes the call and says nothing', { kind: 'slow' }],
    ['one that says a character at a time', { kind: 'drip' }],
  ])('comes in time of %s', async (_what, reply) => {
    const failure = await failureOf(reply, {}, 0.15);
    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('within 0.15 s') });
  });

  it('comes of 100 MB, most of which nobody reads', async () => {
    const bytes = 100 * 1024 * 1024;
    expect(await failureOf({ kind: 'endless', bytes })).toMatchObject({
      message: 'The chat model answered far more than was asked for.',
    });
    expect(server.sent).toBeLessThan(bytes / 2);
  });

  it('comes of a server that is gone', async () => {
    const chat = modelAt();
    await server.close();
    await expect(ask(chat)).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is waited for no longer than its caller lives', async () => {
    const stop = new AbortController();
    server.reply = () => {
      queueMicrotask(() => stop.abort());
      return { kind: 'slow' };
    };
    await expect(ask(modelAt(), { signal: stop.signal })).rejects.toMatchObject({ kind: 'aborted' });
  });
});

describe('an answer without a whole text', () => {
  it.each<[string, ChatReply, RegExp]>([
    ['an error under 200', { kind: 'json', body: { error: { message: 'model is loading' } } }, /no text/],
    ['no choices', { kind: 'json', body: { choices: [] } }, /no text/],
    ['null', { kind: 'json', body: null }, /no text/],
    ['a list in place of the text', { kind: 'says', content: [{ type: 'text', text: 'x' }] }, /no text/],
    ['no content, but a call of a tool', { kind: 'says', content: null, finishReason: 'tool_calls' }, /no text/],
    ['a text that was cut off', { kind: 'says', content: '{}', finishReason: 'length' }, /cut off/],
    ['too long a text', { kind: 'says', content: 'x'.repeat(1_001) }, /more than 1000 characters/],
  ])('is told apart from none: %s', async (_what, reply, message) => {
    const failure = await failureOf(reply);
    expect(failure).toBeInstanceOf(ChatAnswerError);
    expect(failure).toMatchObject({ message: expect.stringMatching(message) });
  });
});

describe('the key', () => {
  it('goes to no host but the configured one, whatever is answered', async () => {
    const hosts = new Set<string>();
    const recording: typeof fetch = (input, init) => {
      hosts.add(new URL(String(input)).host);
      return fetch(input, init);
    };
    const elsewhere = { location: 'http://127.0.0.9:1/v1' };
    for (const status of [200, 301, 307, 308, 401, 500]) {
      await failureOf({ kind: 'status', status, headers: elsewhere }, { fetch: recording });
    }
    expect([...hosts]).toEqual([new URL(server.url).host]);
  });

  it('stands in no error and no answer, even where the server echoes it', async () => {
    const key = fc.string({ unit: fc.constantFrom(...'ABCDEFghijk0123456789-_'), minLength: 16, maxLength: 40 });
    const status = fc.constantFrom(200, 400, 401, 403, 404, 422, 429, 500);
    await fc.assert(
      fc.asyncProperty(key, status, async (secret, code) => {
        server.reply = () => ({ kind: 'echo-key', status: code });
        const failure: unknown = await ask(modelAt({ api_key: secret })).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(Error);
        const { message, stack, cause } = failure as Error;
        expect(JSON.stringify([message, stack, String(cause), failure])).not.toContain(secret);
      }),
      { numRuns: 40 },
    );
  });

  it('may be a word that answers hold, where it is none of a secret’s length', async () => {
    server.reply = () => ({ kind: 'says', content: 'Ollama is a key of some.' });
    expect(await ask(modelAt({ api_key: 'Ollama' }))).toContain('Ollama');
  });
});
