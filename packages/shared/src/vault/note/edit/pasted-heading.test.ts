import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { parseNote } from '../parse.ts';
import type { SectionScope } from '../sections.ts';
import { type EditOperation, editSection, type SectionEdit } from './section.ts';

const edit = (text: string, target: string, operation: EditOperation, content: string, options?: SectionEdit) =>
  editSection(parseNote(text), target, operation, content, options);
const refusal = (act: () => unknown): AppError => {
  try {
    act();
  } catch (thrown) {
    return thrown as AppError;
  }
  throw new Error('nothing was refused');
};

describe('text that begins with the heading line of its own section, as a read gives it', () => {
  const NOTE = '# A\n\n## Costs\n\nTen.\n\n### Labour\n\nFour.\n';

  it.each<[EditOperation, SectionScope]>([
    ['replace', 'content'],
    ['replace', 'own'],
    ['append', 'content'],
    ['prepend', 'own'],
  ])('is refused, since it would be doubled: %s %s', (operation, scope) => {
    for (const line of ['## Costs', '\n ##  *costs* ##', 'Costs\n---']) {
      const { code, message } = refusal(() => edit(NOTE, 'Costs', operation, `${line}\n\nTwelve.`, { scope }));
      expect(code).toBe('invalid_value');
      expect(message).toContain('"## Costs"');
      expect(message).toContain('markerAndContent');
    }
  });

  it.each(['### Costs\n\nx', '## Other\n\nx', 'x\n\n## Costs', '```\n## Costs\n```'])('but not %j', (text) => {
    expect(edit(NOTE, 'Costs', 'replace', text).text).toContain(text);
  });

  it('replaces heading and text where both are meant', () => {
    const text = edit(NOTE, 'Costs', 'replace', '## Costs\n\nTwelve.', { scope: 'markerAndContent' }).text;
    expect(text).toBe('# A\n\n## Costs\n\nTwelve.\n');
  });

  it('is refused for a heading that is to be made, too', () => {
    const make = (content: string) => edit(NOTE, 'A::Risks', 'append', content, { createIfMissing: true });
    expect(refusal(() => make('## Risks\n\nRain.')).code).toBe('invalid_value');
    expect(make('### Risks\n\nRain.').text).toContain('## Risks\n\n### Risks\n\nRain.\n');
  });
});
