/**
 * A small vault that nobody indexes, served over MCP to a client that writes: what tests of the writing tools share, and
 * the two questions each of them asks: does the answer hold to its schema, and has a refusal changed anything.
 */
import { afterEach, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { type McpClient, modernClient, type ToolAnswer, textOf } from './mcp-clients.ts';
import { type ServedVault, serveVault } from './served-vault.ts';
import { contentOf } from './writable-vault.ts';
import { NOW, STAMP } from './writing-context.ts';

export const PLAN =
  '---\ntitle: Plan\n---\n# Plan\n\nIntro.\n\n## Costs\n\nMuch.\n\n### Roof\n\nMore.\n\n## Dates\n\nSoon. ^soon\n';

export const WRITTEN_FILES = {
  'House/Plan.md': PLAN,
  'House/List.md': '- one\n- two\n',
  'House/Links.md': 'See [[Plan]] and [[Plan#Dates|dates]].\n',
  'House/Old/a.md': 'a\n',
  'House/Old/paper.pdf': new Uint8Array([0x25, 0x50, 0x44, 0x46]),
  'House/picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  'latin1.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
};

/** The plan's text as a content write leaves its timestamp. */
export const stamped = (text: string): string => text.replace('title: Plan\n', `title: Plan\ntimestamp: ${STAMP}\n`);

type Args = Record<string, unknown>;

/** One served vault with one client, for one test. */
export class WritingClient {
  readonly served: ServedVault;
  readonly client: McpClient;

  constructor(served: ServedVault, client: McpClient) {
    this.served = served;
    this.client = client;
  }

  /** Every entry of the vault by its path: bytes, or `/` for a folder. */
  everything(): Promise<Record<string, string>> {
    return contentOf(this.served.vaultPath);
  }

  async onDisk(path: string): Promise<string | undefined> {
    return (await this.everything())[path];
  }

  async etagOf(path: string): Promise<string> {
    return (await this.done('vault_read', { path })).etag as string;
  }

  /** Calls a tool that has to work, and whose answer has to be what it is listed with. */
  async done(name: string, args: Args): Promise<Args & { text: string }> {
    const answer = await this.client.call(name, args);
    expect(textOf(answer)).not.toMatch(/^\w+: /);
    expect(answer.isError ?? false).toBe(false);
    await expectAsListed(this.client, name, answer);
    return { ...answer.structuredContent, text: textOf(answer) };
  }

  /** Calls a tool that has to be refused, with every byte as it was. @returns the prose */
  async refused(name: string, args: Args, code: string, by: McpClient = this.client): Promise<string> {
    const before = await this.everything();
    const answer = await by.call(name, args);
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringMatching(new RegExp(`^${code}: `))]);
    expect(answer._meta).toMatchObject({ 'vault-mcp/code': code });
    expect(await this.everything()).toEqual(before);
    return textOf(answer);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.served.close();
  }
}

/** The structured answer against the schema that the client was listed; what else it holds is not listed, to keep that short. */
export async function expectAsListed(client: McpClient, name: string, answer: ToolAnswer): Promise<void> {
  const { structuredContent = {} } = answer;
  const { tools } = await client.listTools();
  const schema = tools.find((tool) => tool.name === name)?.outputSchema;
  const parsed = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(structuredContent);
  expect(parsed).toMatchObject({ success: true });
}

/** @param overrides configuration keys, dotted */
export async function openWritingClient(overrides: Readonly<Args> = {}): Promise<WritingClient> {
  const served = await serveVault(WRITTEN_FILES, overrides, { indexed: false, parts: { now: () => NOW } });
  return new WritingClient(served, await modernClient({ url: new URL('/mcp', served.url) }));
}

/** A fresh vault and client for each test of a file. */
export function writingClientSuite(): () => WritingClient {
  let current: WritingClient | undefined;
  beforeEach(async () => {
    current = await openWritingClient();
  });
  afterEach(() => current?.close());
  return () => {
    if (current === undefined) throw new Error('The client exists within a test only.');
    return current;
  };
}
