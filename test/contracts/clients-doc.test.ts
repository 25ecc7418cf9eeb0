/**
 * docs/clients.md and the README's short form of it tried out: every configuration parses, names an address, headers and a
 * command that exist, and a client that is configured so is let in.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { KEYS } from '@vault-mcp/shared/config/key-table';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { buildProgram } from '../../apps/cli/src/program.ts';
import { page, ROOT, rowsOf } from '../support/doc-pages.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const PAGE = page('docs/clients.md');
const README = page('README.md');
const PARSERS: Record<string, (text: string) => unknown> = { json: JSON.parse, toml: parseToml, yaml: parseYaml };

interface Snippet {
  /** The heading, or the name in bold, that it stands below. */
  readonly client: string;
  readonly value: unknown;
}

function snippetsOf(text: string, parts: RegExp): Snippet[] {
  return text.split(parts).flatMap((part) => {
    const client = /^(?:#+ (.+)|\*\*(.+?)\*\*.*)$/m.exec(part);
    return [...part.matchAll(/^```([a-z]+)\n([\s\S]*?)^```$/gm)].flatMap(([, language = '', code = '']) => {
      const parse = PARSERS[language];
      return parse === undefined ? [] : [{ client: client?.[1] ?? client?.[2] ?? '', value: parse(code) }];
    });
  });
}

const snippets = snippetsOf(PAGE.text, /^(?=#{2,3} )/m);
const [, CONNECT = ''] = README.text.split('## Connect an agent');
/** The node for n8n is no configuration of a client: n8n.test.ts has it. */
const isNode = (value: unknown) => Object.hasOwn(value as object, 'nodes');
const inReadme = snippetsOf(CONNECT.split(/^## /m)[0] ?? '', /^(?=\*\*[A-Z])/m)
  .filter(({ value }) => !isNode(value))
  .map(({ client, value }) => ({ client: `${client} in the README`, value }));

/** One server of a client's configuration, whatever the client calls its fields. */
interface Entry extends Record<string, unknown> {
  readonly client: string;
}

function entriesOf({ client, value }: Snippet): Entry[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap((each) => entriesOf({ client, value: each }));
  const isServer = 'command' in value || addressOf(value as Entry) !== undefined;
  return isServer ? [{ ...(value as Entry), client }] : inside;
}

function addressOf(entry: Entry): string | undefined {
  return [entry.url, entry.serverUrl, entry.httpUrl, entry.uri].find((each) => typeof each === 'string');
}

const entries = [...snippets, ...inReadme].flatMap(entriesOf);
const byAddress = entries.filter((entry) => addressOf(entry) !== undefined);
const byCommand = entries.filter((entry) => 'command' in entry);

/** The headers a client sends, with the key wherever the page leaves a place for it. */
function headersOf(entry: Entry): Record<string, string> {
  const { headers, http_headers, bearer_token_env_var: variable } = entry;
  const written = { ...(headers as object), ...(http_headers as object) } as Record<string, string>;
  const sent = variable === undefined ? written : { ...written, Authorization: `Bearer \${${variable}}` };
  return Object.fromEntries(
    Object.entries(sent).map(([name, text]) => [name, text.replace(/KEY$|\$\{[^}]+\}$/, API_KEY)]),
  );
}

describe('an address on the page of clients', () => {
  let served: ServedVault;
  beforeAll(async () => {
    served = await serveVault({ 'Reference/Inbox.md': '# Inbox\n' });
  });
  afterAll(() => served.close());

  it('is shown for each client that takes one', () => {
    const clients = rowsOf(PAGE, '# Clients').filter(([, takes = '']) => takes.startsWith('yes'));
    const anchors = clients.map(([client = '']) => /\(#([^)]+)\)/.exec(client)?.[1]);
    const withoutFile = ['open-webui', 'n8n'];
    const shown = byAddress.map(({ client }) =>
      client
        .toLowerCase()
        .replaceAll(/[^a-z0-9 ]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(shown).toEqual(expect.arrayContaining(anchors.filter((anchor) => !withoutFile.includes(anchor ?? ''))));
  });

  it.each(byAddress.map((entry) => [entry.client, entry] as const))('lets %s in', async (_client, entry) => {
    const address = new URL(addressOf(entry) ?? '');
    expect(address.port).toBe(String(KEYS.get('server.port')?.setting.default));
    const client = new Client({ name: 'a client of the page', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(address.pathname, served.url), {
        requestInit: { headers: headersOf(entry) },
      }),
    );
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toContain('vault_search');
  });

  it('is shown in the README for the clients that most have', () => {
    const shown = byAddress.flatMap(({ client }) => /^(.+) in the README$/.exec(client)?.[1] ?? []);
    expect(shown).toEqual(['Cursor', 'VS Code', 'Codex']);
    for (const { text } of [PAGE, README]) {
      const [command = ''] = /^claude mcp add .+$/m.exec(text) ?? [];
      const port = KEYS.get('server.port')?.setting.default;
      expect(command).toContain(
        `--transport http vault http://127.0.0.1:${port}/mcp --header "Authorization: Bearer KEY"`,
      );
    }
  });

  it('answers what clients ask about OAuth with 404, without a key', async () => {
    const asked = [...PAGE.text.matchAll(/`(\/\.well-known\/[^`]+|\/register)`/g)].map(([, path = '']) => path);
    expect(asked).toHaveLength(3);
    for (const path of asked) {
      const answer = await fetch(new URL(path, served.url));
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'not_found' }),
      ]);
    }
  });
});

describe('a command on the page of clients', () => {
  const ours = byCommand.filter(({ command }) => command === 'node');

  it('is a program of this repository, with arguments and variables it knows', async () => {
    const known = (await buildProgram(['mcp'], '1', () => {})).commands.find((each) => each.name() === 'mcp');
    const options = known?.options.map(({ long }) => long);
    const variables = [...KEYS.values()].map(({ setting }) => setting.variable);
    expect(ours.length).toBeGreaterThan(2);
    for (const { args, env = {} } of ours) {
      const [program = '', command, ...rest] = args as string[];
      const source = program.replace('/path/to/vault-mcp/', '').replace('/dist/main.js', '/src/main.ts');
      expect(existsSync(join(ROOT, source)), program).toBe(true);
      expect(command).toBe('mcp');
      for (const option of rest.filter((each) => each.startsWith('--'))) expect(options).toContain(option);
      for (const variable of Object.keys(env as object)) expect(variables).toContain(variable);
    }
  });

  it('of others passes the key on as a header', () => {
    const bridges = byCommand.filter(({ command }) => command !== 'node');
    expect(bridges).toHaveLength(1);
    for (const { args, env } of bridges) {
      const sent = (args as string[]).join(' ');
      const variables = Object.entries(env as Record<string, string>);
      const filled = variables.reduce((text, [name, value]) => text.replace(`\${${name}}`, value), sent);
      expect(filled).toMatch(/ https:\/\/\S+\/mcp .*--header Authorization:Bearer KEY$/);
    }
  });
});
