import { describe, expect, it } from 'vitest';
import { tidyArguments } from './tidy-arguments.ts';

describe('the arguments of a tool', () => {
  it('lose white space at both ends of what names a path', () => {
    const padded = { path: ' a b.md\n', prefix: '\tHouse ', source: ' a.md', destination: 'b.md\r\n' };
    expect(tidyArguments(padded)).toEqual({
      path: 'a b.md',
      prefix: 'House',
      source: 'a.md',
      destination: 'b.md',
    });
  });

  it('keep every blank of anything else', () => {
    const args = { content: ' text\n', find: ' a ', section: ' Heading ', count: 2, path: 7 };
    expect(tidyArguments(args)).toEqual(args);
  });

  it('are left out by null, but for a value that may be anything', () => {
    expect(tidyArguments({ path: 'a.md', expected_etag: null, wait: null, value: null })).toEqual({
      path: 'a.md',
      value: null,
    });
  });

  it('are tidied in a decision as beside it, and nowhere else inside', () => {
    const given = {
      namespace: ' Facts ',
      decision: { action: 'create', target: null, body: ' text\n' },
      frontmatter: { path: ' a ', due: null },
    };
    expect(tidyArguments(given)).toEqual({
      namespace: 'Facts',
      decision: { action: 'create', body: ' text\n' },
      frontmatter: { path: ' a ', due: null },
    });
    expect(tidyArguments({ decision: 'create' })).toEqual({ decision: 'create' });
  });

  it.each([[null], ['text'], [[' a ']], [undefined]])('are left alone when they are no object: %j', (args) => {
    expect(tidyArguments(args)).toBe(args);
  });

  it('keep a field that is named like a prototype a field', () => {
    const args = tidyArguments(JSON.parse('{"__proto__": {"path": " a "}}'));
    expect(Object.keys(args as object)).toEqual(['__proto__']);
  });
});
