import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import type { SurveyQuestion } from './survey.ts';
import { createSurveyThread, type SurveyThread, type SurveyThreadOptions } from './survey-thread.ts';

const WHOLE = { folder: '' as VaultPath, maxBytes: 0, ignore: ['*conflict*'], readable: null };
const HAS_STATUS = { about: 'frontmatter', key: 'status' } as const;

let folder: TempFolder;
let put: PutFile;
let threads: SurveyThread[];
beforeEach(async () => {
  folder = await createTempFolder('survey');
  put = fillVault(folder.path);
  threads = [];
});
afterEach(async () => {
  await Promise.all(threads.map((each) => each.close()));
  await folder.remove();
});

/** @param source the thread's program, where that is another one */
function started(source?: string, options: Omit<SurveyThreadOptions, 'entry'> = {}): SurveyThread {
  const entry = source === undefined ? undefined : new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const thread = createSurveyThread(folder.path, { ...options, entry });
  threads.push(thread);
  return thread;
}

describe('a question about all notes', () => {
  it('is answered of the files as they are when it is asked', async () => {
    const thread = started();
    const asked: string[][] = [];
    for (const status of ['open', 'shut', 'open']) {
      put('a.md', `---\nstatus: ${status}\n---\n`);
      asked.push((await thread.ask(WHOLE, { ...HAS_STATUS, value: 'open' })).answer.paths);
    }
    expect(asked).toEqual([['a.md'], [], ['a.md']]);
  });

  it('gets its own answer when several are asked at once', async () => {
    put('House/a.md', '---\nstatus: 1\n---\n');
    put('b.md', '---\nstatus: 2\n---\n');
    put('b conflict.md', '---\nstatus: 2\n---\n');
    const thread = started();
    const answers = await Promise.all([
      thread.ask(WHOLE, HAS_STATUS),
      thread.ask({ ...WHOLE, folder: 'House' as VaultPath }, HAS_STATUS),
      thread.ask(WHOLE, { about: 'expiries', untracked: false }),
    ]);
    expect(answers.map(({ answer }) => answer)).toEqual([
      { paths: ['House/a.md', 'b.md'] },
      { paths: ['House/a.md'] },
      { dates: [], dismissed: [], invalid: [], untracked: 2, untrackedPaths: [] },
    ]);
  });

  it('is refused when the folder went meanwhile, and the next one is answered', async () => {
    const thread = started();
    put('House/a.md', '---\nstatus: 1\n---\n');
    rmSync(join(folder.path, 'House'), { recursive: true });
    await expect(thread.ask({ ...WHOLE, folder: 'House' as VaultPath }, HAS_STATUS)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(thread.ask(WHOLE, HAS_STATUS)).resolves.toEqual({ answer: { paths: [] }, leftOut: [] });
  });

  it('names what it could not be asked of', async () => {
    put('broken.md', '---\nstatus: [\n---\n');
    put('large.md', `---\nstatus: 1\n---\n${'x'.repeat(100)}`);
    const { answer, leftOut } = await started().ask({ ...WHOLE, maxBytes: 100 }, HAS_STATUS);
    expect(answer.paths).toEqual([]);
    expect(leftOut).toEqual([
      { path: 'large.md', reason: expect.stringContaining('larger than 100 bytes') },
      { path: 'broken.md', reason: expect.stringMatching(/frontmatter cannot be used: line \d/) },
    ]);
  });
});

describe('the thread that looks at notes', () => {
  /** Answers with the questions it was asked so far; some it never answers, or crashes of. */
  const COUNTING = `
    import { parentPort } from 'node:worker_threads';
    let asked = 0;
    parentPort.on('message', ({ question }) => {
      asked++;
      if (question.key === 'crash') throw new Error('out of order');
      if (question.key === 'fill') { const all = []; for (;;) all.push(new Array(100_000).fill(asked)); }
      if (question.key !== 'endless') parentPort.postMessage({ result: asked });
    });
  `;
  const counting = (options: Omit<SurveyThreadOptions, 'entry'> = {}) => {
    const thread = started(COUNTING, options);
    return (key: string, dir = '') => thread.ask({ ...WHOLE, folder: dir as VaultPath }, { about: 'frontmatter', key });
  };

  it('fails the question that it fails with, and another thread answers the next', async () => {
    const ask = counting();
    await expect(ask('a')).resolves.toBe(1);
    const both = await Promise.allSettled([ask('crash'), ask('b')]);
    expect(both).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 1 }]);
    await expect(ask('c')).resolves.toBe(2);
  });

  it('answers all who ask the same while they wait at once, and nobody by what was begun before', async () => {
    const ask = counting();
    const begun = ask('a');
    const waiting = [ask('a'), ask('b'), ask('a'), ask('a', 'House')];
    await expect(begun).resolves.toBe(1);
    await expect(Promise.all(waiting)).resolves.toEqual([2, 3, 2, 4]);
  });

  it('is ended when a question takes too long, which its caller is told, and the next is answered', async () => {
    // Enough for the next thread to start in, on a busy machine too.
    const ask = counting({ runMs: 3_000 });
    const [endless, next] = [ask('endless'), ask('b')];
    await expect(endless).rejects.toMatchObject({ code: 'not_ready', message: expect.stringMatching(/given up.*dir/) });
    await expect(next).resolves.toBe(1);
  }, 30_000);

  it('advises to ask of one folder only who could', async () => {
    const thread = started(COUNTING, { waitMs: 1 });
    const refused = (question: SurveyQuestion) => thread.ask(WHOLE, question).catch(({ message }) => message);
    expect(await refused({ about: 'frontmatter', key: 'endless' })).toMatch(/for one folder \(dir\)\.$/);
    expect(await refused({ about: 'note-problems' })).toMatch(/ask again in a moment\.$/);
  });

  it('takes no more different questions than may wait', async () => {
    const ask = counting({ maxWaiting: 2 });
    const taken = [ask('a'), ask('b'), ask('c')];
    await expect(ask('d')).rejects.toMatchObject({ code: 'not_ready', message: expect.stringMatching(/2 other/) });
    taken.push(ask('c'));
    await expect(Promise.all(taken)).resolves.toEqual([1, 2, 3, 3]);
    await expect(ask('d')).resolves.toBe(4);
  });

  it('that runs out of memory says what to do about it, and takes nobody along', async () => {
    const ask = counting();
    const said = { code: 'note_too_large', message: expect.stringMatching(/MiB: lower vault.note_max_bytes/) };
    await expect(ask('fill')).rejects.toMatchObject(said);
    await expect(ask('a')).resolves.toBe(1);
  }, 60_000);

  it('leaves nobody waiting when it is closed', async () => {
    const thread = started(COUNTING);
    const ask = (key: string) => thread.ask(WHOLE, { about: 'frontmatter', key });
    const both = Promise.allSettled([ask('endless'), ask('a')]);
    await thread.close();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(ask('b')).resolves.toBe(1);
  });
});
