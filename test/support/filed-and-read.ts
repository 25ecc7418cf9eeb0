/**
 * Documents on their way through the whole product: filed over REST or dropped into the folder, read by the real extraction
 * processes of an indexer and of a worker beside it, indexed, and asked for again. Two readers, because the machines that run
 * this have two cores. Danger: the documents are hostile, so nothing here may open one.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { type ProcessFamily, watchFamily } from './process-family.ts';
import { KEY, type Program, type TwoPrograms, twoPrograms } from './two-programs.ts';

const ALL_READ_MS = 1_500_000;

/** What the api says of a document. */
export interface Told {
  readonly extraction: string;
  readonly detail: string;
  readonly content: string;
}

export interface Reading {
  readonly both: TwoPrograms;
  readonly family: ProcessFamily;
  /** Over REST, without waiting for its text; expects it to be taken. */
  file(path: string, bytes: Buffer): Promise<void>;
  /** Answer to a PUT of it. */
  put(path: string, bytes: Buffer): Promise<{ status: number; body: string }>;
  /** As a sync program does: straight to the disk. */
  drop(path: string, bytes: Buffer): void;
  /**
   * Of every document that was filed or dropped, by path, once none of them is waited for. First a note is written, and
   * expected to be found while they wait.
   */
  allReadBehindNote(): Promise<ReadonlyMap<string, Told>>;
  /** Paths of those whose bytes are not what was filed, and of files nobody put there. */
  changedOnDisk(): string[];
  /** Expects both programs, and the worker, to be the processes that were started, and well. */
  expectAlive(): Promise<void>;
  close(): Promise<void>;
}

/** @param environment of the processes that read */
export async function startReading(environment: Record<string, string>): Promise<Reading> {
  const both = await twoPrograms({ 'Home.md': '# Home\n\nThe chimney was swept.\n' });
  const settings = { ...environment, TMPDIR: join(both.dataPath, '../temporary') };
  mkdirSync(settings.TMPDIR);
  const programs = [both.startApi({ TMPDIR: settings.TMPDIR }), both.startIndexer(settings)];
  await ready(both);
  programs.push(both.startIndexer({ ...settings, INDEXER_ROLES: 'extract' }));
  const [, ...readers] = programs;
  const family = watchFamily(readers.map(({ child }) => child.pid ?? 0));
  const hashes = new Map<string, string>();
  const note = (path: string, bytes: Buffer) => hashes.set(path, sha256(bytes));

  const put = async (path: string, bytes: Buffer) => {
    const url = `${both.url}/vault/${path.split('/').map(encodeURIComponent).join('/')}?wait=0`;
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/pdf' };
    const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
    return { status: answer.status, body: await answer.text() };
  };
  return {
    ...{ both, family, put },
    async file(path, bytes) {
      const { status, body } = await put(path, bytes);
      expect([path, status, JSON.parse(body).status]).toEqual([path, 200, 'filed']);
      note(path, bytes);
    },
    drop(path, bytes) {
      mkdirSync(dirname(join(both.vaultPath, path)), { recursive: true });
      writeFileSync(join(both.vaultPath, path), bytes);
      note(path, bytes);
    },
    async allReadBehindNote() {
      writeFileSync(join(both.vaultPath, 'Meanwhile.md'), 'Written meanwhile, about marmalade.\n');
      const isFound = async () => (await both.search('marmalade')).includes('Meanwhile.md');
      await both.until(isFound, 'a note written while documents wait');
      return await allRead(both, hashes.keys());
    },
    changedOnDisk: () => [...changedIn(both.vaultPath, hashes), ...readdirSync(settings.TMPDIR)],
    expectAlive: () => expectAlive(both, programs),
    async close() {
      family.stop();
      await both.close();
    },
  };
}

async function ready(both: TwoPrograms): Promise<void> {
  await both.until(async () => (await both.get('/readyz')).status === 200, 'readiness');
}

async function onceRead(both: TwoPrograms, path: string, deadline: number): Promise<Told> {
  const url = `/vault/${path.split('/').map(encodeURIComponent).join('/')}`;
  const read = async () => {
    const { status, body } = await both.get(url);
    expect([path, status]).toEqual([path, 200]);
    const { extraction, detail, content } = body;
    return extraction === 'pending'
      ? null
      : { extraction: String(extraction), detail: String(detail ?? ''), content: String(content) };
  };
  return await vi.waitUntil(read, { timeout: Math.max(1, deadline - Date.now()), interval: 100 });
}

async function isIdle(both: TwoPrograms): Promise<boolean> {
  return ((await both.get('/readyz')).body.queue as { depth: number }).depth === 0;
}

function changedIn(vaultPath: string, hashes: ReadonlyMap<string, string>): string[] {
  const wrong = [...hashes].filter(([path, hash]) => sha256(readFileSync(join(vaultPath, path))) !== hash);
  const files = readdirSync(vaultPath, { recursive: true, encoding: 'utf8' });
  // Notes, and the product's own folders, are not what this is about.
  const stray = files.filter(
    (path) => !(hashes.has(path) || path.endsWith('.md') || statSync(join(vaultPath, path)).isDirectory()),
  );
  return [...wrong.map(([path]) => path), ...stray];
}

async function expectAlive(both: TwoPrograms, programs: readonly Program[]): Promise<void> {
  for (const { child } of programs) expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  expect((await fetch(`${both.url}/healthz`)).status).toBe(200);
  await ready(both);
  const { queue } = (await both.get('/readyz')).body;
  expect(queue).toMatchObject({ ok: true, failed: 0 });
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function allRead(both: TwoPrograms, paths: Iterable<string>): Promise<ReadonlyMap<string, Told>> {
  const told = new Map<string, Told>();
  const deadline = Date.now() + ALL_READ_MS;
  for (const path of paths) told.set(path, await onceRead(both, path, deadline));
  // What was asked for twice may still be read a second time.
  await vi.waitUntil(() => isIdle(both), { timeout: Math.max(1, deadline - Date.now()), interval: 200 });
  return told;
}
