import { describe, expect, it } from 'vitest';
import { bumpTimestamp } from './timestamp.ts';

const NOW = new Date('2024-05-01T10:11:12.345Z');
const bump = (text: string, key = 'timestamp') => bumpTimestamp(text, key, NOW);

describe('the timestamp', () => {
  it('is set in UTC to the second, over one that is there', () => {
    expect(bump('---\ntimestamp: 2020-01-01 # when\ntitle: x\n---\nbody')).toEqual({
      text: '---\ntimestamp: 2024-05-01T10:11:12Z # when\ntitle: x\n---\nbody',
      timestamp: { bumped: true },
    });
  });

  it('is added in the conventional place', () => {
    expect(bump('---\ntitle: x\nmine: 1\n---\n').text).toBe(
      '---\ntitle: x\ntimestamp: 2024-05-01T10:11:12Z\nmine: 1\n---\n',
    );
    expect(bump('---\ntitle: x\n---\n', 'modified').text).toBe('---\ntitle: x\nmodified: 2024-05-01T10:11:12Z\n---\n');
  });

  it.each([
    ['no block', 'body\n', 'timestamp', /no frontmatter block/],
    ['a block that cannot be read', '---\na: [\n---\n', 'timestamp', /cannot be read: line 3/],
    ['a block no line can be added to', '---\n{a: 1}\n---\n', 'timestamp', /written as one/],
    ['no key to set', '---\na: 1\n---\n', '', /no timestamp key/],
  ])('is left alone, with the reason: %s', (_what, text, key, reason) => {
    const outcome = bump(text, key);
    expect(outcome.text).toBe(text);
    expect(outcome.timestamp).toEqual({ bumped: false, reason: expect.stringMatching(reason) });
  });
});
