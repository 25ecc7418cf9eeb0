import { describe, expect, it } from 'vitest';
import { headerText, headerValue, percentDecoded } from './header-text.ts';

/** As Node hands a header's bytes over. */
const received = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('latin1');

describe('the text of a header', () => {
  it.each(['Über uns', '日本語', '🙂', 'plain'])('is UTF-8 where its bytes are: %s', (text) => {
    expect(headerText(received(text))).toBe(text);
  });

  it('is Latin-1 where they are not', () => {
    expect(headerText('Caf\u00e9')).toBe('Café');
  });
});

describe('a text put into a header', () => {
  it.each(['plain', '100% sure', 'Über uns', 'two\nlines', '日本語 🙂'])('goes through any client: %j', (text) => {
    const value = headerValue(text);
    expect(value).toMatch(/^[ -~]*$/);
    expect(new Headers({ 'x-vault-detail': value }).get('x-vault-detail')).toBe(value);
    expect(percentDecoded(value)).toBe(text);
  });

  it('is cut where it is long, be it in the middle of a character', () => {
    expect(headerValue('a'.repeat(2000))).toBe(`${'a'.repeat(1000)}...`);
    expect(headerValue(`${'a'.repeat(999)}🙂`)).toBe(`${'a'.repeat(999)}%EF%BF%BD...`);
  });
});

describe('percent-encoding', () => {
  it.each([
    ['%C3%9Cber%20uns', 'Über uns'],
    ['A%3A%3AB', 'A::B'],
    ['100%25', '100%'],
    ['%2541', '%41'],
    ['%f0%9f%99%82', '🙂'],
  ])('is undone once: %s', (encoded, text) => {
    expect(percentDecoded(encoded)).toBe(text);
  });

  it.each(['100% sure', '50%', '%zz', '%', 'caf%E9', '%C3', 'Über uns'])('leaves what is none: %s', (text) => {
    expect(percentDecoded(text)).toBe(text);
  });
});
