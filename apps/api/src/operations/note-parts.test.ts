import { expect, it } from 'vitest';
import { askNote } from './note-parts.ts';

it('says of a note of too many lines that its headings and blocks are not all known, and reads its text all the same', () => {
  const marks = '>'.repeat(60);
  const note = `# T ^a\n\n${`${marks} a\n${marks}\n`.repeat(4000)}\n# End ^b\n\n#tag\n`;
  const outline = askNote(note, { about: 'outline' });
  expect(outline).toMatchObject({ headings: [{ target: 'T ^a' }], blocks: ['^a'] });
  expect(outline).toMatchObject({ outline_error: expect.stringMatching(/known only up to line \d+\.$/) });
  expect(askNote(note, { about: 'parts' })).toMatchObject({ bodyFrom: 0, tags: ['tag'] });
  expect(askNote('# T\n', { about: 'outline' })).not.toHaveProperty('outline_error');
});
