// The ten writing tools over MCP, by every line of client: what each leaves on the disk, that its answer holds to the
// schema it is listed with, and that what is refused changes nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  HTTP_CLIENTS,
  type McpClient,
  modernClient,
  type ToolAnswer,
  textOf,
  v1Client,
} from '../support/mcp-clients.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { contentOf } from '../support/writable-vault.ts';
import { NOW, STAMP } from '../support/writing-context.ts';

const PLAN =
  '---\ntitle: Plan\n---\n# Plan\n\nIntro.\n\n## Costs\n\nMuch.\n\n### Roof\n\nMore.\n\n## Dates\n\nSoon. ^soon\n';
const FILES = {
  'House/Plan.md': PLAN,
  'House/List.md': '- one\n- two\n',
  'House/Links.md': 'See [[Plan]] and [[Plan#Dates|dates]].\n',
  'House/Old/a.md': 'a\n',
  'House/Old/paper.pdf': new Uint8Array([0x25, 0x50, 0x44, 0x46]),
  'House/picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  'latin1.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
};
/** The plan after any content write. */
const stamped = (text: string) => text.replace('title: Plan\n', `title: Plan\ntimestamp: ${STAMP}\n`);

let served: ServedVault;
let client: McpClient;
beforeEach(async () => {
  served = await serveVault(FILES, {}, { indexed: false, parts: { now: () => NOW } });
  client = await modernClient({ url: new URL('/mcp', served.url) });
});
afterEach(async () => {
  await client.close();
  await served.close();
});

/** Every entry of the vault by its path: bytes, or `/` for a folder. */
const everything = () => contentOf(served.vaultPath);
const onDisk = async (path: string) => (await everything())[path];

/** Calls a tool that has to work; its answer has to be what it is listed with. */
async function done(name: string, args: Record<string, unknown>): Promise<Record<string, unknown> & { text: string }> {
  const answer = await client.call(name, args);
  expect(textOf(answer)).not.toMatch(/^\w+: /);
  expect(answer.isError ?? false).toBe(false);
  await expectAsListed(client, name, answer);
  return { ...answer.structuredContent, text: textOf(answer) };
}

async function expectAsListed(of: McpClient, name: string, { structuredContent = {} }: ToolAnswer): Promise<void> {
  const { tools } = await of.listTools();
  const schema = tools.find((tool) => tool.name === name)?.outputSchema as { properties: Record<string, unknown> };
  expect(z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(structuredContent)).toMatchObject(
    {
      success: true,
    },
  );
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(structuredContent)));
}

/** Calls a tool that has to be refused, with every byte as it was. @returns the prose */
async function refused(name: string, args: Record<string, unknown>, code: string): Promise<string> {
  const before = await everything();
  const answer = await client.call(name, args);
  expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringMatching(new RegExp(`^${code}: `))]);
  expect(answer._meta).toMatchObject({ 'vault-mcp/code': code });
  expect(await everything()).toEqual(before);
  return textOf(answer);
}

const etagOf = async (path: string) => (await done('vault_read', { path })).etag as string;

describe('vault_patch', () => {
  it('changes one section, names what went with it, and answers the version to go on from', async () => {
    const { text, ...answer } = await done('vault_patch', {
      path: 'House/Plan.md',
      target: 'Plan::Costs',
      operation: 'replace',
      content: 'Little.',
    });
    expect(await onDisk('House/Plan.md')).toBe(stamped(PLAN).replace('Much.\n\n### Roof\n\nMore.', 'Little.'));
    expect(answer).toMatchObject({
      path: 'House/Plan.md',
      etag: await etagOf('House/Plan.md'),
      changed: true,
      removed_subsections: ['Plan::Costs::Roof'],
      timestamp: { bumped: true },
    });
    expect(text).toContain('Subsections that went with it:\n- Plan::Costs::Roof\n');
    expect(text).toContain(`etag now: ${answer.etag}\n`);
  });

  it.each([
    [{ target_type: 'block', target: '^soon', operation: 'replace', content: 'Later.' }, 'Soon. ^soon', 'Later. ^soon'],
    [{ target: 'Dates', operation: 'append', content: 'Very.' }, 'Soon. ^soon\n', 'Soon. ^soon\n\nVery.\n'],
    [{ target: ['Plan', 'Costs'], operation: 'prepend', content: 'Too' }, '## Costs\n\n', '## Costs\n\nToo\n\n'],
    [{ target: 'Costs', operation: 'replace', scope: 'own', content: 'None.' }, 'Much.', 'None.'],
    [{ target: 'Dates', operation: 'replace', scope: 'marker', content: '## Days' }, '## Dates', '## Days'],
    [{ target: 'Roof', operation: 'delete', scope: 'markerAndContent' }, '### Roof\n\nMore.\n\n', ''],
    [{ target_type: 'body', operation: 'prepend', content: 'First.' }, '# Plan\n', '\nFirst.\n\n# Plan\n'],
  ])('%j', async (args, before, after) => {
    await done('vault_patch', { path: 'House/Plan.md', ...args });
    expect(await onDisk('House/Plan.md')).toBe(stamped(PLAN).replace(before, after));
  });

  it('makes a missing heading only when asked to', async () => {
    const patch = { path: 'House/Plan.md', target: 'Plan::Garden', operation: 'append', content: 'Trees.' };
    await refused('vault_patch', patch, 'no_such_heading');
    const { text } = await done('vault_patch', { ...patch, create_if_missing: true });
    expect(text).toContain('Headings made:\n- Plan::Garden\n');
    expect(await onDisk('House/Plan.md')).toMatch(/## Garden\n\nTrees\.\n$/);
  });
});

describe('vault_replace_text', () => {
  it('replaces what is there as often as expected', async () => {
    await done('vault_replace_text', { path: 'House/Plan.md', find: 'Much', replace: 'Little', section: 'Costs' });
    expect(await onDisk('House/Plan.md')).toBe(stamped(PLAN).replace('Much', 'Little'));
  });

  it('is refused with the lines when it is there more often, or not at all', async () => {
    const twice = { path: 'House/List.md', find: 'o', replace: 'x' };
    expect(await refused('vault_replace_text', twice, 'ambiguous_text')).toMatch(/1.*2/);
    await refused('vault_replace_text', { ...twice, find: 'three' }, 'no_such_text');
    await done('vault_replace_text', { ...twice, count: 2 });
    expect(await onDisk('House/List.md')).toBe('- xne\n- twx\n');
  });
});

describe('vault_append', () => {
  it('goes on with a list, and says why no timestamp was set', async () => {
    const { text } = await done('vault_append', { path: 'House/List.md', content: '- three' });
    expect(await onDisk('House/List.md')).toBe('- one\n- two\n- three\n');
    expect(text).toMatch(/Timestamp not set: .*frontmatter/);
  });

  it('makes the note when asked to', async () => {
    const note = { path: 'New/Note.md', content: 'Hello.' };
    expect(await refused('vault_append', note, 'not_found')).toContain('create_if_missing');
    const { text, ...answer } = await done('vault_append', { ...note, create_if_missing: true });
    expect(answer).toMatchObject({ created: true, folders_made: ['New'] });
    expect(text).toContain('Folders made:\n- New\n');
    expect(await onDisk('New/Note.md')).toBe('Hello.');
  });
});

describe('vault_write', () => {
  it('makes a note, and replaces one only when asked to', async () => {
    const note = { path: 'House/Plan.md', content: '# New plan\n' };
    expect(await refused('vault_write', note, 'already_exists')).toContain('overwrite');
    await done('vault_write', { ...note, overwrite: true });
    expect(await onDisk('House/Plan.md')).toBe('# New plan\n');
    expect(await done('vault_write', { path: 'a/b.md', content: 'x' })).toMatchObject({ created: true });
    expect(await onDisk('a/b.md')).toBe('x');
  });

  it('takes a note larger than a megabyte', async () => {
    const content = `${'A line of "quoted" text.\n'.repeat(60_000)}`;
    await done('vault_write', { path: 'long.md', content });
    expect(await onDisk('long.md')).toBe(content);
  });
});

describe('vault_set_body', () => {
  it('keeps the frontmatter', async () => {
    await done('vault_set_body', { path: 'House/Plan.md', content: '# Other\n' });
    expect(await onDisk('House/Plan.md')).toBe(stamped('---\ntitle: Plan\n---\n# Other\n'));
  });
});

describe('vault_set_frontmatter', () => {
  it.each([
    ['approved', 'status: approved\n'],
    [true, 'status: true\n'],
    [7.5, 'status: 7.5\n'],
    [['a', 'b'], 'status:\n  - a\n  - b\n'],
    ['no', 'status: "no"\n'],
  ])('sets a key to %j', async (value, line) => {
    await done('vault_set_frontmatter', { path: 'House/Plan.md', key: 'status', value });
    expect(await onDisk('House/Plan.md')).toBe(stamped(PLAN).replace(`${STAMP}\n`, `${STAMP}\n${line}`));
  });

  it('takes one out', async () => {
    await done('vault_set_frontmatter', { path: 'House/Plan.md', key: 'title', delete: true });
    expect(await onDisk('House/Plan.md')).toBe(PLAN.replace('title: Plan\n', `timestamp: ${STAMP}\n`));
  });

  it('makes a block only when asked to, and never takes null', async () => {
    const call = { path: 'House/List.md', key: 'type', value: 'list' };
    await refused('vault_set_frontmatter', call, 'no_frontmatter');
    await refused('vault_set_frontmatter', { ...call, value: null }, 'invalid_value');
    await refused('vault_set_frontmatter', { path: 'House/List.md', key: 'type' }, 'invalid_request');
    await done('vault_set_frontmatter', { ...call, create_if_missing: true });
    expect(await onDisk('House/List.md')).toMatch(/^---\ntype: list\n/);
  });
});

describe('vault_delete', () => {
  it('moves into the trash, or deletes for good when asked to', async () => {
    const { text, ...answer } = await done('vault_delete', { path: 'House/Plan.md' });
    expect(answer).toMatchObject({ kind: 'note', etag: null, permanent: false, trashed: '.trash/House/Plan.md' });
    expect(text).toContain('".trash/House/Plan.md"');
    expect(await onDisk('.trash/House/Plan.md')).toBe(PLAN);
    await done('vault_delete', { path: 'House/picture.png', permanent: true });
    expect(Object.keys(await everything())).not.toEqual(expect.arrayContaining(['.trash/House/picture.png']));
    expect(await onDisk('House/picture.png')).toBeUndefined();
  });

  it('is not for folders', async () => {
    expect(await refused('vault_delete', { path: 'House' }, 'is_directory')).toMatch(/folder/);
  });
});

describe('vault_move', () => {
  it('takes the links with it', async () => {
    const move = { source: 'House/Plan.md', destination: 'Archive/Old plan.md' };
    const dry = await done('vault_move', { ...move, dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, links_updated: 2, notes: [{ path: 'House/Links.md', links: 2 }] });
    expect(dry.text).toContain('+See [[Old plan]] and [[Old plan#Dates|dates]].');
    const { text, ...answer } = await done('vault_move', move);
    expect(answer).toMatchObject({
      ...move,
      kind: 'note',
      links_updated: 2,
      notes_updated: 1,
      folders_made: ['Archive'],
    });
    expect(text).toContain('2 links in 1 file followed.\n');
    expect(await onDisk('House/Links.md')).toBe('See [[Old plan]] and [[Old plan#Dates|dates]].\n');
    expect(await onDisk('Archive/Old plan.md')).toBe(PLAN);
  });

  it('moves a folder, and leaves links alone when asked to', async () => {
    const move = { source: 'House', destination: 'Home', update_links: false };
    expect(await done('vault_move', move)).toMatchObject({ kind: 'folder', links_broken: 0 });
    expect(await onDisk('Home/Plan.md')).toBe(PLAN);
  });

  it('replaces nothing and makes no other kind of file', async () => {
    const source = 'House/Plan.md';
    await refused('vault_move', { source, destination: 'House/List.md' }, 'already_exists');
    await refused('vault_move', { source, destination: 'House/Plan.pdf' }, 'kind_change');
  });
});

describe('vault_create_folder and vault_delete_folder', () => {
  it('make a folder with those above it, and are content with one that is there', async () => {
    expect(await done('vault_create_folder', { path: 'A/B' })).toMatchObject({ folders_made: ['A', 'A/B'] });
    expect(await onDisk('A/B')).toBe('/');
    expect(await done('vault_create_folder', { path: 'A/B' })).toMatchObject({ created: false, folders_made: [] });
  });

  it('remove a full one only when asked to, and count what went', async () => {
    await refused('vault_delete_folder', { path: 'House/Old' }, 'not_empty');
    const { text, ...answer } = await done('vault_delete_folder', { path: 'House/Old', recursive: true });
    expect(answer).toMatchObject({ notes: 1, documents: 1, other_files: 0, folders: 0, trashed: '.trash/House/Old' });
    expect(text).toContain('It held 1 note, 1 document, 0 other files, 0 folders.\n');
    expect(await onDisk('.trash/House/Old/a.md')).toBe('a\n');
    await refused('vault_delete_folder', { path: '' }, 'invalid_path');
  });
});

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
    const before = await everything();
    const answer = await done(name, { ...args, dry_run: true });
    expect(answer.dry_run).toBe(true);
    expect(answer.text).toMatch(/^Dry run, nothing was changed: /);
    expect(await everything()).toEqual(before);
  });

  it('is refused where nobody may write', async () => {
    const field = 'source' in args ? 'source' : 'path';
    for (const path of ['../x.md', '.git/config', 'a\\b.md', '/../../etc/passwd', 'a\u0000b.md', 'index.md', '']) {
      await refused(name, { ...args, [field]: path }, 'invalid_path');
    }
  });

  it('refuses bad arguments in prose that names them', async () => {
    expect(await refused(name, { ...args, sectoin: 'x' }, 'invalid_request')).toMatch(/"sectoin"/);
    expect(await refused(name, { ...args, dry_run: 'yes' }, 'invalid_request')).toContain('dry_run must be a boolean');
    for (const field of Object.keys(args).filter((each) => !OPTIONAL.includes(each))) {
      const { [field]: _left, ...rest } = args;
      expect(await refused(name, rest, 'invalid_request')).toMatch(new RegExp(`${field} (is required|must be one of)`));
      const wrong = await refused(name, { ...args, [field]: 7 }, 'invalid_request');
      expect(wrong).toMatch(new RegExp(`${field} must be (a string|one of)`));
    }
  });
});

describe.each(CALLS.filter(([name]) => !/folder/.test(name)))('%s', (name, args) => {
  it('changes only the version that was expected', async () => {
    const etag = await etagOf('House/Plan.md');
    expect(await refused(name, { ...args, expected_etag: 'f'.repeat(64) }, 'precondition_failed')).toContain(etag);
    await done(name, { ...args, expected_etag: etag });
  });
});

describe('a write that may not be', () => {
  it('of a document, another suffix or broken text is refused, and says what it is', async () => {
    const edits = CALLS.filter(([name]) => /patch|text|append|body|frontmatter|write/.test(name));
    for (const [name, args] of edits) {
      await refused(name, { ...args, path: 'House/Old/paper.pdf' }, 'is_document');
      await refused(name, { ...args, path: 'House/picture.png' }, 'unsupported_suffix');
      if (name !== 'vault_write') await refused(name, { ...args, path: 'latin1.md' }, 'unreadable');
    }
  });

  it('of something that is not there names the next step', async () => {
    const missing = CALLS.filter(([name]) => !/write|create_folder/.test(name));
    for (const [name, args] of missing) {
      const field = 'source' in args ? 'source' : 'path';
      const text = await refused(name, { ...args, [field]: 'House/Plam.md' }, 'not_found');
      expect(text.length).toBeGreaterThan(40);
    }
  });
});

describe.each(HTTP_CLIENTS)('%s', (_name, connect) => {
  it('edits, is refused and edits on, its answers checked against the schemas it listed', async () => {
    const other = await connect({ url: new URL('/mcp', served.url) });
    await other.listTools();
    const first = await other.call('vault_append', { path: 'House/List.md', content: '- three' });
    await expectAsListed(other, 'vault_append', first);
    const etag = first.structuredContent?.etag;
    const stale = { path: 'House/List.md', content: '- four', expected_etag: 'f'.repeat(64) };
    expect(textOf(await other.call('vault_append', stale))).toMatch(/^precondition_failed: /);
    const second = await other.call('vault_append', { ...stale, expected_etag: etag });
    expect(second.isError ?? false).toBe(false);
    expect(await onDisk('House/List.md')).toBe('- one\n- two\n- three\n- four\n');
    await other.close();
  });
});

describe('what is listed', () => {
  it('says of each tool whether it reads, destroys, and may be repeated', async () => {
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations }) => {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations as Record<string, boolean>;
      expect(openWorldHint).toBe(false);
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
      ['vault_set_frontmatter', 'destroys', true],
      ['vault_delete', 'destroys', true],
      ['vault_move', 'destroys', true],
      ['vault_create_folder', 'adds', true],
      ['vault_delete_folder', 'destroys', true],
    ]);
  });

  it('has the argument names of the contract, each with a word about it', async () => {
    const { tools } = await client.listTools();
    const known = new Set(
      'query k prefix type tag kind include_superseded distance_ceiling bm25_ceiling path offset max_chars limit cursor content target target_type operation scope section find replace count key value delete source destination update_links recursive overwrite create_if_missing expected_etag dry_run wait timeout permanent include_frontmatter'.split(
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
    await served.close();
    served = await serveVault(FILES, { 'server.read_only': true }, { indexed: false });
    for (const connect of [modernClient, v1Client]) {
      const other = await connect({ url: new URL('/mcp', served.url) });
      const { tools } = await other.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['vault_search', 'vault_read', 'vault_list', 'vault_map']);
      expect(other.instructions()).not.toMatch(/vault_patch|expected_etag/);
      await client.close();
      client = other;
      for (const [name, args] of CALLS) expect(await refused(name, args, 'out_of_scope')).toContain('read-only');
      expect(await refused('vault_patch', { nonsense: true }, 'out_of_scope')).toContain('read-only');
    }
  });
});
