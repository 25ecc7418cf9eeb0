import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { createLinksReader, type LinksAnswer } from './read-links.ts';
import { createSurveyThread } from './survey-thread.ts';

let folder: TempFolder;
let put: PutFile;
/** The marks of what is known. */
let marks: Map<string, string>;
let ask: (...paths: string[]) => LinksAnswer;
let leftOut: unknown[];

beforeEach(async () => {
  folder = await createTempFolder('read-links');
  put = fillVault(folder.path);
  marks = new Map();
  leftOut = [];
  const read = createLinksReader(folder.path);
  ask = (...paths) => {
    const files = (paths as VaultPath[]).map((path) => ({ path, mark: marks.get(path) }));
    const found = read({ about: 'links', files }, 10_000);
    for (const { path, mark } of found.answer.changed) marks.set(path, mark);
    leftOut = [...found.leftOut];
    return found.answer;
  };
});
afterEach(() => folder.remove());

const canvas = (...nodes: object[]) => JSON.stringify({ nodes, edges: [] });
const changed = (answer: LinksAnswer) =>
  answer.changed.map(({ path, links }) => [path, links.map(({ target }) => target)]);

describe('the links of files outside the index', () => {
  it('are those of notes with their lines, and of canvases without', () => {
    put('Old/a.md', '# A\n\n[[b]] and [c](c.md)\n\n`[[not]]`\n');
    put('Board.canvas', canvas({ type: 'file', file: 'Old/a.md' }, { type: 'text', text: 'see [[b]]' }));
    expect(ask('Old/a.md', 'Board.canvas').changed.map(({ links }) => links)).toEqual([
      [
        { form: 'wikilink', target: 'b', line: 3 },
        { form: 'markdown', target: 'c.md', line: 3 },
      ],
      [
        { form: 'markdown', target: '/Old/a.md', line: 0 },
        { form: 'wikilink', target: 'b', line: 0 },
      ],
    ]);
  });

  it('are told again when they are others, to whoever has not these', () => {
    put('a.md', '[[b]]');
    expect(changed(ask('a.md'))).toEqual([['a.md', ['b']]]);
    put('a.md', '[[c]]');
    expect(changed(ask('a.md'))).toEqual([['a.md', ['c']]]);
    marks.clear();
    expect(changed(ask('a.md'))).toEqual([['a.md', ['c']]]);
  });

  it('of what is gone or cannot be read are said to be so', () => {
    put('a.md', '[[b]]');
    put('large.md', '[[b]] '.repeat(5_000));
    ask('a.md');
    rmSync(join(folder.path, 'a.md'));
    expect(ask('a.md', 'Nowhere/b.md', 'large.md')).toEqual({ changed: [], gone: ['a.md', 'Nowhere/b.md'] });
    expect(leftOut).toEqual([{ path: 'large.md', reason: expect.stringContaining('larger than 10000 bytes') }]);
  });

  it('are read by the thread that looks at notes, with marks that no other thread gives', async () => {
    put('a.canvas', canvas({ type: 'file', file: 'b.md' }));
    const threads = [createSurveyThread(folder.path), createSurveyThread(folder.path)];
    const request = { folder: '' as VaultPath, maxBytes: 0, ignore: [], readable: null };
    const files = [{ path: 'a.canvas' as VaultPath }];
    const both = await Promise.all(threads.map((each) => each.ask(request, { about: 'links', files })));
    await Promise.all(threads.map((each) => each.close()));
    expect(both.map(({ answer }) => changed(answer))).toEqual(Array(2).fill([['a.canvas', ['/b.md']]]));
    expect(new Set(both.map(({ answer }) => answer.changed[0]?.mark)).size).toBe(2);
  });
});
