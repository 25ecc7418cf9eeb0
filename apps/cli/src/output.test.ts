import { afterEach, describe, expect, it, vi } from 'vitest';
import { answer, remark } from './output.ts';

afterEach(() => vi.restoreAllMocks());

/** What `say` writes to a stream. */
function written(stream: NodeJS.WriteStream, say: () => void): string {
  const write = vi.spyOn(stream, 'write').mockReturnValue(true);
  say();
  return write.mock.calls.map(([text]) => text).join('');
}

describe('what a command says', () => {
  it('shows commands to the terminal that a note holds, rather than sending them', () => {
    const text = 'a line\n\tanother\x1b]0;title\x07\n';
    expect(written(process.stdout, () => answer(false, {}, () => text))).toBe('a line\n\tanother␛]0;title␇\n');
    expect(written(process.stderr, () => remark('Serving \x1b[2J'))).toBe('Serving ␛[2J\n');
  });

  it('is one line of JSON when asked for, escaped as JSON does', () => {
    expect(written(process.stdout, () => answer(true, { path: 'a\x1b\nb' }, () => ''))).toBe(
      '{"path":"a\\u001b\\nb"}\n',
    );
  });
});
