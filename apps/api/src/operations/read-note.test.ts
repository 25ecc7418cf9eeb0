import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../test/support/index-records.ts';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { mapNote } from './map-note.ts';
import { type NoteParser, noteParser } from './note-parser.ts';
import { readNote, readNoteContent } from './read-note.ts';

const HEATING = [
  '---',
  'title: Heating',
  'tags: [house/heating, winter]',
  'pressure: 1.5',
  '---',
  '# Heating',
  '',
  'Bleed the radiators. #todo',
  '',
  '## Boiler',
  '',
  'Serviced by Brandt. ^serviced',
  '',
  '### Parts',
  '',
  'Filter 0054.',
  '',
  '## Radiators',
  '',
  'Eleven.',
  '',
].join('\r\n');

const FILES: Record<string, string | Buffer> = {
  'House/Heating.md': HEATING,
  'House/Was.md': '---\nsuperseded_by: "[[Heating]]"\n---\n# Was\n',
  'House/Broken.md': '---\ntitle: a: b\n---\n\nText.\n',
  'House/Latin.md': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  'House/plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'Log.md': `# Log\n\n${'A line of the log.\n'.repeat(500)}`,
  'big.md': 'x'.repeat(60_000),
};

const vault = readingSuite(FILES, { NOTE_MAX_BYTES: '50000' });

describe('reading a note', () => {
  it('gives the file byte for byte, its parts, and the hash of its bytes', async () => {
    const note = await readNote(vault.context, { path: 'House/Heating.md' });
    expect(note).toMatchObject({
      path: 'House/Heating.md',
      kind: 'note',
      content: HEATING,
      frontmatter: { title: 'Heating', tags: ['house/heating', 'winter'], pressure: 1.5 },
      tags: ['house/heating', 'winter', 'todo'],
      stat: { size: Buffer.byteLength(HEATING), mtime: expect.any(Number), ctime: expect.any(Number) },
      etag: sha256(HEATING),
      next_offset: null,
      total_chars: HEATING.length,
    });
    expect(note).toHaveProperty('body', HEATING.slice(HEATING.indexOf('# Heating')));
    expect(note).not.toHaveProperty('frontmatter_error');
    expect(note).not.toHaveProperty('lossy');
  });

  it('gives one section with its heading line and subsections, the etag still being the file’s', async () => {
    const section = await readNote(vault.context, { path: 'House/Heating.md', section: 'Heating::Boiler' });
    const text = HEATING.slice(HEATING.indexOf('## Boiler'), HEATING.indexOf('## Radiators'));
    expect(section).toMatchObject({ content: text, body: text, section: 'Heating::Boiler', etag: sha256(HEATING) });
  });

  it('gives one block', async () => {
    const block = await readNote(vault.context, { path: 'House/Heating.md', section: '^serviced' });
    expect(block.content).toBe('Serviced by Brandt. ^serviced');
  });

  it('refuses a section that is not there, naming those that are', async () => {
    await expect(readNote(vault.context, { path: 'House/Heating.md', section: 'Boilr' })).rejects.toMatchObject({
      code: 'no_such_heading',
      message: expect.stringContaining('Boiler'),
    });
  });

  it('says when the frontmatter cannot be used, and gives the rest', async () => {
    const note = await readNote(vault.context, { path: 'House/Broken.md' });
    expect(note).toMatchObject({ frontmatter: {}, frontmatter_error: expect.any(String) });
    expect(note.content).toContain('Text.');
  });

  it('marks a text that is not valid UTF-8 as lossy', async () => {
    const note = await readNote(vault.context, { path: 'House/Latin.md' });
    expect(note).toMatchObject({
      content: 'caf\ufffd\n',
      lossy: true,
      etag: createHash('sha256')
        .update(FILES['House/Latin.md'] ?? '')
        .digest('hex'),
    });
  });

  it('gives pages that end at a line and laid end to end are the note', async () => {
    let offset: number | null = 0;
    let text = '';
    while (offset !== null) {
      const page: Awaited<ReturnType<typeof readNote>> = await readNote(vault.context, {
        path: 'Log.md',
        offset,
        max_chars: 1000,
      });
      expect(page.content.length).toBeLessThanOrEqual(1000);
      expect(page.content.endsWith('\n')).toBe(true);
      expect(page.total_chars).toBe(String(FILES['Log.md']).length);
      text += page.content;
      offset = page.next_offset;
    }
    expect(text).toBe(FILES['Log.md']);
  });

  it.each([
    ['House', 'is_directory'],
    ['House/plan.svg', 'unsupported_suffix'],
    ['House/Nothing.md', 'not_found'],
    ['../secret.md', 'invalid_path'],
    ['.obsidian/app.md', 'invalid_path'],
    ['big.md', 'note_too_large'],
  ])('refuses %s as %s', async (path, code) => {
    await expect(readNote(vault.context, { path })).rejects.toMatchObject({ code });
  });
});

describe('reading the text alone', () => {
  /** Parses as ever, and notes what it was asked. */
  function recordingParser() {
    const asked: object[] = [];
    const parser: NoteParser = {
      ask(note, question) {
        asked.push(question);
        return noteParser.ask(note, question);
      },
    };
    return { parser, asked };
  }

  it('parses nothing, whole or page by page', async () => {
    const { parser, asked } = recordingParser();
    const whole = await readNoteContent(vault.context, { path: 'House/Heating.md' }, { parser });
    expect(whole).toMatchObject({ kind: 'note', content: HEATING, etag: sha256(HEATING), next_offset: null });
    expect(await readNoteContent(vault.context, { path: 'House/Latin.md' }, { parser })).toMatchObject({ lossy: true });
    await readNoteContent(vault.context, { path: 'Log.md', offset: 1000, max_chars: 1000 }, { parser });
    expect(asked).toEqual([]);
  });

  it('says which note holds now of one that was superseded, whole or a section of it', async () => {
    const { parser, asked } = recordingParser();
    for (const section of [undefined, 'Was']) {
      const input = { path: 'House/Was.md', ...(section && { section }) };
      const note = await readNoteContent(vault.context, input, { parser });
      expect(note).toMatchObject({ superseded_by: { head: 'House/Heating.md' } });
    }
    expect(asked).toHaveLength(1);
  });

  it('gives the same section that reading everything gives', async () => {
    const { parser, asked } = recordingParser();
    const input = { path: 'House/Heating.md', section: 'Heating::Boiler' };
    const text = await readNoteContent(vault.context, input, { parser });
    expect(await readNote(vault.context, input, { parser })).toMatchObject(text);
    expect(asked).toEqual(Array(2).fill({ about: 'parts', section: 'Heating::Boiler' }));
  });

  it('refuses as reading everything refuses', async () => {
    await expect(readNoteContent(vault.context, { path: 'House' })).rejects.toMatchObject({ code: 'is_directory' });
    const absent = readNoteContent(vault.context, { path: 'House/Heating.md', section: 'Cellar' });
    await expect(absent).rejects.toMatchObject({ code: 'no_such_heading' });
  });
});

describe('a map', () => {
  it('gives headings whose targets read back as those sections, and blocks', async () => {
    const map = await mapNote(vault.context, { path: 'House/Heating.md' });
    if (map.kind !== 'note') throw new Error('not a note');
    expect(map.headings.map(({ depth, text, line }) => [depth, text, line])).toEqual([
      [1, 'Heating', 6],
      [2, 'Boiler', 10],
      [3, 'Parts', 14],
      [2, 'Radiators', 18],
    ]);
    expect(map.blocks).toEqual(['^serviced']);
    for (const { target, depth, text } of map.headings) {
      const section = await readNote(vault.context, { path: 'House/Heating.md', section: target });
      expect(section.content.startsWith(`${'#'.repeat(depth)} ${text}`)).toBe(true);
    }
  });

  it('refuses a folder and an attachment', async () => {
    await expect(mapNote(vault.context, { path: 'House' })).rejects.toMatchObject({ code: 'is_directory' });
    await expect(mapNote(vault.context, { path: 'House/plan.svg' })).rejects.toMatchObject({
      code: 'unsupported_suffix',
    });
  });
});
