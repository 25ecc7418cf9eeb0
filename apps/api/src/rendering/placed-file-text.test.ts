import { describe, expect, it } from 'vitest';
import type { FilesWriteAnswer } from '../operations/files-write.ts';
import type { WikiIngestAnswer } from '../operations/wiki-ingest.ts';
import { filesWriteText, wikiIngestText } from './placed-file-text.ts';
import { supersededLine } from './superseded-line.ts';

const ROOM = 60_000;
const KEPT: WikiIngestAnswer = {
  ...{ status: 'stored', path: 'Wiki/raw/a.txt', etag: 'abc', size: 1, folders_made: [] },
  committed: { state: 'off' },
};
const WRITTEN: FilesWriteAnswer = { status: 'created', path: 'a.csv', etag: 'abc', size: 2, folders_made: [] };

const firstLine = (text: string) => text.split('\n')[0];

describe('raw material as text', () => {
  it('says where it is, and that search does not know it', () => {
    const { text, structured } = wikiIngestText(KEPT, ROOM);
    expect(text).toMatch(/^Kept as "Wiki\/raw\/a\.txt", 1 byte\.\nIt is raw material, which search leaves out: /);
    expect(structured).toBe(KEPT);
    expect(firstLine(wikiIngestText({ ...KEPT, status: 'unchanged' }, ROOM).text)).toBe(
      'Kept already, as "Wiki/raw/a.txt", 1 byte.',
    );
    expect(firstLine(wikiIngestText({ ...KEPT, dry_run: true }, ROOM).text)).toBe(
      'Dry run, nothing was changed: this would be kept as "Wiki/raw/a.txt", 1 byte.',
    );
  });

  it('says of a URL in a dry run what would be done, and nothing of what nobody has looked at', () => {
    const { text } = wikiIngestText(
      { status: 'would_fetch', path: 'Wiki/raw/a', folders_made: ['Wiki'], dry_run: true },
      ROOM,
    );
    expect(text).toMatch(/^Dry run, nothing was fetched or changed: this would fetch the URL .*"Wiki\/raw\/a"/);
    expect(text).toContain('Folders to be made');
    expect(text).not.toMatch(/byte|kept already/);
  });

  it('says what became of its commit where there is one', () => {
    const said = (committed: WikiIngestAnswer['committed']) =>
      wikiIngestText({ ...KEPT, ...(committed && { committed }) }, ROOM).text.split('\n')[1];
    expect(said({ state: 'committed', commit: 'f00' })).toBe('It was committed.');
    expect(said({ state: 'pending' })).toBe('Git is still at its commit.');
    expect(said({ state: 'failed', reason: 'the path is ignored.' })).toBe(
      'It was not committed: the path is ignored.',
    );
  });

  it('names the folders that were made', () => {
    const { text } = wikiIngestText({ ...KEPT, folders_made: ['Wiki', 'Wiki/raw'] }, ROOM);
    expect(text).toContain('Folders made:\n- Wiki\n- Wiki/raw\n');
  });
});

describe('a file beside the vault as text', () => {
  it('says what was done and the version to expect next', () => {
    expect(filesWriteText(WRITTEN, ROOM).text).toBe('Made "a.csv", 2 bytes in all.\netag now: abc\n');
    expect(firstLine(filesWriteText({ ...WRITTEN, status: 'appended' }, ROOM).text)).toBe(
      'Added to "a.csv", 2 bytes in all.',
    );
    expect(filesWriteText({ ...WRITTEN, status: 'replaced', dry_run: true }, ROOM).text).toBe(
      'Dry run, nothing was changed: this would replace "a.csv", 2 bytes in all.\n',
    );
  });
});

describe('the line above a superseded note', () => {
  it('names the note to read instead, or why none is known, and is none for a note that holds', () => {
    expect(supersededLine({ head: 'New\n.md' })).toBe('Superseded: read "New␊.md" instead.\n');
    expect(supersededLine({ head: null, problem: 'cycle' })).toMatch(/^Superseded, and no note .* in a circle\.\n$/);
    expect(supersededLine(undefined)).toBe('');
  });

  it('stays short however long the path is', () => {
    expect(supersededLine({ head: `${'x'.repeat(3_000)}.md` })).toBe(
      'Superseded: read the head of superseded_by instead.\n',
    );
  });
});
