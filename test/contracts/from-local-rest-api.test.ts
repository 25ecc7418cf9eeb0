/**
 * docs/from-local-rest-api.md against the running server: what it calls absent is refused with a sentence that says what
 * to use, and what it calls served is in openapi.yaml.
 */
import { ABSENT_PLUGIN_ROUTES } from '@vault-mcp/api/http/plugin-absent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { page, rowsOf } from '../support/doc-pages.ts';
import { readOperations } from '../support/openapi.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const PAGE = page('docs/from-local-rest-api.md');

interface Row {
  readonly route: string;
  readonly methods: readonly string[];
  readonly verdict: string;
  readonly rest: string;
}

const rows: Row[] = rowsOf(PAGE, '## Every route').map(([route = '', methods = '', verdict = '', rest = '']) => ({
  route: route.replaceAll('`', ''),
  methods: methods.split(', '),
  verdict,
  rest,
}));
const absent = rows.filter(({ verdict }) => verdict.startsWith('absent'));
const calls = absent.flatMap((row) => row.methods.map((method) => [method, row.route, row] as const));

/** Our own calls that a text names. */
const namedCalls = (text: string) =>
  [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, call = '']) => call);

/** A path as a caller would fill it in. */
const filled = (route: string) =>
  route
    .replace('{file}', 'Note.md')
    .replace('{folder}', 'Folder')
    .replaceAll(/\{[a-z]+\}/g, 'a');

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault({ 'Note.md': '# Note\n\n## a\n\nText\n', 'Folder/Other.md': '# Other\n' });
});
afterAll(() => served.close());

describe('a route of the plugin', () => {
  it('is called same, different or absent', () => {
    for (const { verdict } of rows) expect(verdict).toMatch(/^(same|different|absent( \(4\d\d\))?)$/);
  });

  it.each(calls)('%s %s, being absent, is refused with what to use instead', async (method, route, { verdict }) => {
    const status = Number(/\((\d+)\)/.exec(verdict)?.[1] ?? 404);
    const answer = await served.get(filled(route), { method });
    const { code, error } = (await answer.json()) as { code: string; error: string };
    expect([answer.status, code, error]).toEqual([status, expect.any(String), expect.any(String)]);
    if (route.startsWith('/vault/{file}/')) expect(error).toMatch(/\?section=.*PATCH/);
    if (status !== 404) return;
    expect(code).toBe('not_found');
    expect(error).toContain(`${route} of Obsidian's Local REST API plugin is not served here.`);
  });

  it('is not told apart from any other path without the key', async () => {
    for (const { route } of ABSENT_PLUGIN_ROUTES) {
      const answer = await fetch(new URL(filled(route), served.url));
      expect([route, answer.status]).toEqual([route, 401]);
      expect(await answer.text()).not.toContain('plugin');
    }
  });

  it('stands on the page exactly when the server knows that it is absent', () => {
    const listed = absent.filter(({ verdict }) => verdict === 'absent').map(({ route }) => route);
    // A slip of ours, not a route of the plugin's: the slash is missing.
    const known = ABSENT_PLUGIN_ROUTES.map(({ route }) => route).filter((route) => route !== '/search/simple');
    expect(listed.toSorted()).toEqual(known.toSorted());
  });

  it('is served as the page says, and what it names instead is served too', async () => {
    const ours = (await readOperations()).map(({ method, path }) => `${method} ${path}`);
    for (const { route, verdict, rest } of rows) {
      const named = namedCalls(rest);
      if (!verdict.startsWith('absent')) expect(named, route).not.toEqual([]);
      expect([route, named.filter((call) => !ours.includes(call))]).toEqual([route, []]);
    }
    const advised = ABSENT_PLUGIN_ROUTES.flatMap(({ instead }) => [
      ...instead.matchAll(/\b((?:GET|POST) \/[a-z/]+)/g),
    ]).map(([, call = '']) => call);
    expect(advised.length).toBeGreaterThan(5);
    for (const call of advised)
      expect(
        ours.some((each) => each.startsWith(call)),
        call,
      ).toBe(true);
  });
});

describe('a header or field of PATCH', () => {
  const patchRows = rowsOf(PAGE, '## PATCH').map(([header = '', field = '', here = '']) => ({
    header: header.replaceAll('`', ''),
    field: field.replaceAll('`', ''),
    here,
  }));
  const SENT: Record<string, string> = {
    Within: '-1',
    Destination: '{"parent":null,"place":"last"}',
    'Reject-If-Content-Preexists': 'true',
    'Trim-Target-Whitespace': 'true',
    'Apply-If-Content-Preexists': 'true',
    'Markdown-Patch-Version': '1',
    'Create-Target-If-Missing': 'true',
    'Target-Delimiter': '::',
    'Target-Scope': 'own',
    'If-Match': '*',
  };
  const instruction = { targetType: 'heading', target: 'a', operation: 'append', content: 'More.' };
  const patch = (headers: Record<string, string>, body: string) =>
    served.get('/vault/Note.md?dry_run', { method: 'PATCH', headers, body });

  it.each(patchRows.filter(({ header }) => header in SENT))(
    '$header is taken or refused as the page says',
    async (row) => {
      const headers = { operation: 'append', target: 'a', 'content-type': 'text/markdown' };
      const answer = await patch({ ...headers, [row.header]: SENT[row.header] ?? '' }, 'More.');
      expect([row.header, answer.status]).toEqual([row.header, row.here.startsWith('refused') ? 400 : 200]);
    },
  );

  it.each(patchRows.filter(({ field, here }) => field !== '' && here.startsWith('refused')))(
    '$field is refused, and says why',
    async ({ header, field }) => {
      const value: unknown = JSON.parse(SENT[header] ?? '');
      const answer = await patch(
        { 'content-type': 'application/json' },
        JSON.stringify({ ...instruction, [field]: value }),
      );
      expect(await answer.json()).toEqual({ code: 'invalid_request', error: expect.not.stringContaining('unknown') });
    },
  );

  it('stands on the page with what may be sent in it', () => {
    const names = patchRows.flatMap(({ header, field }) => [header, field]);
    expect(names).toEqual(
      expect.arrayContaining([...Object.keys(SENT), 'Operation', 'Target-Type', 'Target', 'dryRun']),
    );
  });
});

describe('the examples for n8n', () => {
  it('append by headers and by JSON alike', async () => {
    const [example = ''] = /^\{ "targetType".*$/m.exec(PAGE.text) ?? [];
    const { target, operation, content } = JSON.parse(example);
    const before = '# Inbox\n\n## Today\n\n- read the meter\n\n## Later\n';
    const put = async () => {
      const answer = await served.get('/vault/Inbox.md', { method: 'PUT', body: before });
      expect(answer.status).toBe(200);
    };
    const text = async () => (await served.get('/vault/Inbox.md')).text();
    await put();
    const byJson = await served.get('/vault/Inbox.md', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: example,
    });
    expect(byJson.status).toBe(200);
    const expected = await text();
    expect(expected).toBe('# Inbox\n\n## Today\n\n- read the meter\n- call the installer\n\n## Later\n');
    for (const version of [{}, { 'markdown-patch-version': '1' }]) {
      await put();
      const byHeaders = await served.get('/vault/Inbox.md', {
        method: 'PATCH',
        headers: {
          'content-type': 'text/markdown',
          operation,
          'target-type': 'heading',
          target: encodeURIComponent(target.join('::')),
          ...version,
        },
        body: content,
      });
      expect(byHeaders.status).toBe(200);
      expect(await text()).toBe(expected);
    }
  });
});
