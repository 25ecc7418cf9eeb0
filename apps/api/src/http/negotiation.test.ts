import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { HttpEnv } from './env.ts';
import { matchesEtag, wantsJson } from './negotiation.ts';

const app = new Hono<HttpEnv>();
app.get('/', (c) => c.text(wantsJson(c) ? 'json' : 'text'));
const answerTo = async (accept?: string) =>
  (await app.request('/', { headers: accept === undefined ? {} : { accept } })).text();

describe('content negotiation', () => {
  it.each([
    ['application/json', 'json'],
    ['application/vnd.olrapi.note+json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['text/markdown;q=0.5, application/json', 'json'],
    ['text/markdown', 'text'],
    ['text/plain, application/json;q=0.4', 'text'],
    ['application/json;q=0', 'text'],
    ['*/*', 'text'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text'],
    ['nonsense', 'text'],
  ])('answers %s with %s', async (accept, expected) => {
    expect(await answerTo(accept)).toBe(expected);
  });

  it('answers text to a caller that states no preference', async () => {
    expect(await answerTo()).toBe('text');
  });
});

describe('If-None-Match', () => {
  it('matches the tag, weak or in a list, and the star', () => {
    for (const header of ['"abc"', 'W/"abc"', '"x", "abc"', '*']) expect(matchesEtag(header, 'abc')).toBe(true);
  });

  it('does not match another tag, an unquoted one, or nothing', () => {
    for (const header of ['"abcd"', 'abc', '', undefined]) expect(matchesEtag(header, 'abc')).toBe(false);
  });
});
