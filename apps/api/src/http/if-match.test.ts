import { describe, expect, it } from 'vitest';
import { conditionsOf, etagIn } from './if-match.ts';

const given = (headers: Record<string, string>) => (name: string) => headers[name];
const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) });

describe('If-Match', () => {
  it.each([
    ['"abc"', 'abc'],
    ['abc', 'abc'],
    [' "abc" ', 'abc'],
    ['*', '*'],
  ])('%s asks for %s', (value, etag) => {
    expect(conditionsOf(given({ 'if-match': value }))).toEqual({ expected_etag: etag });
  });

  it.each(['', '""', '"a", "b"', 'a,b', '"a" "b"', 'a b', '"a', 'a"'])('takes one etag, not %j', (value) => {
    expect(() => conditionsOf(given({ 'if-match': value }))).toThrow(refusal(/If-Match takes one etag/));
  });

  it.each(['W/"abc"', 'w/"abc"', 'W/abc'])('takes no weak one: %s', (value) => {
    expect(() => etagIn(value, 'ifMatch')).toThrow(refusal(/^ifMatch takes .*without "W\/"/));
  });
});

describe('If-None-Match', () => {
  it('asks for nothing to be there, where a note can be made', () => {
    expect(conditionsOf(given({ 'if-none-match': '*' }), { mayCreate: true })).toEqual({ must_not_exist: true });
    expect(() => conditionsOf(given({ 'if-none-match': '*' }))).toThrow(refusal(/for PUT/));
  });

  it('names no version', () => {
    expect(() => conditionsOf(given({ 'if-none-match': '"abc"' }), { mayCreate: true })).toThrow(refusal(/only \*/));
  });
});

describe('conditions', () => {
  it('may be left out', () => {
    expect(conditionsOf(given({}))).toEqual({});
  });

  it.each(['if-unmodified-since', 'if-range', 'content-range'])('that cannot be kept are refused: %s', (name) => {
    expect(() => conditionsOf(given({ [name]: 'x' }))).toThrow(refusal(new RegExp(`${name}: send If-Match`)));
  });
});
