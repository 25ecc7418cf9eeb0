// docs/scaling.md held to bench/RESULTS.md: who measures anew has to say so on the page that people read.
import { describe, expect, it } from 'vitest';
import { codeOf, page, rowsOf } from '../support/doc-pages.ts';

const DOC = page('docs/scaling.md');
const RESULTS = page('bench/RESULTS.md');
/** The first figure of a cell, without its unit. */
const figure = (cell = '') => /[\d.]+/.exec(cell.replaceAll(/(?<=\d)[ ](?=\d)/g, ''))?.[0];
const minutes = (seconds = '') => String(Math.round(Number(seconds) / 60));
/** As people write it: tenths only below ten. */
const short = (seconds = '') => (Number(seconds) < 10 ? Number(seconds).toFixed(1) : Number(seconds).toFixed(0));

describe('docs/scaling.md', () => {
  it.each([
    ['processes', '## More workers', '## More workers'],
    ['containers', '### With docker compose', '### In containers'],
  ])('says of more workers what was measured: %s', (_what, results, doc) => {
    const measured = rowsOf(RESULTS, results).map(([workers, all, , faster]) => [workers, all, faster]);
    expect(measured.length).toBeGreaterThan(2);
    expect(rowsOf(DOC, doc)).toEqual(measured);
  });

  it('says of workers for PDFs what was measured, and of how many pages', () => {
    const measured = rowsOf(RESULTS, '### Scans').map(([workers, all, faster]) => [workers, all, faster]);
    expect(measured.length).toBeGreaterThan(1);
    expect(rowsOf(DOC, '### More workers for PDFs')).toEqual(measured);
    const [, scans, pages] = /: (\d+) scans, (\d+) pages, read/.exec(RESULTS.text) ?? [];
    expect(DOC.text).toContain(`${scans} scans of ${pages} pages in all`);
  });

  it('shows how workers that read PDFs on other machines are started, with files and variables that there are', () => {
    const shown = codeOf(DOC).find((code) => code.includes('docker-compose.extract.yml')) ?? '';
    const files = shown.match(/docker-compose[\w.-]*\.yml/g) ?? [];
    expect(files).toEqual(['docker-compose.worker.yml', 'docker-compose.extract.yml']);
    const compose = files.map((file) => page(file).text).join('');
    const given = [...shown.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name);
    const required = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name);
    expect(given.toSorted()).toEqual(required.toSorted());
  });

  it('says of two programs beside one process what was measured', () => {
    const ratio = (rows: string[][], start: string) => rows.find(([what = '']) => what.startsWith(start))?.slice(1);
    const measured = ratio(rowsOf(RESULTS, '## One process or two programs'), 'two ÷ one');
    expect(measured).toHaveLength(3);
    expect(ratio(rowsOf(DOC, '## One machine'), '**two programs**')).toEqual(measured?.map((figure) => `${figure} ×`));
  });

  it('says of one process what was measured', () => {
    const measured = (start: string) => {
      const row = rowsOf(RESULTS, '## First run, restart, search, memory').find(([what = '']) =>
        what.startsWith(start),
      );
      return row?.slice(1).map(figure) ?? [];
    };
    const said = rowsOf(DOC, '## One machine').map((row) => row.slice(1).map(figure));
    const whole = rowsOf(RESULTS, '## The whole help vault until every chunk is embedded');
    const embedded = figure(whole.find(([what = '']) => what.startsWith('start to fully'))?.[1]);
    const search = figure(whole.find(([what = '']) => what.startsWith('search'))?.[1]);
    const rounded = (values: (string | undefined)[]) =>
      values.map((value) => value && String(Math.round(Number(value))));
    expect(said[0]).toEqual(measured('start to word-searchable').map(short));
    expect(said[1]).toEqual([...measured('start to fully embedded').slice(0, 2).map(short), minutes(embedded)]);
    expect(said[2]).toEqual(measured('restart to ready').map(short));
    expect(said[3]).toEqual([...rounded(measured('search over HTTP').slice(0, 2)), search]);
    expect(said[4]).toEqual(measured('resident memory at the end'));
  });
});
