/**
 * Documents read by processes that do nothing else, for a writer that leaves it to them, on one real Redis. What is
 * proven: any number share the work, one that is killed loses nothing, and one with a wrong mount takes nothing away from
 * the others and says what is wrong.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { scannedPdf, textPdf } from '../fixtures/pdf-files.ts';
import { type IndexerProcess, type IndexerProcesses, indexerProcesses } from '../support/indexer-processes.ts';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const WRITER = { INDEXER_ROLES: 'watch,write', EMBED_PROVIDER: 'lexical' };
/** Of a scan that takes some seconds to read. */
const PAGES = 3;
const letter = (subject: string) =>
  textPdf([`A letter about the ${subject} of the house next door, and what it will cost.`]);

let all: IndexerProcesses;
let mounts: TempFolder | undefined;
afterEach(async () => {
  await all?.close();
  await mounts?.remove();
  mounts = undefined;
});

const row = (path: string) => all.read((reader) => reader.fileByPath(path));
const isRead = (path: string) => row(path)?.state === 'indexed';
/** In turn, each with the time of one: reading gives way to whatever else a busy machine does. */
async function untilRead(paths: readonly string[], meanwhile = () => {}): Promise<void> {
  for (const path of paths) {
    await all.until(() => {
      meanwhile();
      return isRead(path);
    }, `${path} to be read`);
  }
}
const waits = (path: string) => all.until(() => row(path)?.reason === 'pending', `${path} to wait`);
const extractor = (vault = all.vaultPath) => all.startWorker('extract', { VAULT_PATH: vault });
/** Jobs that were given up. */
const failed = () => all.read((reader) => reader.indexerStatus()?.queue.failed);
/** How many documents wait and say what holds them up. */
const heldUp = (paths: readonly string[]) => paths.filter((path) => row(path)?.reason?.startsWith('pending: ')).length;
/** What a process has started, and what that has, by id; without those that have ended. */
function startedBy(one: IndexerProcess): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  const running = lines.map((line) => line.trim().split(/\s+/)).filter(([, , state]) => !state?.startsWith('Z'));
  const found = [Number(one.child.pid)];
  for (const pid of found)
    found.push(...running.filter(([, parent]) => Number(parent) === pid).map(([id]) => Number(id)));
  return found.slice(1);
}
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
/** Another folder that calls itself the vault. */
async function mount(files: Readonly<Record<string, Buffer>> = {}): Promise<string> {
  mounts ??= await createTempFolder('mounts');
  const root = join(mounts.path, `mount-${readdirSync(mounts.path).length}`);
  await mkdir(root);
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
  return root;
}

describe('processes with the extract role alone', { timeout: 900_000 }, () => {
  it('read scans for a writer that leaves them to others, with Redis and the vault and no data folder', async () => {
    all = await indexerProcesses({});
    await all.put('Files/minutes.pdf', await scannedPdf(['The council resolved to repair the east pier.']));
    all.startWriter(WRITER);
    await waits('Files/minutes.pdf');
    const worker = extractor();
    await all.until(() => isRead('Files/minutes.pdf'), 'its text');
    expect(row('Files/minutes.pdf')).toMatchObject({ reason: 'ocr', pages: { count: 1, hasText: false } });
    await worker.kill('SIGTERM');
    expect(worker.child.exitCode).toBe(0);
    expect(worker.log()).not.toContain('"level":50');
    // It kept nothing for itself.
    expect(readdirSync(dirname(all.vaultPath)).toSorted()).toEqual(['data', 'vault']);
  });

  it('share the documents', async () => {
    all = await indexerProcesses({});
    const paths = Array.from({ length: 12 }, (_, n) => `Files/letter-${n}.pdf`);
    all.startWriter(WRITER);
    const both = [extractor(), extractor()];
    const consumers = () => all.read((reader) => reader.indexerStatus()?.queue.consumers?.extract);
    await all.until(() => consumers() === 2, 'both to be there');
    for (const [n, path] of paths.entries()) await all.put(path, await letter(`gutter number ${n}`));
    const worked = new Set<IndexerProcess>();
    await untilRead(paths, () => {
      for (const one of both) if (!worked.has(one) && startedBy(one).length > 0) worked.add(one);
    });
    expect(worked.size).toBe(2);
  });

  it('lose nothing when one is killed in the middle of a scan, nor leave its readers behind', async () => {
    all = await indexerProcesses({});
    const pages = Array.from({ length: PAGES }, (_, n) => `Page ${n} of the ledger of the harbour council. `.repeat(4));
    await all.put('Files/ledger.pdf', await scannedPdf(pages));
    all.startWriter(WRITER);
    await waits('Files/ledger.pdf');
    const doomed = extractor();
    // The program that reads documents, and tesseract below it.
    await all.until(() => startedBy(doomed).length > 1, 'a page to be recognised');
    const started = startedBy(doomed);
    await doomed.kill('SIGKILL');
    await all.until(() => !started.some(isAlive), 'what it had started to end');
    expect(row('Files/ledger.pdf')?.reason).toBe('pending');

    extractor();
    await all.until(() => isRead('Files/ledger.pdf'), 'the scan, read by another');
    expect(row('Files/ledger.pdf')).toMatchObject({ reason: 'ocr', pages: { count: PAGES } });
    expect(failed()).toBe(0);
  });

  it('give the document in hand back when they are stopped', async () => {
    all = await indexerProcesses({});
    await all.put(
      'Files/ledger.pdf',
      await scannedPdf(Array.from({ length: PAGES }, (_, n) => `Page ${n}. `.repeat(30))),
    );
    all.startWriter(WRITER);
    const leaving = extractor();
    await all.until(() => startedBy(leaving).length > 0, 'the scan to be read');
    await leaving.kill('SIGTERM');
    expect(leaving.child.exitCode).toBe(0);
    extractor();
    await all.until(() => isRead('Files/ledger.pdf'), 'the scan, read by another');
  });
});

describe('an extract worker whose mount is not the writer’s vault', { timeout: 900_000 }, () => {
  const PATH = 'Files/letter.pdf';

  it('says at its start that it is empty, and of each document that it is not there', async () => {
    all = await indexerProcesses({});
    await all.put(PATH, await letter('roof'));
    all.startWriter(WRITER);
    const empty = await mount();
    const stranger = extractor(empty);
    await all.until(() => row(PATH)?.reason?.startsWith('pending: ') ?? false, 'the document to say what holds it up');
    expect(row(PATH)).toMatchObject({
      state: 'no_text',
      reason: expect.stringContaining('does not have it in its vault. Check that each extract worker'),
    });
    expect(stranger.log()).toContain('the vault is empty: is it mounted here?');
    expect(stranger.log()).toContain('documents are left to other workers');
    expect(stranger.log()).toContain(`${PATH}: not in ${empty}`);
    expect(stranger.child.exitCode).toBeNull();

    extractor();
    await all.until(() => isRead(PATH), 'its text, from one with the vault');
    expect(failed()).toBe(0);
  });

  it('reads nothing else than what the writer saw, and goes on once its copy has caught up', async () => {
    all = await indexerProcesses({});
    const now = await letter('roof');
    await all.put(PATH, now);
    const behind = await mount({ [PATH]: await letter('cellar') });
    all.startWriter(WRITER);
    const worker = extractor(behind);
    await all.until(() => row(PATH)?.reason?.includes('has other bytes') ?? false, 'the document to say so');
    expect(all.read((reader) => reader.counts())).toMatchObject({ documents: 1, chunks: 0, quarantined: 0 });

    await writeFile(join(behind, PATH), now);
    await all.until(() => isRead(PATH), 'its text, from the same worker');
    expect(worker.log()).toContain('documents are read again');
    expect(failed()).toBe(0);
  });

  it('leaves every document to the one that has them', async () => {
    all = await indexerProcesses({});
    const paths = Array.from({ length: 6 }, (_, n) => `Files/letter-${n}.pdf`);
    for (const [n, path] of paths.entries()) await all.put(path, await letter(`chimney number ${n}`));
    all.startWriter(WRITER);
    await waits(paths[0] as string);
    extractor(await mount({ 'Holiday.pdf': await letter('beach') }));
    await all.until(() => heldUp(paths) > 0, 'the wrong one to take a job');
    extractor();
    await untilRead(paths);
    expect(failed()).toBe(0);
  });

  it('asks for a document no longer that is gone from the vault', async () => {
    all = await indexerProcesses({});
    await all.put(PATH, await letter('roof'));
    all.startWriter(WRITER);
    extractor(await mount());
    await all.until(() => row(PATH)?.reason?.startsWith('pending: ') ?? false, 'the document to be held up');
    await rm(join(all.vaultPath, PATH));
    await all.until(() => all.read((reader) => reader.counts())?.documents === 0, 'it to be forgotten');
    const depth = () => all.read((reader) => reader.indexerStatus()?.queue.depth);
    await all.until(() => depth() === 0, 'the queue to be empty');
    expect(failed()).toBe(0);
  });
});
