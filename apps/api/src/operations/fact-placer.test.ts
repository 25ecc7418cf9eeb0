import { describe, expect, it } from 'vitest';
import { letsOthersIn } from '../../../../test/support/lets-others-in.ts';
import { parseFact } from '../memory/wiki/fact-bullet.ts';
import { createFactPlacer } from './fact-placer.ts';
import { doTask } from './note-tasks.ts';

const HEAD = '---\ntitle: Log\n---\n\n# Log\n\n## Updates\n\n';
const SHORT = `${HEAD}${'- A line of the log.\n'.repeat(20)}`;
/** Longer than what is compared at once. */
const LONG = `${HEAD}${'- A line of the log.\n'.repeat(3000)}`;
const REST = { day: '2026-11-30', language: 'en', stamp: { key: 'timestamp', now: new Date('2024-05-01T10:11:12Z') } };

describe('a fact for a long page', () => {
  it.each(['The sun shone all day', 'a line of the log'])(
    'comes to the same on a thread as at once: %s',
    async (content) => {
      const task = { text: SHORT, fact: parseFact(content, []), ...REST };
      expect(await createFactPlacer({ atOnce: 0 })(task)).toEqual(doTask({ about: 'fact', ...task }));
    },
  );

  it('is refused by a thread as at once', async () => {
    const task = { text: '## Updates\n\n```\n', fact: parseFact('One', []), ...REST };
    await expect(createFactPlacer({ atOnce: 0 })(task)).rejects.toMatchObject({ code: 'invalid_value' });
  });

  it('lets others in, and is given up with what it is for', async () => {
    const place = createFactPlacer();
    const task = { text: LONG, fact: parseFact('One', []), ...REST };
    expect(await letsOthersIn(() => place(task))).toBe(true);
    expect(await letsOthersIn(() => place({ ...task, text: SHORT }))).toBe(false);
    await expect(place(task, AbortSignal.abort())).rejects.toMatchObject({ code: 'locked' });
  });

  it.each([
    ['with blanks', 'The boiler costs 5 € a year, said Котёл. '],
    ['without any', 'ボイラーは五月に点検する'],
  ])('is placed in little memory beside a bullet of a megabyte %s', async (_what, part) => {
    // A segmenter that is given the whole bullet takes gigabytes.
    const place = createFactPlacer({ atOnce: 0, maxMb: 256 });
    const text = `${HEAD}- ${part.repeat(Math.ceil(1_000_000 / part.length)).trim()}\n`;
    await expect(place({ text, fact: parseFact('One', []), ...REST })).resolves.toMatchObject({ is: 'added' });
  });
});
