/**
 * Damaged PDFs by the hundred through the whole product: none of them ends a program, keeps another waiting for good, is
 * changed, or leaves anything behind. A process reads each one, so a thousand take minutes and are there for TEST_HOSTILE=1;
 * some otherwise.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Mutant, mutatedPdfs } from '../fixtures/mutations.ts';
import { textPdf } from '../fixtures/pdf-files.ts';
import { PDF_SAMPLES } from '../fixtures/pdf-samples.ts';
import { type Reading, startReading, type Told } from '../support/filed-and-read.ts';
import { hasProcessTable } from '../support/process-family.ts';

const COUNT = process.env.TEST_HOSTILE === '1' ? 1_000 : 60;
const SEED = 20_261_130;
/** Of the samples those that are small, and cheap to recognise: what a mutant costs is mostly what its source costs. */
const LARGEST = 40_000;
const LARGE = new Set(['300 pages', 'attachment bomb']);
const SECONDS = 120;
const AT_LIMIT = /^Reading it was stopped: it (took longer than|needed more than) \d/;

const pathOf = ({ name }: Mutant, n: number): string => (n % 5 === 0 ? `Dropped/${name}.pdf` : `Files/${name}.pdf`);

describe(`${COUNT} damaged PDFs`, () => {
  let reading: Reading;
  let told: ReadonlyMap<string, Told>;

  beforeAll(async () => {
    const samples = await Promise.all(PDF_SAMPLES.filter(({ name }) => !LARGE.has(name)).map(({ make }) => make()));
    const sources = samples.filter(({ length }) => length <= LARGEST);
    reading = await startReading({ DOC_MAX_SECONDS: String(SECONDS) });
    for (const [n, mutant] of mutatedPdfs(sources, COUNT, SEED).entries()) {
      if (n % 5 === 0) reading.drop(pathOf(mutant, n), mutant.bytes);
      else await reading.file(pathOf(mutant, n), mutant.bytes);
    }
    await reading.file(
      'Files/sound.pdf',
      await textPdf(['The sextant hangs behind the door. Bring it back when you can.']),
    );
    told = await reading.allReadBehindNote();
  }, 1_800_000);
  afterAll(() => reading?.close());

  it('are all read to an end, and say in words what kept their text from being read', () => {
    expect(told.size).toBe(COUNT + 1);
    for (const [path, { extraction, detail, content }] of told) {
      expect([path, extraction]).toEqual([path, expect.stringMatching(/^(extracted|ocr|needs_ocr|no_text|failed)$/)]);
      if (extraction === 'failed' || extraction === 'needs_ocr')
        expect([path, detail]).toEqual([path, expect.stringMatching(/\w+ \w+/)]);
      if (extraction === 'failed') expect([path, content]).toEqual([path, '']);
      // Nothing of how it is made inside.
      expect([path, detail]).toEqual([
        path,
        expect.not.stringMatching(/\bat .+:\d+|node_modules|undefined|\/(work|app|tmp|usr)\b/),
      ]);
    }
  });

  it('are of all kinds: what many a mutant still says is found, and many say nothing any more', () => {
    const states = [...told.values()].map(({ extraction }) => extraction);
    const share = (state: string) => states.filter((one) => one === state).length / states.length;
    expect(share('extracted')).toBeGreaterThan(0.2);
    expect(share('failed')).toBeGreaterThan(0.2);
    expect(share('ocr') + share('no_text') + share('needs_ocr')).toBeGreaterThan(0.02);
  });

  it('end no reading but at its limits, which few are slow enough to meet', () => {
    expect([...told].filter(([, { detail }]) => detail.includes('ended unexpectedly'))).toEqual([]);
    const stopped = [...told].filter(([, { detail }]) => detail.includes('Reading it was stopped'));
    for (const [path, { detail }] of stopped) expect([path, detail]).toEqual([path, expect.stringMatching(AT_LIMIT)]);
    expect(stopped.length).toBeLessThanOrEqual(Math.ceil(COUNT / 200));
  });

  it('lie on the disk byte for byte, with nothing left beside them', () => {
    expect(reading.changedOnDisk()).toEqual([]);
  });

  it('leave the programs as they were, and searches answered', async () => {
    await reading.expectAlive();
    expect((await reading.both.search('sextant'))[0]).toBe('Files/sound.pdf');
    expect((await reading.both.search('chimney'))[0]).toBe('Home.md');
  });

  it.runIf(hasProcessTable)('leave no process behind', async () => {
    expect(reading.family.seen()).toBeGreaterThan(COUNT / 2);
    await vi.waitFor(() => expect(reading.family.running()).toEqual([]), { timeout: 60_000 });
  });
});
