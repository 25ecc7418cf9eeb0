// What is answered of links while a folder cannot be read, in a process that heeds permissions.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { fillVault } from '../../../../test/support/vault-files.ts';

/** An index that knows each note's links as `name: targets` in its argument. */
const SCRIPT = `
  import { openVault } from '@vault-mcp/shared/vault/vault';
  const { currentGraph } = await import(process.argv[3] + '/links/current-graph.js');
  const { vaultLinks } = await import(process.argv[3] + '/links/vault-links.js');
  const { fileLinks } = await import(process.argv[3] + '/links/file-links.js');
  const notes = JSON.parse(process.argv[2]);
  const links = (targets) => targets.map((target, at) => ({ form: 'wikilink', target, line: at + 1 }));
  const rows = Object.keys(notes).map((path, at) => ({ id: at + 1, path, sha256: 's' }));
  const reader = {
    generation: () => 1,
    noteChanges: () => ({ mark: {}, whole: true, rows, left: null }),
    linksOf: ({ path }) => links(notes[path]),
    quarantined: () => [],
  };
  const current = await currentGraph({
    vault: await openVault(process.argv[1], { docSuffixes: [] }),
    access: { readRules: null }, reader, ignore: [], excludeDirs: [], log: { debug() {}, warn() {} },
    readOutside: async () => ({ changed: [], gone: [], leftOut: [] }),
  });
  const page = { marks: {}, limit: 10 };
  const asked = { path: 'a.md', kind: 'note', links: links(notes['a.md']) };
  console.log(JSON.stringify({
    vault: vaultLinks(current, page),
    file: fileLinks({ ...current, isNear: () => true }, asked, page),
    leftOut: current.leftOut,
  }));
`;

const NOTES = {
  'a.md': ['Secret', 'Closed/Plan', '/Closed/x', '/Open/y', './z', 'b'],
  'b.md': [],
  'c.md': ['Secret'],
  'd.md': [],
};

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder('unread');
  fillVault(folder.path, {
    ...Object.fromEntries(Object.keys(NOTES).map((path) => [path, ''])),
    'Closed/Secret.md': '',
  });
});
afterEach(async () => {
  chmodSync(join(folder.path, 'Closed'), 0o700);
  await folder.remove();
});

interface Said {
  readonly vault: { broken: { target: string }[]; orphans: string[]; counts: object };
  readonly file: { broken: { target: string }[]; counts: object };
  readonly leftOut: unknown[];
}

const ask = () =>
  runUnprivileged(SCRIPT, [folder.path, JSON.stringify(NOTES), join(import.meta.dirname, '../../dist')]) as Said;

describe.skipIf(!canRunUnprivileged)('while a folder cannot be read', () => {
  beforeEach(() => chmodSync(join(folder.path, 'Closed'), 0));

  it('no link is called broken that may lead there, nor a note alone that has only such links', () => {
    const { vault, file, leftOut } = ask();
    expect(file.broken.map(({ target }) => target)).toEqual(['/Open/y', './z']);
    expect(file.counts).toMatchObject({ outlinks: 1, broken: 2, unknown: 3 });
    expect(vault.broken.map(({ target }) => target)).toEqual(['/Open/y', './z']);
    expect(vault.counts).toMatchObject({ links: 7, resolved: 1, broken: 2, unknown: 4 });
    expect(vault.orphans).toEqual(['d.md']);
    expect(leftOut).toEqual([{ path: 'Closed', reason: expect.stringMatching(/no permission/) }]);
  });
});

describe('while every folder can be read', () => {
  it('every link is known to lead somewhere or nowhere', () => {
    const { vault, leftOut } = ask();
    expect(vault.counts).toMatchObject({ links: 7, resolved: 3, broken: 4, unknown: 0 });
    expect(leftOut).toEqual([]);
  });
});
