/**
 * PDFs that are meant to do harm, through the whole product, with limits set low so that they are met: each costs what it is
 * allowed to and no more, is told apart from the others by its reason, and harms nobody who waits behind it. Danger: they
 * take a machine to its limits, and a sound document meets those too where others want the processors; so they are for a
 * machine that does nothing else (TEST_HOSTILE=1).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BOMB_TEXT, BOMBS } from '../fixtures/document-bombs.ts';
import { scannedPdf, textPdf } from '../fixtures/pdf-files.ts';
import { type Reading, startReading, type Told } from '../support/filed-and-read.ts';
import { hasProcessTable } from '../support/process-family.ts';

const isAsked = process.env.TEST_HOSTILE === '1';
const SECONDS = 30;
const MEBIBYTES = 384;
/** Between two looks at its size a process may take as much again; what the bombs would take is more than that by far. */
const PEAK_BYTES = 2 * MEBIBYTES * 1024 ** 2;

const TOUCHED = 'touched-by-a-name';
const NAMES = [
  `$(touch ${TOUCHED}).pdf`,
  `\`touch ${TOUCHED}\`.pdf`,
  `; touch ${TOUCHED};.pdf`,
  `' && touch ${TOUCHED} && '.pdf`,
  `" | touch ${TOUCHED} | ".pdf`,
  '-rf.pdf',
  '%s%n%d.pdf',
  'a\u202efdp.pdf',
];
const NEWLINE = `a\ntouch ${TOUCHED}\n.pdf`;

let reading: Reading;
let told: ReadonlyMap<string, Told>;
let refused: { status: number; body: string };

beforeAll(async () => {
  if (!isAsked) return;
  const limits = { DOC_MAX_SECONDS: String(SECONDS), DOC_MAX_MEMORY_MIB: String(MEBIBYTES) };
  reading = await startReading(limits);
  for (const [n, { name, make }] of BOMBS.entries()) {
    if (n % 5 === 0) reading.drop(`Dropped/${name}.pdf`, make());
    else await reading.file(`Files/${name}.pdf`, make());
  }
  // A scan, since it is the way to OCR that leads through a shell.
  const [first = '', ...others] = NAMES;
  await reading.file(`Files/${first}`, await scannedPdf(['The sextant hangs behind the door.']));
  for (const [n, name] of others.entries()) await reading.file(`Files/${name}`, await sound(`number ${n} of its kind`));
  refused = await reading.put(`Files/${NEWLINE}`, await sound('with two lines to its name'));
  writeFileSync(join(reading.both.vaultPath, NEWLINE), await sound('dropped'));
  await reading.file('Files/last.pdf', await sound('the last of all'));
  told = await reading.allReadBehindNote();
}, 1_800_000);
afterAll(() => reading?.close());

const sound = (what: string) =>
  textPdf([`The barometer is ${what}. Tap it before you read it, and write down what it says.`]);
const toldOf = (name: string) => told.get(`Files/${name}.pdf`) ?? told.get(`Dropped/${name}.pdf`);
const STOPPED = new RegExp(
  `^Reading it was stopped: it (took longer than ${SECONDS} seconds in all|needed more than \\d+ MiB of memory)\\..* ` +
    'raise vault\\.doc_max_(seconds|memory_mib)',
);

describe.runIf(isAsked)('a PDF that is a bomb (with TEST_HOSTILE=1)', () => {
  it.each(BOMBS.filter(({ ends }) => ends === 'limit'))('is stopped at a limit, and says so: $name', ({ name }) => {
    expect(toldOf(name)).toEqual({ extraction: 'failed', content: '', detail: expect.stringMatching(STOPPED) });
  });

  it.each(BOMBS.filter(({ ends }) => ends === 'extracted'))('is read for what it says: $name', ({ name }) => {
    expect(toldOf(name)).toMatchObject({ extraction: 'extracted', content: expect.stringContaining(BOMB_TEXT) });
  });

  it.each(BOMBS.filter(({ ends }) => ends !== 'limit' && ends !== 'extracted'))(
    'is read to an end: $name',
    ({ name, ends }) => {
      const { extraction = '', detail = '' } = toldOf(name) ?? {};
      expect(extraction).toMatch(ends ?? /^(extracted|ocr|needs_ocr|no_text|failed)$/);
      if (extraction === 'failed' || extraction === 'needs_ocr') expect(detail).toMatch(/\w+ \w+/);
      expect(detail).not.toMatch(/\bat .+:\d+|node_modules|undefined|\/(work|app|tmp|usr)\b/);
    },
  );

  it('meets the limit of time or that of memory, whichever its cost lies in', () => {
    const details = [...told.values()].map(({ detail }) => detail).join('\n');
    expect(details).toContain(`longer than ${SECONDS} seconds`);
    expect(details).toContain('MiB of memory');
  });

  it.runIf(hasProcessTable)('takes no more memory than it is allowed, and leaves no process behind', async () => {
    expect(reading.family.peakBytes()).toBeGreaterThan(MEBIBYTES * 1024 ** 2 * 0.5);
    expect(reading.family.peakBytes()).toBeLessThan(PEAK_BYTES);
    await vi.waitFor(() => expect(reading.family.running()).toEqual([]), { timeout: 60_000 });
  });

  it('reads no file that it names, and runs no script of its own', () => {
    expect(toldOf('picture that is a list of files')?.content).not.toMatch(/root:|nologin/);
    expect(existsSync('script-ran')).toBe(false);
  });
});

describe.runIf(isAsked)('a name that a shell would act on (with TEST_HOSTILE=1)', () => {
  it.each(NAMES)('is a name: %s', (name) => {
    expect(told.get(`Files/${name}`)).toMatchObject({
      extraction: name.startsWith('$') ? 'ocr' : 'extracted',
      content: expect.stringMatching(/sextant|barometer/),
    });
    expect(existsSync(TOUCHED)).toBe(false);
  });

  it('of two lines is refused, and where it lies in the folder all the same nothing comes of it', async () => {
    expect([refused.status, JSON.parse(refused.body).errorCode ?? JSON.parse(refused.body).code]).toEqual([
      400,
      'invalid_path',
    ]);
    expect(await reading.both.search('dropped')).not.toContain(NEWLINE);
  });
});

describe.runIf(isAsked)('those who have nothing to do with it (with TEST_HOSTILE=1)', () => {
  it('wait for their turn and are read', async () => {
    expect(told.get('Files/last.pdf')).toMatchObject({ extraction: 'extracted' });
    expect(await reading.both.search('barometer last of all')).toContain('Files/last.pdf');
    expect((await reading.both.search('chimney'))[0]).toBe('Home.md');
  });

  it('find both programs as they were, and the documents as they were filed', async () => {
    await reading.expectAlive();
    expect(reading.changedOnDisk()).toEqual([NEWLINE]);
  });
});
