/**
 * Links of a real vault nobody wrote for us: where they lead, told by a second, simpler reading; and that they lead
 * there still after moves. Needs the help vault beside the repository (see support/help-vault); skips without it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { followMove } from '@vault-mcp/shared/vault/note/follow-move';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { relocate } from '@vault-mcp/shared/vault/note/relocation';
import { type Resolution, resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasHelpVault, unpackHelpVault } from '../support/help-vault.ts';

/** Path in the vault to text. */
const notes = new Map<VaultPath, string>();

function readVault(root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const absolute = join(entry.parentPath, entry.name);
    notes.set(relative(root, absolute) as VaultPath, readFileSync(absolute, 'utf8'));
  }
}

/** The files whose path, with or without `.md`, ends with a target; the one whose whole path it is, if there is one. */
function meantBy(target: string): VaultPath[] {
  const wanted = [`/${target}`, `/${target}.md`].map((ending) => ending.toLowerCase());
  const ends = [...notes.keys()].filter((path) => wanted.some((ending) => `/${path}`.toLowerCase().endsWith(ending)));
  const whole = ends.filter((path) => wanted.includes(`/${path}`.toLowerCase()));
  return whole.length === 0 ? ends : whole;
}

/** A text without fenced and inline code and comments, as a few patterns see them. */
function withoutCode(text: string): string {
  return text
    .replace(/^([ >\t-]*)(`{3,}|~{3,})[\s\S]*?^[ >\t]*\2[ \t]*$/gm, '')
    .replace(/(`+)[^`\n]+?\1/g, '')
    .replace(/%%[\s\S]*?%%|<!--[\s\S]*?-->/g, '');
}

interface Edge {
  readonly path: VaultPath;
  readonly line: number;
  readonly to: Resolution;
}

/** Every link of every note, in order. */
function graphOf(texts: readonly (readonly [VaultPath, string])[]): Edge[] {
  const names = createVaultNames(texts.map(([path]) => path));
  return texts.flatMap(([path, text]) =>
    parseNote(text).links.map((link) => ({ path, line: link.line, to: resolveLink(link, path, names) })),
  );
}

describe.skipIf(!hasHelpVault)('the links of the help vault', { timeout: 120_000 }, () => {
  beforeAll(() => {
    const base = mkdtempSync(join(tmpdir(), 'vault-mcp-links-'));
    unpackHelpVault(base, ['en']);
    readVault(join(base, 'en'));
    rmSync(base, { recursive: true });
  });
  afterAll(() => notes.clear());

  it('are as many as a simpler reading counts', () => {
    for (const [path, text] of notes) {
      const wikilinks = parseNote(text).links.filter(({ form }) => form === 'wikilink');
      expect(wikilinks.length, path).toBe((withoutCode(text).match(/\[\[[^[\]\n]+?\]\]/g) ?? []).length);
    }
  });

  it('lead to the one file of their name; only names nobody has are broken, only names of several are ambiguous', () => {
    const names = createVaultNames(notes.keys());
    const counts = { resolved: 0, broken: 0, ambiguous: 0 };
    for (const [path, text] of notes) {
      for (const link of parseNote(text).links) {
        const where = `${path}:${link.line} ${link.target}`;
        const resolution = resolveLink(link, path, names);
        const expected = link.target === '' ? [path] : meantBy(link.target);
        counts[resolution.state]++;
        if (resolution.state === 'resolved') expect([resolution.path], where).toEqual(expected);
        else if (resolution.state === 'ambiguous') expect(resolution.candidates, where).toEqual(expected);
        else expect(expected, where).toEqual([]);
      }
    }
    // The archive holds no pictures, so that every embedded one is broken.
    expect(counts.resolved).toBeGreaterThan(1500);
    expect(counts.ambiguous).toBeLessThan(10);
  });

  it.each([
    ['a folder, deeper', 'Editing and formatting', 'Archive/2026/Formatting (old)', 0],
    ['a note that many name', 'Linking notes and files/Internal links.md', 'Links, internal.md', 0],
    ['a note onto a name that is taken', 'Obsidian Sync/Introduction to Obsidian Sync.md', 'Plugins/Callouts.md', 0],
    ['a folder whose name no wikilink can carry', 'Plugins', 'Plugins #1', 5],
  ])('lead where they led when one moves %s, or are reported', (_, source, destination, left) => {
    const relocation = relocate(createVaultNames(notes.keys()), source as VaultPath, destination as VaultPath, null);
    const followed = Array.from(notes, ([path, text]) => ({ path, ...followMove({ path, text }, relocation) }));
    const changed = new Map(followed.map(({ path, text }) => [path, text]));
    const before = graphOf([...notes]);
    const after = graphOf(Array.from(notes, ([path, text]) => [relocation.movedTo(path), changed.get(path) ?? text]));
    expect(after).toHaveLength(before.length);
    const astray = before.flatMap(({ line, to }, i) => {
      if (to.state !== 'resolved') return [];
      const now = after[i];
      expect(now?.line).toBe(line);
      return now?.to.state === 'resolved' && now.to.path === relocation.movedTo(to.path)
        ? []
        : [`${now?.path}:${line}`];
    });
    const reported = followed.flatMap((file) =>
      file.left.map(({ line }) => `${relocation.movedTo(file.path)}:${line}`),
    );
    expect(astray).toEqual(reported);
    expect(astray).toHaveLength(left);
    expect(followed.some(({ changedLines }) => changedLines.length > 0)).toBe(true);
  });
});
