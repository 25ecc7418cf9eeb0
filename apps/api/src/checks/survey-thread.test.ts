import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { createSurveyThread, type SurveyThread } from './survey-thread.ts';

const WHOLE = { folder: '' as VaultPath, maxBytes: 0, ignore: ['*conflict*'] };
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

function started(entry?: string): SurveyThread {
  const url = entry === undefined ? undefined : new URL(`data:text/javascript,${encodeURIComponent(entry)}`);
  const thread = createSurveyThread(folder.path, url);
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

  it('fails with a thread that fails, and another thread is started for the next', async () => {
    const entry = `
      import { parentPort } from 'node:worker_threads';
      let asked = 0;
      parentPort.on('message', ({ id, question }) => {
        if (question.key === 'crash') throw new Error('out of order');
        parentPort.postMessage({ id, result: ++asked });
      });
    `;
    const thread = started(entry);
    const ask = (key: string) => thread.ask(WHOLE, { about: 'frontmatter', key });
    await expect(ask('a')).resolves.toBe(1);
    const both = await Promise.allSettled([ask('crash'), ask('b')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(ask('c')).resolves.toBe(1);
  });
});
