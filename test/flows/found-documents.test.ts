/**
 * Documents beside the notes about them, over REST on the real server and indexer: what names a hit in one, who comes
 * first, and what becomes of links and bytes when one is moved or deleted.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textPdf } from '../fixtures/pdf-files.ts';
import { HTTP_CLIENTS, textOf } from '../support/mcp-clients.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const FILLING = 'The parties agree on the terms that follow, and on nothing else besides. ';
/** Slides: each page far shorter than the smallest chunk of a note; then a page of several chunks. */
const SLIDES = [
  'Roadmap',
  'Gross margin of the quarter',
  `Appendix. ${'All figures are audited. '.repeat(12)}`,
  'Thank you',
];
const LONG_PAGE = `${FILLING.repeat(20)}The penalty clause names quadrillions. ${FILLING.repeat(12)}`;
const POLICY = `Household policy HP-4711-22. The premium is 231 euros a year, due in March. ${FILLING.repeat(4)}`;
const NOTES = {
  'Insurance/Household.md':
    '# Household insurance\n\nFrom [[Files/policy.pdf]]: HP-4711-22, premium 231 euros a year, due in March.\n',
  'Insurance/Claims.md': '# Claims\n\nSee [the policy](Files/policy.pdf#page=1) and ![[policy.pdf]].\n',
  'Garden.md': '# Garden\n\nPears and plums.\n',
};

const connectV1 = (HTTP_CLIENTS.at(-1) as (typeof HTTP_CLIENTS)[number])[1];

interface Hit {
  path: string;
  kind: string;
  page?: number;
  line: number;
  text: string;
  pinned: boolean;
  explain: { weight: number };
}

let served: ServedVault;
let policy: Buffer;
beforeAll(async () => {
  served = await serveVault(NOTES);
  policy = await textPdf([POLICY]);
  await put('Insurance/Files/policy.pdf', policy);
  await put('Files/slides.pdf', await textPdf(SLIDES));
  await put('Files/contract.pdf', await textPdf(['First page. '.repeat(20), LONG_PAGE]));
});
afterAll(() => served?.close());

async function put(path: string, pdf: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const url = `${served.url}/vault/${path}?wait=indexed&timeout=60`;
  const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(pdf) });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ extraction: 'extracted' })]);
}

async function search(query: string): Promise<Hit[]> {
  const headers = { accept: 'application/json' };
  const answer = await served.get(`/search?explain=true&q=${encodeURIComponent(query)}`, { headers });
  return ((await answer.json()) as { results: Hit[] }).results;
}

async function linesOf(path: string): Promise<string[]> {
  const answer = await served.get(`/vault/${path}`);
  return (await answer.text()).split('\n');
}

describe('a hit in a document', () => {
  it.each(SLIDES.slice(0, 3).map((text, index) => [text.slice(0, 20), index + 1] as const))(
    'names its page, however short: %s',
    async (words, page) => {
      const [hit] = await search(words);
      expect(hit).toMatchObject({ path: 'Files/slides.pdf', kind: 'document', page });
      expect(hit?.text).toContain(words);
    },
  );

  it('names the line of the document’s text, on a page of several passages', async () => {
    const [hit] = await search('quadrillions');
    expect(hit).toMatchObject({ path: 'Files/contract.pdf', page: 2 });
    const lines = await linesOf('Files/contract.pdf');
    const before = lines.slice(0, hit?.line).join('\n');
    expect(before).toContain('## Page 2');
    expect(lines.slice((hit?.line ?? 0) - 1).join('\n')).toContain('quadrillions');
    expect(lines.slice(0, (hit?.line ?? 0) - 1).join('\n')).not.toContain('quadrillions');
  });

  it.each(HTTP_CLIENTS)('is told over MCP too, to %s', async (_name, connectClient) => {
    const client = await connectClient({ url: new URL('/mcp', served.url), fetch });
    const answer = await client.call('vault_search', { query: 'Gross margin' });
    await client.close();
    expect(textOf(answer)).toMatch(/\[1\] Files\/slides\.pdf, page 2, line \d+ \|/);
    expect(answer.structuredContent?.results).toContainEqual(expect.objectContaining({ page: 2 }));
  });

  it('names a page that can be read alone, over REST and MCP', async () => {
    const [hit] = await search('quadrillions');
    const section = `Page ${hit?.page}`;
    const page = await (await served.get(`/vault/${hit?.path}?section=${encodeURIComponent(section)}`)).text();
    expect(page).toMatch(/^## Page 2\n[\s\S]*quadrillions/);
    expect(page).not.toContain('First page');
    const client = await connectV1({ url: new URL('/mcp', served.url), fetch });
    const read = await client.call('vault_read', { path: hit?.path, section });
    expect(read.structuredContent).toMatchObject({ content: page, section, total_chars: page.length });
    const refused = await client.call('vault_read', { path: hit?.path, section: 'Page 9' });
    expect(textOf(refused)).toMatch(/no_such_heading.*Pages with text: 1, 2\./);
    await client.close();
  });

  it('has no page in a note', async () => {
    const [hit] = await search('Pears and plums');
    expect([hit?.path, hit && 'page' in hit]).toEqual(['Garden.md', false]);
  });
});

describe('a note that was made from a document', () => {
  it.each(['HP-4711-22', 'household premium due in March', 'What is the premium of HP-4711-22?', 'premium 231 euros'])(
    'comes before it: %s',
    async (query) => {
      const hits = await search(query);
      const paths = hits.map(({ path }) => path);
      expect(paths.slice(0, 2)).toEqual(['Insurance/Household.md', 'Insurance/Files/policy.pdf']);
      // The document says the same words, and counts for less.
      const weights = hits.slice(0, 2).map(({ kind, explain }) => [kind, explain.weight]);
      expect(weights).toEqual([
        ['note', 1],
        ['document', 0.7],
      ]);
    },
  );

  it('does not hide a document that is asked for by its name', async () => {
    expect((await search('policy'))[0]?.path).toBe('Insurance/Files/policy.pdf');
  });
});

describe('a document that is moved', () => {
  it('keeps its bytes, is found where it is, and every link follows', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({
      source: 'Insurance/Files/policy.pdf',
      destination: 'Archive/Files/household policy.pdf',
    });
    const moved = await served.get('/move', { method: 'POST', headers, body });
    expect([moved.status, await moved.json()]).toEqual([
      200,
      expect.objectContaining({ links_updated: 3, notes_updated: 2 }),
    ]);
    expect(readFileSync(join(served.vaultPath, 'Archive/Files/household policy.pdf'))).toEqual(policy);
    const note = (name: string) => readFileSync(join(served.vaultPath, 'Insurance', name), 'utf8');
    expect(note('Household.md')).toContain('From [[Files/household policy.pdf]]: HP-4711-22');
    expect(note('Claims.md')).toMatch(
      /\[the policy\]\([^)]*household%20policy\.pdf#page=1\) and !\[\[household policy\.pdf\]\]/,
    );
    await expect
      .poll(async () => (await search('HP-4711-22')).map(({ path }) => path))
      .toEqual(expect.arrayContaining(['Archive/Files/household policy.pdf', 'Insurance/Household.md']));
  });
});

describe('a document that is deleted', () => {
  it('goes to the trash byte for byte, the notes that link to it are named, and it is found no more', async () => {
    const path = 'Archive/Files/household policy.pdf';
    const answer = await served.get(`/vault/${encodeURI(path)}`, { method: 'DELETE' });
    expect(await answer.json()).toMatchObject({
      ...{ path, kind: 'document', permanent: false, trashed: `.trash/${path}` },
      linked_from: ['Insurance/Claims.md', 'Insurance/Household.md'],
    });
    expect(readFileSync(join(served.vaultPath, '.trash', path))).toEqual(policy);
    await expect.poll(async () => (await search('HP-4711-22')).map((hit) => hit.path)).not.toContain(path);
  });
});
