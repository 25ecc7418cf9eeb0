import { describe, expect, it } from 'vitest';
import type { Finding } from './findings.ts';
import { joinLinkFindings } from './mended-links.ts';

const finding = (code: string, line: number, more: Partial<Finding> = {}): Finding => ({
  ...{ code, severity: 'warning', path: 'x.md', line, message: `${code}.` },
  ...more,
});
const LEFT = finding('link_left', 1, { severity: 'info', message: 'A link here is left as it is: why.' });
const join = (findings: Finding[], left: Finding[], others: Finding[]) =>
  joinLinkFindings({ findings, left, written: false }, others);

describe('what doctor says of links, together', () => {
  it('names a link that can be mended once, and the others beside it all the same', () => {
    const mendable = finding('link_can_be_mended', 1, { written: '[[A]]' });
    const others = [finding('broken_link', 1, { written: '[[A]]' }), finding('broken_link', 1, { written: '[[B]]' })];
    expect(join([mendable], [], others)).toEqual([mendable, others[1]]);
  });

  it('says why a link is left where it is named anyway, and does not advise to make what was renamed', () => {
    const broken = finding('broken_link', 1, { written: '[[A]]', paste: [], fix: 'make the note "A.md"' });
    expect(join([], [LEFT], [broken])).toEqual([
      {
        ...broken,
        message: 'broken_link. A link here is left as it is: why.',
        fix: 'Correct the target, or bring the file back.',
      },
    ]);
    const offered = { ...broken, paste: ['[[A2]]'] };
    expect(join([], [LEFT], [offered])).toMatchObject([{ fix: broken.fix, paste: ['[[A2]]'] }]);
  });

  it('names what is left by itself where nothing else is said of the place', () => {
    const unread = finding('links_unread', 1);
    expect(join([], [LEFT], [finding('broken_link', 2, { written: '[[A]]' })])).toHaveLength(2);
    expect(join([], [{ ...LEFT, line: 3 }], [unread])).toEqual([unread, { ...LEFT, line: 3 }]);
  });
});
