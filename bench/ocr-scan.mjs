/**
 * A scan of 300 pages, made once a machine, and hold of the processes that read it: stopped and continued as a group, so
 * that the same server can be measured with and without them in turns. Danger: a page's time limits go on while it is
 * stopped, so it must not be stopped for longer than half a minute (Linux).
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runnerImport } from 'vite';

export const PAGES = 300;
/** Pages drawn; the rest are these again. More than are read while anything is measured. */
const DRAWN = 30;
const LINES = 28;
const READ_WITHIN_MS = 60_000;

/** @returns {Promise<Buffer>} pages that are pictures of text, without a text layer */
export async function longScan() {
  const path = join(tmpdir(), `vault-mcp-bench-scan-${PAGES}.pdf`);
  if (!existsSync(path)) {
    const { build, textImage } = await pdfFiles();
    const pictures = [];
    for (let page = 1; page <= DRAWN; page++) pictures.push(await textImage(pageText('keeper', page)));
    const opened = [];
    const pdf = await build(PAGES, (doc, page) => {
      const at = (page - 1) % DRAWN;
      opened[at] ??= doc.openImage(pictures[at]);
      doc.image(opened[at], 0, 0, { width: doc.page.width, height: doc.page.height });
    });
    writeFileSync(`${path}.part`, pdf);
    renameSync(`${path}.part`, path);
  }
  return readFileSync(path);
}

/**
 * As much text as the scan has, with a text layer: what becomes of it afterwards is the same, without half an hour of OCR.
 * @returns {Promise<Buffer>}
 */
export async function longText() {
  const { textPdf } = await pdfFiles();
  return textPdf(Array.from({ length: PAGES }, (_, page) => pageText('mate', page + 1)));
}

/** @returns processes of the tree below `pid` that lead a group: extractions */
function extractionsBelow(pid) {
  const parents = new Map(processes().map(({ id, parent }) => [id, parent]));
  const isBelow = (id) => id === pid || (parents.has(id) && isBelow(parents.get(id)));
  return processes().filter(({ id, group }) => id === group && id !== pid && isBelow(id));
}

/**
 * @param {number} pid the program that starts extractions
 * @returns hold of the extraction whose tesseract runs, once there is one
 */
export async function readingBelow(pid) {
  const until = performance.now() + READ_WITHIN_MS;
  while (performance.now() < until) {
    for (const { id: leader } of extractionsBelow(pid)) {
      const members = () => processes().filter(({ group }) => group === leader);
      if (!members().some(isRecognising)) continue;
      return {
        pause: () => signal(leader, 'SIGSTOP'),
        resume: () => signal(leader, 'SIGCONT'),
        goesOn: () => members().length > 0,
        /** What its tesseract runs at, and what the group counts for beside other sessions. */
        priority: () => ({
          nice: members().find(isRecognising)?.nice ?? null,
          session: sessionNice(leader),
        }),
        cpuSeconds: () => members().reduce((sum, { cpu }) => sum + cpu, 0),
      };
    }
    await sleep(20);
  }
  throw new Error('no tesseract was started for the scan');
}

/** Not when it is only asked for its languages, which comes first. */
function isRecognising({ id, name }) {
  if (name !== 'tesseract') return false;
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1').split('\0').includes('--psm');
  } catch {
    return false;
  }
}

/** A group that has ended meanwhile is found out by `goesOn`. */
function signal(group, name) {
  try {
    process.kill(-group, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
}

/** @returns null when it has ended meanwhile */
function processOf(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name stands in brackets and may hold anything.
    const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat);
    const fields = rest.split(' ').map(Number);
    // proc(5), fields 4, 5, 14 to 17 and 19.
    const cpu = (fields[11] + fields[12] + fields[13] + fields[14]) / 100;
    return { id, name, parent: fields[1], group: fields[2], cpu, nice: fields[16] };
  } catch {
    return null;
  }
}

function sessionNice(pid) {
  try {
    return Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'latin1'))?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}

async function pdfFiles() {
  return (await runnerImport('./test/fixtures/pdf-files.ts')).module;
}

function pageText(word, page) {
  const entry = (line) =>
    `Entry ${page}.${line}: the ${word} of the harbour noted ${page * 37 + line} crates of lamp oil.`;
  return Array.from({ length: LINES }, (_, line) => entry(line)).join(' ');
}
