// The ten writing tools over MCP: what is refused changes nothing and says why, in words and by code; and what is listed.
import { describe, expect, it } from 'vitest';
import { modernClient, v1Client } from '../support/mcp-clients.ts';
import { openWritingClient, writingClientSuite } from '../support/writing-client.ts';

const vault = writingClientSuite();

/** Each writing tool with a call that works. */
const CALLS: readonly [string, Record<string, unknown>][] = [
  ['vault_patch', { path: 'House/Plan.md', target: 'Costs', operation: 'append', content: 'x' }],
  ['vault_replace_text', { path: 'House/Plan.md', find: 'Much', replace: 'Little' }],
  ['vault_append', { path: 'House/Plan.md', content: 'x' }],
  ['vault_write', { path: 'House/Plan.md', content: 'x', overwrite: true }],
  ['vault_set_body', { path: 'House/Plan.md', content: 'x' }],
  ['vault_set_frontmatter', { path: 'House/Plan.md', key: 'status', value: 'x' }],
  ['vault_delete', { path: 'House/Plan.md' }],
  ['vault_move', { source: 'House/Plan.md', destination: 'Plan.md' }],
  ['vault_create_folder', { path: 'New' }],
  ['vault_delete_folder', { path: 'House/Old', recursive: true }],
];
/** Arguments in them that may be left out, or that take anything. */
const OPTIONAL = ['overwrite', 'recursive', 'value', 'target'];

describe.each(CALLS)('%s', (name, args) => {
  it('of a dry run changes nothing and says so', async () => {
    const before = await vault().everything();
    const answer = await vault().done(name, { ...args, dry_run: true });
    expect(answer.dry_run).toBe(true);
    expect(answer.text).toMatch(/^Dry run, nothing was changed: /);
    expect(await vault().everything()).toEqual(before);
  });

  it('is refused where nobody may write', async () => {
    const field = 'source' in args ? 'source' : 'path';
    for (const path of ['../x.md', '.git/config', 'a\\b.md', '/../../etc/passwd', 'a\u0000b.md', 'index.md', '']) {
      await vault().refused(name, { ...args, [field]: path }, 'invalid_path');
    }
  });

  it('refuses bad arguments in prose that names them', async () => {
    expect(await vault().refused(name, { ...args, sectoin: 'x' }, 'invalid_request')).toMatch(/"sectoin"/);
    expect(await vault().refused(name, { ...args, dry_run: 'yes' }, 'invalid_request')).toContain(
      'dry_run must be a boolean',
    );
    for (const field of Object.keys(args).filter((each) => !OPTIONAL.includes(each))) {
      const { [field]: _left, ...rest } = args;
      expect(await vault().refused(name, rest, 'invalid_request')).toMatch(
        new RegExp(`${field} (is required|must be one of)`),
      );
      const wrong = await vault().refused(name, { ...args, [field]: 7 }, 'invalid_request');
      expect(wrong).toMatch(new RegExp(`${field} must be (a string|one of)`));
    }
  });
});

it('vault_delete of a folder names the tool that removes one', async () => {
  expect(await vault().refused('vault_delete', { path: 'House' }, 'is_directory')).toContain('vault_delete_folder');
});

describe.each(CALLS.filter(([name]) => !/folder/.test(name)))('%s', (name, args) => {
  it('changes only the version that was expected', async () => {
    const etag = await vault().etagOf('House/Plan.md');
    expect(await vault().refused(name, { ...args, expected_etag: 'f'.repeat(64) }, 'precondition_failed')).toContain(
      etag,
    );
    await vault().done(name, { ...args, expected_etag: etag });
  });
});

describe('a write that may not be', () => {
  it('of a document, another suffix or broken text is refused, and says what it is', async () => {
    const edits = CALLS.filter(([name]) => /patch|text|append|body|frontmatter|write/.test(name));
    for (const [name, args] of edits) {
      await vault().refused(name, { ...args, path: 'House/Old/paper.pdf' }, 'is_document');
      await vault().refused(name, { ...args, path: 'House/picture.png' }, 'unsupported_suffix');
      if (name !== 'vault_write') await vault().refused(name, { ...args, path: 'latin1.md' }, 'unreadable');
    }
  });

  it('of something that is not there names the next step', async () => {
    const missing = CALLS.filter(([name]) => !/write|create_folder/.test(name));
    for (const [name, args] of missing) {
      const field = 'source' in args ? 'source' : 'path';
      const text = await vault().refused(name, { ...args, [field]: 'House/Plam.md' }, 'not_found');
      expect(text.length).toBeGreaterThan(40);
    }
  });
});

describe('what is listed', () => {
  it('says of each tool whether it reads, destroys, and may be repeated', async () => {
    const { tools } = await vault().client.listTools();
    const hints = tools.map(({ name, annotations }) => {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations as Record<string, boolean>;
      // A URL may lead anywhere.
      expect([name, openWorldHint]).toEqual([name, name === 'wiki_ingest']);
      return [name, readOnlyHint ? 'reads' : destructiveHint ? 'destroys' : 'adds', idempotentHint];
    });
    expect(hints).toEqual([
      ['vault_search', 'reads', true],
      ['vault_read', 'reads', true],
      ['vault_list', 'reads', true],
      ['vault_map', 'reads', true],
      ['vault_patch', 'destroys', false],
      ['vault_replace_text', 'destroys', false],
      ['vault_append', 'adds', false],
      ['vault_write', 'destroys', true],
      ['vault_set_body', 'destroys', true],
      ['vault_set_frontmatter', 'destroys', false],
      ['vault_delete', 'destroys', true],
      ['vault_move', 'destroys', true],
      ['vault_create_folder', 'adds', true],
      ['vault_delete_folder', 'destroys', true],
      ['vault_links', 'reads', true],
      ['vault_propose', 'destroys', false],
      ['wiki_append', 'destroys', true],
      ['wiki_ingest', 'adds', true],
    ]);
  });

  it('has the argument names of the contract, each with a word about it', async () => {
    const { tools } = await vault().client.listTools();
    const known = new Set(
      'query k prefix type tag kind include_superseded expand_links distance_ceiling bm25_ceiling path offset max_chars limit cursor content target target_type operation scope section find replace count key value delete source destination update_links recursive overwrite create_if_missing expected_etag dry_run wait permanent include_frontmatter filename url slug links create_new on_refine title namespace body frontmatter token decision idempotency_key'.split(
        ' ',
      ),
    );
    for (const tool of tools) {
      const { properties } = tool.inputSchema as { properties: Record<string, { description?: string }> };
      for (const [field, { description }] of Object.entries(properties)) {
        expect([tool.name, field, description]).toEqual([tool.name, field, expect.stringMatching(/\w{3}/)]);
        expect(known).toContain(field);
      }
    }
  });
});

describe('a read-only server', () => {
  it('lists and tells of reading alone, and says why it refuses a write', async () => {
    const readOnly = await openWritingClient({ 'server.read_only': true });
    for (const connect of [modernClient, v1Client]) {
      const client = await connect({ url: new URL('/mcp', readOnly.served.url) });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        ...['vault_search', 'vault_read', 'vault_list', 'vault_map', 'vault_links'],
      ]);
      expect(client.instructions()).not.toMatch(/vault_patch|expected_etag/);
      for (const [name, args] of [...CALLS, ['vault_patch', { nonsense: true }] as const]) {
        expect(await readOnly.refused(name, args, 'out_of_scope', client)).toContain('read-only');
      }
      await client.close();
    }
    await readOnly.close();
  });
});
