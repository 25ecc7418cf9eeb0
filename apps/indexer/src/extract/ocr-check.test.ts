import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingForOcr } from './ocr-check.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ocr-check-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns what is missing where the program of that name runs these shell lines */
async function asking(lines: string, { mode = 0o755, timeoutMs = 10_000 } = {}): Promise<string | null> {
  const home = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(home, 'tesseract'), `#!/bin/sh\n${lines}\n`, { mode });
  return missingForOcr('eng', { environment: { PATH: `${home}:/usr/bin:/bin` }, ownGroup: true, timeoutMs });
}

describe('what is missing for OCR', () => {
  it('is nothing for English on a machine that runs the tests', async () => {
    expect(await missingForOcr('eng')).toBeNull();
  });

  it('is named with the packages that have it', async () => {
    expect(await missingForOcr('eng+zzz+xxx_yyy')).toMatch(/zzz, xxx_yyy\..*tesseract-ocr-zzz tesseract-ocr-xxx-yyy/);
  });

  it('is the program where there is none in PATH', async () => {
    const nowhere = mkdtempSync(join(folder, 'empty-'));
    expect(await missingForOcr('eng', { environment: { PATH: nowhere } })).toMatch(/^tesseract is not installed here/);
  });

  it('is nothing where the languages are told on standard error, as some versions do', async () => {
    expect(await asking('echo "List of available languages (1):" >&2; echo eng >&2')).toBeNull();
  });

  it.each([
    [
      'fails',
      'echo "no /usr/share/tessdata here" >&2; exit 1',
      /does not work here: it ended with exit code 1 \(no … here\)/,
    ],
    ['is killed', 'kill -9 $$', /does not work here: it was killed \(SIGKILL\)/],
    ['answers garbage', 'head -c 3000 /dev/urandom', /something else than its languages/],
    ['answers nothing', 'exit 0', /something else than its languages/],
    ['has no language at all', 'echo "List of available languages (0):"', /lacks the language data for eng/],
  ])('is a program that works where it %s', async (_how, lines, reason) => {
    expect(await asking(lines)).toMatch(reason);
  });

  it('is a program that may be run', async () => {
    const home = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(home, 'tesseract'), 'no program', { mode: 0o644 });
    const missing = await missingForOcr('eng', { environment: { PATH: home } });
    expect(missing).toMatch(/^tesseract (cannot be started|is not installed) here/);
  });

  it('is a program that is not being replaced just now', async () => {
    const home = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(home, 'tesseract'), '#!/bin/sh\n', { mode: 0o755 });
    const writing = openSync(join(home, 'tesseract'), 'r+');
    const missing = missingForOcr('eng', { environment: { PATH: home } });
    expect(await missing).toMatch(/^tesseract cannot be started here \(ETXTBSY\)/);
    closeSync(writing);
  });

  it('is a program that answers in time: one that hangs is ended with what it started', async () => {
    // The helper keeps the pipes open when its parent is gone.
    expect(await asking('sleep 600 & sleep 600', { timeoutMs: 300 })).toMatch(
      /does not answer here within 0.3 seconds/,
    );
  });

  it('is a program that ends even where it goes on talking', async () => {
    expect(await asking('yes eng', { timeoutMs: 300 })).toMatch(/does not answer here/);
  });
});
