import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { letsOthersIn } from '../../../../test/support/lets-others-in.ts';
import { createNoteParser } from './note-parser.ts';
import { askNote } from './note-parts.ts';

const note = (text: string) => ({ text, sha256: createHash('sha256').update(text).digest('hex') });
const HEAD = '---\ntitle: Log\ntags: [log]\nsince: 2026-11-29\n---\n\n# Log\n\n## May\n\nRain. #weather ^may\n\n';
const LONG = note(`${HEAD}${'A line of the log.\n'.repeat(10_000)}`);

describe('parsing a long note', () => {
  it('gives what parsing it at once gives', async () => {
    const parser = createNoteParser();
    for (const question of [
      { about: 'parts' },
      { about: 'parts', section: 'Log::May' },
      { about: 'parts', section: '^may' },
      { about: 'outline' },
    ] as const) {
      expect(await parser.ask(LONG, question)).toEqual(askNote(LONG.text, question));
    }
  });

  it('lets others in, where a short one is parsed at once', async () => {
    const parser = createNoteParser();
    expect(await letsOthersIn(() => parser.ask(LONG, { about: 'parts' }))).toBe(true);
    expect(await letsOthersIn(() => parser.ask(note(HEAD), { about: 'parts' }))).toBe(false);
  });

  it('lets others in while a canvas of long cards is read, too', async () => {
    const nodes = [
      { type: 'file', file: 'Plan.md' },
      { type: 'text', text: `[[May]] ${LONG.text}` },
    ];
    const canvas = note(JSON.stringify({ nodes, edges: [] }));
    const parser = createNoteParser();
    expect(await letsOthersIn(() => parser.ask(canvas, { about: 'canvas-links' }))).toBe(true);
    const { links } = await parser.ask(canvas, { about: 'canvas-links' });
    expect(links.map(({ target }) => target)).toEqual(['/Plan.md', 'May']);
  });

  it('refuses as parsing it at once refuses', async () => {
    const asked = createNoteParser().ask(LONG, { about: 'parts', section: 'June' });
    await expect(asked).rejects.toMatchObject({ code: 'no_such_heading', message: expect.stringContaining('June') });
  });
});

describe('what was answered of a note', () => {
  let folder: string;
  let entry: URL;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vault-mcp-parser-'));
    entry = pathToFileURL(join(folder, 'thread.mjs'));
    // Answers with its own thread's number, so that two answers tell whether one thread or two gave them.
    writeFileSync(
      entry,
      `import { parentPort, threadId, workerData } from 'node:worker_threads';
      const { text } = workerData;
      if (text.startsWith('die')) process.exit(3);
      if (!text.startsWith('hang')) parentPort.postMessage({ result: { answer: { by: threadId }, bytes: 100 } });
      else setInterval(() => {}, 1000);`,
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is remembered by its bytes and the question, and shared by those who ask meanwhile', async () => {
    const parser = createNoteParser({ atOnce: 0, entry });
    const [first, second] = await Promise.all([1, 2].map(() => parser.ask(note('a'), { about: 'parts' })));
    expect(second).toBe(first);
    expect(await parser.ask(note('a'), { about: 'parts' })).toBe(first);
    expect(await parser.ask(note('a'), { about: 'parts', section: 'x' })).not.toEqual(first);
    expect(await parser.ask(note('b'), { about: 'parts' })).not.toEqual(first);
  });

  it('is forgotten, the longest unasked first, when there is no more room', async () => {
    const parser = createNoteParser({ atOnce: 0, entry, rememberedBytes: 250 });
    const ask = (text: string) => parser.ask(note(text), { about: 'parts' });
    const [a, b] = [await ask('a'), await ask('b')];
    expect(await ask('a')).toBe(a);
    await ask('c');
    expect(await ask('a')).toBe(a);
    expect(await ask('b')).not.toEqual(b);
  });

  it('is not remembered when it alone is too much', async () => {
    const parser = createNoteParser({ atOnce: 0, entry, rememberedBytes: 50 });
    const ask = () => parser.ask(note('a'), { about: 'parts' });
    expect(await ask()).not.toEqual(await ask());
  });

  it('is a refusal when it takes too long', async () => {
    const parser = createNoteParser({ atOnce: 0, entry, timeoutMs: 500 });
    await expect(parser.ask(note('hang'), { about: 'parts' })).rejects.toMatchObject({ code: 'note_too_large' });
  });

  it('is an error when the thread dies, and the next note is parsed', async () => {
    const parser = createNoteParser({ atOnce: 0, entry });
    await expect(parser.ask(note('die'), { about: 'parts' })).rejects.toThrow('without an answer (3)');
    expect(await parser.ask(note('a'), { about: 'parts' })).toHaveProperty('by');
  });
});
