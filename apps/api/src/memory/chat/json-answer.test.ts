import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonAnswer } from './json-answer.ts';

const ANSWER = { action: 'create', reason: 'no ``` in it' };
const JSON_TEXT = JSON.stringify({ action: 'create' });

describe('the answer of a chat model', () => {
  it.each([
    ['alone', JSON_TEXT],
    ['with white space around', `\n  ${JSON_TEXT}\n`],
    ['in a fence', `\`\`\`\n${JSON_TEXT}\n\`\`\``],
    ['in a fence with its language', `\`\`\`json\n${JSON_TEXT}\n\`\`\`\n`],
    ['in a fence with Windows’ line ends', `\`\`\`JSON \r\n${JSON_TEXT}\r\n\`\`\``],
  ])('is read %s', (_how, text) => {
    expect(parseJsonAnswer(text)).toEqual({ action: 'create' });
  });

  it.each([
    ['prose before it', `Here you are: ${JSON_TEXT}`],
    ['prose after it', `${JSON_TEXT}\nDone.`],
    ['prose around its fence', `Sure!\n\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['a fence in a fence', `\`\`\`\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\n\`\`\``],
    ['two fences', `\`\`\`\n${JSON_TEXT}\n\`\`\`\n\`\`\`\n${JSON_TEXT}\n\`\`\``],
    ['a fence that does not end', `\`\`\`json\n${JSON_TEXT}`],
    ['another language', `\`\`\`yaml\n${JSON_TEXT}\n\`\`\``],
    ['half of it', JSON_TEXT.slice(0, -2)],
    ['nothing', '  '],
  ])('is none with %s', (_what, text) => {
    expect(parseJsonAnswer(text)).toBeUndefined();
  });

  it('may hold a fence in its own texts', () => {
    const text = JSON.stringify(ANSWER);
    expect([parseJsonAnswer(text), parseJsonAnswer(`\`\`\`json\n${text}\n\`\`\``)]).toEqual([ANSWER, ANSWER]);
  });

  it('is read whatever it holds', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json);
        expect(parseJsonAnswer(json)).toEqual(value);
        expect(parseJsonAnswer(`\`\`\`json\n${json}\n\`\`\``)).toEqual(value);
      }),
    );
  });
});
