// The ten writing tools over MCP: what each leaves on the disk, and that its answer holds to the schema it is listed with.
import { describe, expect, it } from 'vitest';
import { HTTP_CLIENTS, textOf } from '../support/mcp-clients.ts';
import { expectAsListed, PLAN, stamped, writingClientSuite } from '../support/writing-client.ts';
import { STAMP } from '../support/writing-context.ts';

const vault = writingClientSuite();

describe('vault_patch', () => {
  it('changes one section, names what went with it, and answers the version to go on from', async () => {
    const { text, ...answer } = await vault().done('vault_patch', {
      path: 'House/Plan.md',
      target: 'Plan::Costs',
      operation: 'replace',
      content: 'Little.',
    });
    expect(await vault().onDisk('House/Plan.md')).toBe(stamped(PLAN).replace('Much.\n\n### Roof\n\nMore.', 'Little.'));
    expect(answer).toMatchObject({
      path: 'House/Plan.md',
      etag: await vault().etagOf('House/Plan.md'),
      changed: true,
      removed_subsections: ['Roof'],
      timestamp: { bumped: true },
    });
    expect(text).toContain('What went with it:\n- Roof\n');
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
    await vault().done('vault_patch', { path: 'House/Plan.md', ...args });
    expect(await vault().onDisk('House/Plan.md')).toBe(stamped(PLAN).replace(before, after));
  });

  it('makes a missing heading only when asked to', async () => {
    const patch = { path: 'House/Plan.md', target: 'Plan::Garden', operation: 'append', content: 'Trees.' };
    await vault().refused('vault_patch', patch, 'no_such_heading');
    const { text } = await vault().done('vault_patch', { ...patch, create_if_missing: true });
    expect(text).toContain('Headings made:\n- Garden\n');
    expect(await vault().onDisk('House/Plan.md')).toMatch(/## Garden\n\nTrees\.\n$/);
  });
});

describe('vault_replace_text', () => {
  it('replaces what is there as often as expected', async () => {
    await vault().done('vault_replace_text', {
      path: 'House/Plan.md',
      find: 'Much',
      replace: 'Little',
      section: 'Costs',
    });
    expect(await vault().onDisk('House/Plan.md')).toBe(stamped(PLAN).replace('Much', 'Little'));
  });

  it('is refused with the lines when it is there more often, or not at all', async () => {
    const twice = { path: 'House/List.md', find: 'o', replace: 'x' };
    expect(await vault().refused('vault_replace_text', twice, 'ambiguous_text')).toMatch(/1.*2/);
    await vault().refused('vault_replace_text', { ...twice, find: 'three' }, 'no_such_text');
    await vault().done('vault_replace_text', { ...twice, count: 2 });
    expect(await vault().onDisk('House/List.md')).toBe('- xne\n- twx\n');
  });
});

describe('vault_append', () => {
  it('goes on with a list, and says why no timestamp was set', async () => {
    const { text } = await vault().done('vault_append', { path: 'House/List.md', content: '- three' });
    expect(await vault().onDisk('House/List.md')).toBe('- one\n- two\n- three\n');
    expect(text).toMatch(/Timestamp not set: .*frontmatter/);
  });

  it('makes the note when asked to', async () => {
    const note = { path: 'New/Note.md', content: 'Hello.' };
    expect(await vault().refused('vault_append', note, 'not_found')).toContain('create_if_missing');
    const { text, ...answer } = await vault().done('vault_append', { ...note, create_if_missing: true });
    expect(answer).toMatchObject({ created: true, folders_made: ['New'] });
    expect(text).toContain('Folders made:\n- New\n');
    expect(await vault().onDisk('New/Note.md')).toBe('Hello.');
  });
});

describe('vault_write', () => {
  it('makes a note, and replaces one only when asked to', async () => {
    const note = { path: 'House/Plan.md', content: '# New plan\n' };
    expect(await vault().refused('vault_write', note, 'already_exists')).toContain('overwrite');
    await vault().done('vault_write', { ...note, overwrite: true });
    expect(await vault().onDisk('House/Plan.md')).toBe('# New plan\n');
    expect(await vault().done('vault_write', { path: 'a/b.md', content: 'x' })).toMatchObject({ created: true });
    expect(await vault().onDisk('a/b.md')).toBe('x');
  });

  it('takes a note larger than a megabyte', async () => {
    const content = `${'A line of "quoted" text.\n'.repeat(60_000)}`;
    await vault().done('vault_write', { path: 'long.md', content });
    expect(await vault().onDisk('long.md')).toBe(content);
  });
});

describe('vault_set_body', () => {
  it('keeps the frontmatter', async () => {
    await vault().done('vault_set_body', { path: 'House/Plan.md', content: '# Other\n' });
    expect(await vault().onDisk('House/Plan.md')).toBe(stamped('---\ntitle: Plan\n---\n# Other\n'));
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
    await vault().done('vault_set_frontmatter', { path: 'House/Plan.md', key: 'status', value });
    expect(await vault().onDisk('House/Plan.md')).toBe(stamped(PLAN).replace(`${STAMP}\n`, `${STAMP}\n${line}`));
  });

  it('takes one out', async () => {
    await vault().done('vault_set_frontmatter', { path: 'House/Plan.md', key: 'title', delete: true });
    expect(await vault().onDisk('House/Plan.md')).toBe(PLAN.replace('title: Plan\n', `timestamp: ${STAMP}\n`));
  });

  it('makes a block only when asked to, and never takes null', async () => {
    const call = { path: 'House/List.md', key: 'type', value: 'list' };
    await vault().refused('vault_set_frontmatter', call, 'no_frontmatter');
    await vault().refused('vault_set_frontmatter', { ...call, value: null }, 'invalid_value');
    await vault().refused('vault_set_frontmatter', { path: 'House/List.md', key: 'type' }, 'invalid_request');
    await vault().done('vault_set_frontmatter', { ...call, create_if_missing: true });
    expect(await vault().onDisk('House/List.md')).toMatch(/^---\ntype: list\n/);
  });
});

describe('vault_delete', () => {
  it('moves into the trash, or deletes for good when asked to', async () => {
    const { text, ...answer } = await vault().done('vault_delete', { path: 'House/Plan.md' });
    expect(answer).toMatchObject({ kind: 'note', etag: null, permanent: false, trashed: '.trash/House/Plan.md' });
    expect(text).toContain('".trash/House/Plan.md"');
    expect(await vault().onDisk('.trash/House/Plan.md')).toBe(PLAN);
    await vault().done('vault_delete', { path: 'House/picture.png', permanent: true });
    expect(Object.keys(await vault().everything())).not.toEqual(expect.arrayContaining(['.trash/House/picture.png']));
    expect(await vault().onDisk('House/picture.png')).toBeUndefined();
  });

  it('is not for folders', async () => {
    expect(await vault().refused('vault_delete', { path: 'House' }, 'is_directory')).toMatch(/folder/);
  });
});

describe('vault_move', () => {
  it('takes the links with it', async () => {
    const move = { source: 'House/Plan.md', destination: 'Archive/Old plan.md' };
    const dry = await vault().done('vault_move', { ...move, dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, links_updated: 2, notes: [{ path: 'House/Links.md', links: 2 }] });
    expect(dry.text).toContain('+See [[Old plan]] and [[Old plan#Dates|dates]].');
    const { text, ...answer } = await vault().done('vault_move', move);
    expect(answer).toMatchObject({
      ...move,
      kind: 'note',
      links_updated: 2,
      notes_updated: 1,
      folders_made: ['Archive'],
    });
    expect(text).toContain('2 links in 1 file followed.\n');
    expect(await vault().onDisk('House/Links.md')).toBe('See [[Old plan]] and [[Old plan#Dates|dates]].\n');
    expect(await vault().onDisk('Archive/Old plan.md')).toBe(PLAN);
  });

  it('moves a folder, and leaves links alone when asked to', async () => {
    const move = { source: 'House', destination: 'Home', update_links: false };
    expect(await vault().done('vault_move', move)).toMatchObject({ kind: 'folder', links_broken: 0 });
    expect(await vault().onDisk('Home/Plan.md')).toBe(PLAN);
  });

  it('replaces nothing and makes no other kind of file', async () => {
    const source = 'House/Plan.md';
    await vault().refused('vault_move', { source, destination: 'House/List.md' }, 'already_exists');
    await vault().refused('vault_move', { source, destination: 'House/Plan.pdf' }, 'kind_change');
  });
});

describe('vault_create_folder and vault_delete_folder', () => {
  it('make a folder with those above it, and are content with one that is there', async () => {
    expect(await vault().done('vault_create_folder', { path: 'A/B' })).toMatchObject({ folders_made: ['A', 'A/B'] });
    expect(await vault().onDisk('A/B')).toBe('/');
    expect(await vault().done('vault_create_folder', { path: 'A/B' })).toMatchObject({
      created: false,
      folders_made: [],
    });
  });

  it('remove a full one only when asked to, and count what went', async () => {
    await vault().refused('vault_delete_folder', { path: 'House/Old' }, 'not_empty');
    const { text, ...answer } = await vault().done('vault_delete_folder', { path: 'House/Old', recursive: true });
    expect(answer).toMatchObject({ notes: 1, documents: 1, other_files: 0, folders: 0, trashed: '.trash/House/Old' });
    expect(text).toContain('It held 1 note, 1 document, 0 other files, 0 folders.\n');
    expect(await vault().onDisk('.trash/House/Old/a.md')).toBe('a\n');
    await vault().refused('vault_delete_folder', { path: '' }, 'invalid_path');
  });
});

describe.each(HTTP_CLIENTS)('%s', (_name, connect) => {
  it('edits, is refused and edits on, its answers checked against the schemas it listed', async () => {
    const other = await connect({ url: new URL('/mcp', vault().served.url) });
    await other.listTools();
    const first = await other.call('vault_append', { path: 'House/List.md', content: '- three' });
    await expectAsListed(other, 'vault_append', first);
    const etag = first.structuredContent?.etag;
    const stale = { path: 'House/List.md', content: '- four', expected_etag: 'f'.repeat(64) };
    expect(textOf(await other.call('vault_append', stale))).toMatch(/^precondition_failed: /);
    const second = await other.call('vault_append', { ...stale, expected_etag: etag });
    expect(second.isError ?? false).toBe(false);
    expect(await vault().onDisk('House/List.md')).toBe('- one\n- two\n- three\n- four\n');
    await other.close();
  });
});
