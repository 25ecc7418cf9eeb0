/**
 * Many callers at once, over both surfaces of one server and of two that share a vault: whatever was answered as done
 * is on the disk exactly once, and whatever was refused is nowhere.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type Answered, type Asked, connectTo } from '../support/parity/ask.ts';
import { ifMatch, move, patch, patchJson, post, put, remove, tool } from '../support/parity/calls.ts';
import { etagOf, type RestCall, type ToolCall } from '../support/parity/row.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { KEY, type TwoPrograms, twoPrograms } from '../support/two-programs.ts';
import { contentOf } from '../support/writable-vault.ts';

const MANY = 200;
const RACERS = 20;

type Call = RestCall | ToolCall;

/** Each racer's own words, found nowhere else. */
const words = (n: number) => `entry-${String(n).padStart(3, '0')}`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const codes = (answers: readonly Answered[]) => answers.map(({ code }) => code);
const count = (text: string, part: string) => text.split(part).length - 1;

/** Asks all of them at once, each server in turn. */
function askAtOnce(servers: readonly Asked[], calls: readonly Call[]): Promise<Answered[]> {
  return Promise.all(calls.map((call, n) => (servers[n % servers.length] as Asked).ask(call)));
}

/** Every second one over MCP. The servers take turns in pairs, so that each is asked over both. */
const alternating = (n: number, rest: RestCall, mcp: ToolCall): Call => (n % 2 === 0 ? rest : mcp);

async function appendMany(servers: readonly Asked[], read: () => Promise<string>): Promise<void> {
  const calls = numbers(MANY).map((n) => {
    const content = `- ${words(n)}`;
    return alternating(n, post('Log.md', content), tool('append', { path: 'Log.md', content }));
  });
  const inPairs = numbers(MANY).map((n) => servers[Math.floor(n / 2) % servers.length] as Asked);
  const answers = await Promise.all(calls.map((call, n) => (inPairs[n] as Asked).ask(call)));
  expect(new Set(codes(answers))).toEqual(new Set(['ok']));
  const text = await read();
  const [head, ...items] = text.trimEnd().split('\n- ');
  expect(head).toBe('# Log\n');
  expect(items.toSorted()).toEqual(numbers(MANY).map(words));
  const etags = answers.map(({ answer }) => answer?.etag);
  expect(new Set(etags).size).toBe(MANY);
  expect(etags).toContain(etagOf(text));
}

/** What was done is in the vault or its trash once, what was refused is nowhere. */
async function expectAccounted(root: string, answers: readonly Answered[], refusals: readonly string[]): Promise<void> {
  const all = Object.values(await contentOf(root)).join('\n');
  const found = answers.map(({ code }, n) => [words(n), code, count(all, words(n))]);
  expect(found).toEqual(
    answers.map(({ code }, n) => [words(n), expect.toBeOneOf(['ok', ...refusals]), code === 'ok' ? 1 : 0]),
  );
}

/** Calls that may not make a note, before, during and after the move of the folder that their notes are in. */
async function appendWhileMoving(servers: readonly Asked[], root: string): Promise<void> {
  const [mover] = servers as [Asked];
  const notes = numbers(5).map((n) => `Old/Note ${n}.md`);
  for (const path of notes) await mover.ask(put(path, `# ${path}\n\nSee [[Log]].\n`));
  const append = (n: number) => {
    const [path = '', content] = [notes[n % notes.length], words(n)];
    const asBody = patchJson(path, { targetType: 'body', operation: 'append', content });
    const call = alternating(n, asBody, tool('append', { path, content }));
    return (servers[Math.floor(n / 2) % servers.length] as Asked).ask(call);
  };
  const first = await append(0);
  const early = numbers(40).slice(1).map(append);
  const moving = mover.ask(move({ source: 'Old', destination: 'New' }));
  const late = numbers(80).slice(40).map(append);
  const answers = [first, ...(await Promise.all([...early, ...late]))];
  expect(await moving).toMatchObject({ code: 'ok', answer: { kind: 'folder', left: [] } });
  answers.push(await append(80));
  expect([first.code, answers.at(-1)?.code]).toEqual(['ok', 'not_found']);
  await expectAccounted(root, answers, ['not_found']);
  const left = await contentOf(root);
  expect(Object.keys(left).filter((path) => path.startsWith('Old'))).toEqual([]);
  for (const path of notes) expect(left[path.replace('Old', 'New')]).toContain(`# ${path}\n\nSee [[Log]].\n`);
}

describe('one server', () => {
  let served: ServedVault;
  let server: Asked;
  beforeEach(async () => {
    served = await serveVault({ 'Log.md': '# Log\n' }, {}, { indexed: false });
    server = await connectTo({ url: served.url, headers: { authorization: `Bearer ${API_KEY}` } });
  });
  afterEach(async () => {
    await server.close();
    await served.close();
  });

  const read = (path: string) => readFile(join(served.vaultPath, path), 'utf8');

  it('keeps every one of many appends to one note, and each answers another version', async () => {
    await appendMany([server], () => read('Log.md'));
  });

  it('keeps every one of many patches of one note, each in its own place', async () => {
    const sections = numbers(10);
    const note = `---\ntitle: Parts\n---\n# Parts\n${sections.map((n) => `\n## Part ${n}\n\nText ${n}.\n`).join('')}`;
    await server.ask(put('Parts.md', note));
    const calls = numbers(MANY).map((n): Call => {
      const [target, content] = [`Part ${n % sections.length}`, words(n)];
      const headers = { Operation: 'append', Target: encodeURIComponent(target) };
      const kinds: readonly Call[] = [
        patch('Parts.md', headers, content),
        tool('patch', { path: 'Parts.md', operation: 'append', target, content }),
        patchJson('Parts.md', { operation: 'prepend', target, content }),
        tool('replace_text', { path: 'Parts.md', find: `## ${target}\n`, replace: `## ${target}\n\n${content}\n` }),
        tool('set_frontmatter', { path: 'Parts.md', key: `key-${n}`, value: content }),
      ];
      // By tens, so that each part gets patches of every kind.
      return kinds[Math.floor(n / sections.length) % kinds.length] as Call;
    });
    const answers = await askAtOnce([server], calls);
    expect(new Set(codes(answers))).toEqual(new Set(['ok']));
    const [block = '', ...parts] = (await read('Parts.md')).split(/^## /m);
    for (const n of numbers(MANY)) {
      const isKey = Math.floor(n / sections.length) % 5 === 4;
      const place = isKey ? block : (parts[n % sections.length] ?? '');
      expect([words(n), count(place, isKey ? `key-${n}: ${words(n)}\n` : `\n${words(n)}\n`)]).toEqual([words(n), 1]);
    }
    for (const n of sections) expect(parts[n]).toMatch(new RegExp(`^Part ${n}\n[^]*^Text ${n}\\.$`, 'm'));
  });

  it('lets one of many writers of the same version win, and tells the others which one there is now', async () => {
    const before = etagOf('# Log\n');
    const expected = { expected_etag: before };
    const calls = numbers(RACERS).map((n): Call => {
      const [path, content] = ['Log.md', `${words(n)}\n`];
      const kinds: readonly Call[] = [
        put(path, content, ifMatch(before)),
        tool('write', { path, content, overwrite: true, ...expected }),
        patchJson(path, { targetType: 'body', operation: 'replace', content, ifMatch: before }),
        tool('append', { path, content, ...expected }),
        post(path, content, ifMatch(before)),
        tool('set_body', { path, content, ...expected }),
      ];
      return kinds[n % kinds.length] as Call;
    });
    const answers = await askAtOnce([server], calls);
    const now = etagOf(await read('Log.md'));
    const [winner, ...more] = answers.filter(({ code }) => code === 'ok');
    expect([winner?.answer?.etag, more]).toEqual([now, []]);
    const losers = answers.filter((answer) => answer !== winner);
    expect(new Set(codes(losers))).toEqual(new Set(['precondition_failed']));
    for (const { message } of losers) expect(message).toContain(now);
    await expectAccounted(served.vaultPath, answers, ['precondition_failed']);
  });

  it('lets one of many makers of a note make it', async () => {
    const onlyNew = { headers: { 'If-None-Match': '*' } };
    const calls = numbers(RACERS).map((n) => {
      const [path, content] = ['Made/New.md', words(n)];
      return alternating(n, put(path, content, onlyNew), tool('write', { path, content }));
    });
    const answers = await askAtOnce([server], calls);
    expect(answers.filter(({ code }) => code === 'ok')).toHaveLength(1);
    await expectAccounted(served.vaultPath, answers, ['precondition_failed', 'already_exists']);
  });

  it('loses nothing that is appended to the notes of a folder while that moves', async () => {
    await appendWhileMoving([server], served.vaultPath);
  });

  it('loses nothing that is appended to a note while that is deleted', async () => {
    const append = (n: number) =>
      server.ask(alternating(n, post('Log.md', words(n)), tool('append', { path: 'Log.md', content: words(n) })));
    const first = await append(0);
    const early = numbers(20).slice(1).map(append);
    const deleting = server.ask(remove('Log.md'));
    const late = numbers(40).slice(20).map(append);
    const answers = [first, ...(await Promise.all([...early, ...late]))];
    const { answer } = await deleting;
    expect(answer).toMatchObject({ trashed: '.trash/Log.md' });
    // What came before went with it; what POST brought after made the note anew.
    await expectAccounted(served.vaultPath, answers, ['not_found']);
    const trashed = await read('.trash/Log.md');
    expect(trashed).toContain(words(0));
    const { code } = await server.ask(tool('read', { path: 'Log.md' }));
    const made = answers.filter((each) => each.code === 'ok' && each.answer?.created === true);
    expect(made).toHaveLength(code === 'ok' ? 1 : 0);
  });
});

describe('two servers on one vault and one data folder', () => {
  let both: TwoPrograms;
  let servers: Asked[];
  beforeEach(async () => {
    both = await twoPrograms({ 'Log.md': '# Log\n' });
    const port = await freePort();
    both.startApi();
    both.startApi({ BIND_PORT: String(port) });
    const headers = { authorization: `Bearer ${KEY}` };
    const urls = [both.url, `http://127.0.0.1:${port}`];
    for (const url of urls) await both.until(async () => (await fetch(`${url}/healthz`)).ok, url);
    servers = await Promise.all(urls.map((url) => connectTo({ url, headers })));
  });
  afterEach(async () => {
    for (const server of servers ?? []) await server.close();
    await both?.close();
  });

  const read = (path: string) => readFile(join(both.vaultPath, path), 'utf8');

  it('keep every one of many appends to one note', async () => {
    await appendMany(servers, () => read('Log.md'));
  });

  it('lose nothing that is appended to the notes of a folder while that moves', async () => {
    await appendWhileMoving(servers, both.vaultPath);
  });

  it('let one of many writers of the same version win', async () => {
    await (servers[0] as Asked).ask(put('Race.md', 'start'));
    const etag = etagOf('start');
    const calls = numbers(RACERS).map((n) => put('Race.md', words(n), ifMatch(etag)));
    const answers = await askAtOnce(servers, calls);
    const winners = numbers(RACERS).filter((n) => answers[n]?.code === 'ok');
    expect(winners.map(words)).toEqual([await read('Race.md')]);
    expect(codes(answers).filter((code) => code === 'precondition_failed')).toHaveLength(RACERS - 1);
  });

  it('let one of many makers of a note, and of the folders above it, make it', async () => {
    const calls = numbers(RACERS).map((n) => put('Made/Here/New.md', words(n), { headers: { 'If-None-Match': '*' } }));
    const answers = await askAtOnce(servers, calls);
    const winners = numbers(RACERS).filter((n) => answers[n]?.code === 'ok');
    expect(winners.map(words)).toEqual([await read('Made/Here/New.md')]);
    expect(codes(answers).filter((code) => code === 'precondition_failed')).toHaveLength(RACERS - 1);
  });
});
