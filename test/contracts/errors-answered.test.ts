// Every code of the closed table as the running server answers it: one call for each, with a real cause, held to the
// declared status, to `{code, error}` and nothing else, and to prose that names the next step.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServedContext } from '@vault-mcp/api/context';
import { startApi } from '@vault-mcp/api/start-api';
import { ERROR_STATUS, type ErrorCode } from '@vault-mcp/shared/errors';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JSON_BODY } from '../support/contract-checks.ts';
import { ABOUT, API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { canMount, mount, unmount } from '../support/small-disk.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const FILES = {
  'Garden/Pear tree.md': '# Pear tree\n\n## Pruning\n\nIn February.\n\n## Pruning\n\nIn February.\n',
  'Garden/Plum tree.md': '---\ntype: plant\n---\n# Plum tree\n',
  'Garden/Latin.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  'Files/scan.pdf': 'this is no PDF',
  'Files/atlas.pdf': Buffer.alloc(6000, 'x'),
  'Disk/.keep': '',
};
const LIMITS = { 'vault.note_max_bytes': 50_000, 'vault.doc_max_bytes': 5000 };

const mayMount = await canMount();
let served: ServedVault;
beforeAll(async () => {
  served = await serveVault(FILES, LIMITS);
});
afterAll(() => served.close());

/** A tool's error has no status of its own. */
interface Answer {
  readonly status: number | null;
  readonly body: unknown;
}

interface Case {
  /** What the answer is for. */
  readonly why: string;
  ask(): Promise<Answer>;
  /** Where the sentence says what to do. */
  readonly next: RegExp;
}

const PEAR = '/vault/Garden/Pear%20tree.md';
const PLUM = '/vault/Garden/Plum%20tree.md';

const ANSWERED: Record<ErrorCode, Case> = {
  not_found: { why: 'no such note', ask: () => get('/vault/Garden/Pear.md'), next: /listing, or search/ },
  already_exists: {
    why: 'a note at the destination',
    ask: () => move('Garden/Pear tree.md', 'Garden/Plum tree.md'),
    next: /choose another name/,
  },
  not_empty: { why: 'notes in the folder', ask: () => send('DELETE', '/folder/Garden'), next: /ask for "recursive"/ },
  invalid_path: { why: 'a dotted name', ask: () => write('/vault/.git/config'), next: /neither read nor written/ },
  out_of_scope: {
    why: 'another folder than the confined one',
    ask: writeOutOfScope,
    next: /Report that; do not retry/,
  },
  unsupported_suffix: { why: 'no note', ask: () => write('/vault/Garden/list.txt'), next: /end in "\.md"/ },
  is_directory: { why: 'a folder', ask: () => send('DELETE', '/vault/Garden'), next: /DELETE \/folder\// },
  not_a_directory: {
    why: 'a note',
    ask: () => send('DELETE', '/folder/Garden/Pear%20tree.md'),
    next: /remove it as a file/,
  },
  is_document: { why: 'a PDF', ask: () => patch('/vault/Files/scan.pdf', {}), next: /can be read, moved and deleted/ },
  kind_change: {
    why: 'a note made a PDF',
    ask: () => move('Garden/Pear tree.md', 'Garden/Pear tree.pdf'),
    next: /keep its suffix/,
  },
  no_such_heading: {
    why: 'no such heading',
    ask: () => patch(PLUM, { target: 'Pruning' }),
    next: /Use one of these targets: "Plum tree"/,
  },
  ambiguous_heading: {
    why: 'two of the name',
    ask: () => patch(PEAR, { target: 'Pruning' }),
    next: /Use one of these targets: .*Pruning\[2\]"/,
  },
  no_such_block: {
    why: 'no such block',
    ask: () => patch(PEAR, { targetType: 'block', target: '^x' }),
    next: /has no block ids/,
  },
  no_such_text: { why: 'no such text', ask: () => replace('March'), next: /Read the note and copy/ },
  ambiguous_text: { why: 'twice the text', ask: () => replace('February'), next: /lines 5, 9.* Find a longer text/ },
  no_frontmatter: { why: 'no frontmatter', ask: () => setKey(PEAR, 'tree'), next: /createTargetIfMissing/ },
  invalid_value: { why: 'null as a value', ask: () => setKey(PLUM, null), next: /to remove the key, delete it/ },
  unreadable: {
    why: 'no UTF-8',
    ask: () => patch('/vault/Garden/Latin.md', { target: 'x' }),
    next: /Convert it first/,
  },
  extraction_failed: { why: 'no PDF in truth', ask: () => get('/vault/Files/scan.pdf'), next: /\?raw/ },
  empty_document: { why: 'no bytes', ask: () => file('/vault/Files/new.pdf', ''), next: /Send the document/ },
  wrong_parent_folder: {
    why: 'a folder of another name',
    ask: () => file('/vault/Garden/new.pdf', 'x'),
    next: /Use "Garden\/Files\/new\.pdf"/,
  },
  document_too_large: {
    why: 'over doc_max_bytes',
    ask: () => get('/vault/Files/atlas.pdf'),
    next: /vault\.doc_max_bytes/,
  },
  note_too_large: {
    why: 'over note_max_bytes',
    ask: () => write('/vault/Garden/Long.md', 'x'.repeat(LIMITS['vault.note_max_bytes'] + 1)),
    next: /split the note, or raise vault\.note_max_bytes/,
  },
  invalid_request: {
    why: 'a misspelt parameter',
    ask: () => get('/search?q=a&prefx=b'),
    next: /Did you mean "prefix"/,
  },
  unauthorized: { why: 'no key', ask: () => get('/vault/', { authorization: '' }), next: /Authorization: Bearer/ },
  forbidden: {
    why: 'a foreign page',
    ask: () => get('/vault/', { origin: 'https://x.example' }),
    next: /allowed_hosts/,
  },
  method_not_allowed: { why: 'no such method', ask: () => send('PUT', '/search'), next: /GET, HEAD, POST/ },
  locked: { why: 'held by others', ask: writeHeld, next: /try again/ },
  precondition_failed: {
    why: 'another version',
    ask: () => send('DELETE', PEAR, { 'if-match': '"other"' }),
    next: /read it again/,
  },
  range_not_satisfiable: {
    why: 'past the end',
    ask: () => get(`${PEAR}?raw`, { range: 'bytes=9999-' }),
    next: /ask for a range/,
  },
  internal_error: { why: 'a vault without its folder', ask: searchWithoutVault, next: /try again/ },
  not_ready: { why: 'no index yet', ask: searchBeforeIndex, next: /Ask again in/ },
  insufficient_storage: { why: 'a full disk', ask: writeOnFullDisk, next: /free some space/ },
};

const cases = Object.entries(ANSWERED) as [keyof typeof ANSWERED, Case][];

describe('the running server', () => {
  for (const [code, { why, ask, next }] of cases) {
    // A disk is filled for real, and mounting a small one needs root.
    it.skipIf(code === 'insufficient_storage' && !mayMount)(`answers ${code} to ${why}`, async () => {
      const { status, body } = await ask();
      expect(body).toEqual({ code, error: expect.stringMatching(next) });
      expect(status ?? ERROR_STATUS[code]).toBe(ERROR_STATUS[code]);
      const { error } = body as { error: string };
      // Sentences, and nothing of where the vault lies or of what the system said.
      expect(error.split(/\s+/).length).toBeGreaterThan(5);
      expect(error).toMatch(/^["A-Z].*[.?)]$/s);
      expect(error).not.toContain(served.vaultPath);
      expect(error).not.toMatch(/\bE[A-Z]{4,}\b|Error:|\n\s+at /);
    });
  }
});

async function answerOf(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json'))
    throw new Error(`${response.status}, and no JSON: ${await response.text()}`);
  return { status: response.status, body: await response.json() };
}

async function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const given = body === undefined ? {} : { body };
  return answerOf(await served.get(path, { method, headers, ...given }));
}

function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send('GET', path, headers);
}

function write(path: string, text = '# New\n'): Promise<Answer> {
  return send('PUT', path, { 'content-type': 'text/markdown' }, text);
}

function file(path: string, bytes: string): Promise<Answer> {
  return send('PUT', path, { 'content-type': 'application/pdf' }, bytes);
}

function move(source: string, destination: string): Promise<Answer> {
  return send('POST', '/move', JSON_BODY, JSON.stringify({ source, destination }));
}

function patch(path: string, instruction: object): Promise<Answer> {
  return send(
    'PATCH',
    path,
    JSON_BODY,
    JSON.stringify({ target: 'x', operation: 'append', content: 'x', ...instruction }),
  );
}

function replace(find: string): Promise<Answer> {
  return send('PATCH', PEAR, JSON_BODY, JSON.stringify({ targetType: 'text', value: { find, replace: 'May' } }));
}

function setKey(path: string, value: unknown): Promise<Answer> {
  const headers = { ...JSON_BODY, 'target-type': 'frontmatter', target: 'type' };
  return send('PATCH', path, headers, JSON.stringify(value));
}

/** A tool's error is its code and its sentence, as one text. */
async function writeOutOfScope(): Promise<Answer> {
  const client = new Client({ name: 'errors', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp/only/Files', served.url), {
      requestInit: { headers: { authorization: `Bearer ${API_KEY}` } },
    }),
  );
  const answer = await client.callTool({ name: 'vault_write', arguments: { path: 'Garden/New.md', content: 'x' } });
  await client.close();
  const [first] = answer.content as { text: string }[];
  const [, code, error] = /^(\w+): (.*)$/s.exec(first?.text ?? '') ?? [];
  return { status: null, body: { code, error } };
}

/** A second server over the same vault, with a part of it changed. */
async function askOther(parts: Partial<ServedContext>, path: string, init: RequestInit = {}): Promise<Answer> {
  const server = await startApi({ ...served.context, ...parts }, { apiKey: API_KEY, about: ABOUT });
  try {
    const headers = { authorization: `Bearer ${API_KEY}`, ...init.headers };
    return await answerOf(await fetch(server.url + path, { ...init, headers }));
  } finally {
    await server.close();
  }
}

async function writeHeld(): Promise<Answer> {
  const { vault, config } = served.context;
  const others = await openPathLocks(config.data.path);
  const locks = await openPathLocks(config.data.path, { waitMs: 50 });
  const writer = createVaultWriter(vault, { locks, noteMaxBytes: config.vault.note_max_bytes });
  try {
    return await others.hold([{ path: parseVaultPath('Garden/Pear tree.md') }], () =>
      askOther({ locks, writer }, PEAR, { method: 'DELETE' }),
    );
  } finally {
    locks.close();
    others.close();
  }
}

async function searchWithoutVault(): Promise<Answer> {
  const folder = await createTempFolder('gone');
  const vault = await openVault(folder.path, served.context.vault);
  await folder.remove();
  return askOther({ vault }, '/search/simple/?query=a', { method: 'POST' });
}

function searchBeforeIndex(): Promise<Answer> {
  return askOther({ reader: openIndexReader('/nonexistent/index.db') }, '/search?q=a');
}

async function writeOnFullDisk(): Promise<Answer> {
  const disk = join(served.vaultPath, 'Disk');
  mount(disk);
  try {
    await expect(writeFile(join(disk, 'filler'), Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'ENOSPC' });
    return await write('/vault/Disk/New.md', 'x'.repeat(20_000));
  } finally {
    unmount(disk);
  }
}
