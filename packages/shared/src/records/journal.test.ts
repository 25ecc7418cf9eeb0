import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, mount, resize, unmount } from '../../../../test/support/small-disk.ts';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { type Journal, type JournalLine, openJournal } from './journal.ts';
import { RecordOpenError } from './record-open-error.ts';

const mayMount = await canMount();

let folder: TempFolder;
let path: string;
let opened: Journal[];
beforeEach(async () => {
  folder = await createTempFolder('journal');
  path = join(folder.path, 'data', 'journal.jsonl');
  opened = [];
});
afterEach(async () => {
  for (const journal of opened) await journal.close();
  await folder.remove();
});

async function open(): Promise<Journal> {
  const journal = await openJournal(path);
  opened.push(journal);
  return journal;
}

const fact = (content: string): JournalLine => ({
  ...{ t: '2026-11-30T12:00:00Z', slug: 'ada-lovelace', content, created: false, committed: true, agent: 'claude' },
});

/** Null for a line that cannot be read. An empty one says nothing: whoever writes while another's line is half there leaves it. */
function contents(): (string | null)[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    try {
      return (JSON.parse(line) as JournalLine).content;
    } catch {
      return null;
    }
  });
}

describe('the journal', () => {
  it('holds a line for each fact, and only its owner may read it', async () => {
    const journal = await open();
    await journal.append(fact('She wrote the first program.'));
    await journal.append(fact('She was born in 1815.\nIn London.'));
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ v: 1, ...fact('She wrote the first program.') });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'data')).mode & 0o777).toBe(0o700);
  });

  it('is gone on with after a restart', async () => {
    const first = await open();
    await first.append(fact('one'));
    await first.close();
    await (await open()).append(fact('two'));
    expect(contents()).toEqual(['one', 'two']);
  });

  it('takes what several write at once, each line whole', async () => {
    const journals = [await open(), await open()];
    const texts = Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(i * 100)}`);
    await Promise.all(texts.map((text, i) => journals[i % 2]?.append(fact(text))));
    expect(contents().sort()).toEqual([...texts].sort());
  });

  it('ends when what was begun is written, and takes nothing afterwards', async () => {
    const journal = await open();
    const begun = journal.append(fact('one'));
    await journal.close();
    await journal.close();
    await begun;
    await expect(journal.append(fact('two'))).rejects.toThrow(/closed/);
    expect(contents()).toEqual(['one']);
  });

  it('leaves what a crash cut short as a line of its own', async () => {
    const journal = await open();
    await journal.append(fact('one'));
    appendFileSync(path, '{"v":1,"t":"2026');
    await journal.append(fact('two'));
    expect(contents()).toEqual(['one', null, 'two']);
  });

  it.skipIf(!mayMount)('refuses on a full disk, and is gone on with when there is room', async () => {
    mkdirSync(join(folder.path, 'data'));
    mount(join(folder.path, 'data'), '64k');
    try {
      const journal = await open();
      await journal.append(fact('one'));
      writeFileSync(join(folder.path, 'data', 'filler'), Buffer.alloc(52 * 1024));
      await expect(journal.append(fact('x'.repeat(60_000)))).rejects.toMatchObject({ code: 'insufficient_storage' });
      resize(join(folder.path, 'data'), '1m');
      await journal.append(fact('two'));
      const whole = contents().filter((content) => content !== null);
      expect(whole).toEqual(['one', 'two']);
      await journal.close();
    } finally {
      unmount(join(folder.path, 'data'));
    }
  });
});

describe('a journal that cannot be used', () => {
  const stands = (text: string) => {
    mkdirSync(join(folder.path, 'data'));
    writeFileSync(path, text);
  };

  it.each([
    ['from its beginning', '{"v":2,"fact":"one"}\n'],
    ['that went on with ours', `{"v":1,"content":"one"}\n${'{"v":1,"content":"more"}\n'.repeat(9000)}{"v":2}\n`],
  ])('is refused and left alone where a newer version wrote it, %s', async (_what, text) => {
    stands(text);
    await expect(openJournal(path)).rejects.toThrow(/newer version \(2; this one knows 1\)/);
    await expect(openJournal(path)).rejects.toBeInstanceOf(RecordOpenError);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('is not one whose first or last line was cut short', async () => {
    stands('{"v":1,"t":"20\n{"v":1,"content":"one"}\n{"v":1,"con');
    await (await open()).append(fact('two'));
    expect(contents()).toEqual([null, 'one', null, 'two']);
  });

  it.each([
    ['a link', () => symlinkSync('../elsewhere', path)],
    ['a folder', () => mkdirSync(path)],
    ['a pipe', () => execFileSync('mkfifo', [path])],
  ])('is %s in its place', async (_what, make) => {
    mkdirSync(join(folder.path, 'data'));
    make();
    await expect(openJournal(path)).rejects.toThrow(/see that it is a plain file/);
  });
});
