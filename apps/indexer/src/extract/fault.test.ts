import { expect, it } from 'vitest';
import { faultOf, withoutPaths } from './fault.ts';

it.each([
  ['what the parser found', new Error('End of file inside dictionary.'), 'End of file inside dictionary'],
  ['the first line alone', new Error('Bad stream\n    at Parser.parse'), 'Bad stream'],
  ['no more than that of what is no error', 'plain words\nand more', 'plain words'],
])('says %s', (_what, error, said) => {
  expect(faultOf(error)).toBe(said);
});

it.each([
  ['as it is thrown', new TypeError("Cannot read properties of undefined (reading 'length')")],
  [
    'as the parser wraps it',
    Object.assign(new Error('x is not iterable'), { details: 'TypeError: x is not iterable' }),
  ],
  ['of a size that cannot be', new RangeError('Invalid typed array length: 215701896373151100')],
])('says nothing that only the source explains: a surprise %s', (_how, error) => {
  expect(faultOf(error)).toBe('its contents make no sense');
});

it.each([
  ['Unable to load font data at: /app/node_modules/pdfjs-dist/standard_fonts/X.pfb', 'Unable to load font data at: …'],
  ["Cannot find module 'file:///app/dist/x.mjs'", "Cannot find module '…'"],
  ['Unknown filter /JPXDecode', 'Unknown filter /JPXDecode'],
])('names no place on this machine: %s', (message, said) => {
  expect(withoutPaths(message)).toBe(said);
});
