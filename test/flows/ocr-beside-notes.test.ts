/**
 * `vault-mcp serve` while it reads a scan that takes minutes: one process with its indexer on a thread, where notes and
 * documents could stand in each other's way. What counts is the order things are done in, never how long they take.
 * Only Linux tells from outside whether tesseract runs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { build, textImage } from '../fixtures/pdf-files.ts';
import { CliHome } from '../support/cli.ts';

/** Ten minutes of tesseract: not read before the rest of a test is done, however slow the machine. */
const PAGES = 300;
const SCAN = 'Files/ledger.pdf';
const KEY = 'key-of-this-test';
const ENVIRONMENT = { WATCH_DEBOUNCE_SECONDS: '0.1', VAULT_MCP_API_KEY: KEY };

type Json = Record<string, unknown>;

let home: CliHome;
let url: string;

beforeEach(async () => {
  home = new CliHome();
  home.write('Home.md', '# Home\n\nThe chimney was swept.\n');
  const served = home.start(['serve', '--port', '0', '--json', '--lexical', ...home.here], ENVIRONMENT);
  url = JSON.parse((await served.until(/\n/)).split('\n')[0] ?? '').url;
  await eventually(async () => expect((await get('/readyz')).status).toBe('ready'));
  await put(`/vault/${SCAN}?wait=0`, await longScan());
  await eventually(() => expect(namesBelow(served.child.pid as number)).toContain('tesseract'));
});
afterEach(() => home.close());

/** The types keep to themselves that a picture may be opened once and drawn often. */
type Opener = { openImage(picture: Buffer): Buffer };

async function longScan(): Promise<Buffer> {
  const picture = await textImage('The gutters of the house next door leak. '.repeat(40));
  let opened: Buffer | undefined;
  return await build(PAGES, (doc) => {
    // Once, so that the file is small: what is read of it is the same.
    opened ??= (doc as unknown as Opener).openImage(picture);
    doc.image(opened, 0, 0, { width: doc.page.width, height: doc.page.height });
  });
}

async function call(path: string, init: RequestInit = {}): Promise<Json> {
  const answer = await fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
  });
  return (await answer.json()) as Json;
}
const get = (path: string) => call(path);
const put = (path: string, body: string | Buffer) =>
  call(path, { method: 'PUT', body: typeof body === 'string' ? body : new Uint8Array(body) });

/** Notes that hold the word: a search without an embedder answers with what is spelt alike as well. */
async function found(word: string): Promise<string[]> {
  const { results } = await get(`/search?q=${encodeURIComponent(word)}`);
  return (results as { path: string; text: string }[])
    .filter(({ text }) => text.includes(word))
    .map(({ path }) => path);
}

async function eventually(holds: () => unknown): Promise<void> {
  await vi.waitFor(holds, { timeout: 60_000, interval: 50 });
}

/** Programs among the descendants of a process. */
function namesBelow(ancestor: number): string[] {
  const all = new Map<number, { name: string; parent: number }>();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'latin1')) ?? [];
      all.set(Number(id), { name, parent: Number(parent) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (id: number | undefined): boolean =>
    id !== undefined && (id === ancestor || isBelow(all.get(id)?.parent));
  return [...all].filter(([id]) => isBelow(id)).map(([, { name }]) => name);
}

async function expectScanStillRead(): Promise<void> {
  expect(await get(`/vault/${SCAN}?map`)).toMatchObject({ extraction: 'pending' });
}

describe.skipIf(process.platform !== 'linux')('while a scan of 300 pages is read', { timeout: 180_000 }, () => {
  it('a note that is written is found', async () => {
    expect(await put('/vault/Pantry/Jam.md?wait=indexed&timeout=60', 'Quince jelly.\n')).toMatchObject({
      indexed: 'indexed',
    });
    expect(await found('Quince')).toEqual(['Pantry/Jam.md']);
    await expectScanStillRead();
  });

  it('a note that was saved by an editor is found, and a changed one by its new words alone', async () => {
    home.write('Shed/Mower.md', 'The mower needs a gasket.\n');
    home.write('Home.md', '# Home\n\nThe cistern was emptied.\n');
    await eventually(async () => expect(await found('gasket')).toEqual(['Shed/Mower.md']));
    await eventually(async () => expect(await found('cistern')).toEqual(['Home.md']));
    expect(await found('chimney')).toEqual([]);
    await expectScanStillRead();
  });

  it('a note that is moved or deleted is where it is, or gone', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ source: 'Home.md', destination: 'House/Home.md' });
    const moved = await fetch(`${url}/move`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${KEY}` },
      body,
    });
    expect(moved.status).toBe(200);
    await eventually(async () => expect(await found('chimney')).toEqual(['House/Home.md']));
    await call('/vault/House/Home.md', { method: 'DELETE' });
    await eventually(async () => expect(await found('chimney')).toEqual([]));
    await expectScanStillRead();
  });
});
