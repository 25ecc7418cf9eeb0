/**
 * What links to what in a real vault nobody wrote for us, as the product answers it, against a count made in another way:
 * a few patterns over the texts and the list of files. Needs the help vault beside the repository (see support/help-vault);
 * skips without it.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { OperationContext } from '@vault-mcp/api/context';
import type { FileLinks } from '@vault-mcp/api/links/file-links';
import type { VaultLinks } from '@vault-mcp/api/links/vault-links';
import { type FoundLinks, findLinks } from '@vault-mcp/api/operations/find-links';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasHelpVault, unpackHelpVault } from '../support/help-vault.ts';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { operationContext } from '../support/reading-context.ts';

/** The archive holds no pictures, sounds or films, so that every link to one is broken. */
const LEFT_OUT_OF_THE_ARCHIVE = /\.(png|gif|svg|jpe?g|webp|mp4|webm|mp3|ogg|pdf|zip)$/i;
/** Every other broken link, and why. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'Linking notes and files/Internal links.md: Example': 'shows what such a link looks like',
  'Linking notes and files/Internal links.md: Example.md': 'shows what such a link looks like',
};
/** Links whose name two notes have: each means the one in its own folder, as the people who wrote it could see. */
const BY_OWN_FOLDER: Readonly<Record<string, string>> = {
  'Obsidian Publish/Introduction to Obsidian Publish.md': 'Obsidian Publish/Security and privacy.md',
  'Obsidian Sync/Headless Sync.md': 'Obsidian Sync/Security and privacy.md',
  'Obsidian Sync/Introduction to Obsidian Sync.md': 'Obsidian Sync/Security and privacy.md',
  'Obsidian Sync/Set up Obsidian Sync.md': 'Obsidian Sync/Security and privacy.md',
  'Obsidian Sync/Upgrade Sync encryption.md': 'Obsidian Sync/Security and privacy.md',
};

let base: string;
let vault: IndexedVault;
let context: OperationContext;

/** What the patterns find in one note: where each of its links leads, or nothing. */
interface Counted {
  readonly leads: readonly string[];
  readonly broken: number;
  readonly ambiguous: number;
}

function texts(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const absolute = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(relative(root, absolute), readFileSync(absolute, 'utf8'));
  }
  return found;
}

/** A text without fenced and inline code and comments, as a few patterns see them. */
function withoutCode(text: string): string {
  return text
    .replace(/^([ >\t-]*)(`{3,}|~{3,})[\s\S]*?^[ >\t]*\2[ \t]*$/gm, '')
    .replace(/(`+)[^`\n]+?\1/g, '')
    .replace(/%%[\s\S]*?%%|<!--[\s\S]*?-->/g, '');
}

function targetsIn(text: string): string[] {
  const seen = withoutCode(text);
  const wiki = [...seen.matchAll(/\[\[([^[\]\n]+?)\]\]/g)].map(([, inside = '']) => inside.split(/\\?\|/)[0] ?? '');
  const markdown = [...seen.matchAll(/\]\(<?([^)>\s]+)[^)]*\)/g)].map(([, target = '']) => target);
  const own = markdown.filter((target) => !/^([a-z][a-z0-9+.-]+:|\/\/)/i.test(target)).map(decodeURIComponent);
  return [...wiki, ...own].map((target) => target.replace(/#.*/, '').trim());
}

function countIn(path: string, text: string, files: readonly string[]): Counted {
  const leads: string[] = [];
  let broken = 0;
  let ambiguous = 0;
  for (const target of targetsIn(text)) {
    const wanted = [`/${target}`, `/${target}.md`].map((ending) => ending.toLowerCase());
    const meant = files.filter((file) => wanted.some((ending) => `/${file}`.toLowerCase().endsWith(ending)));
    const whole = meant.find((file) => wanted.includes(`/${file}`.toLowerCase()));
    if (target === '') leads.push(path);
    else if (meant.length === 0) broken++;
    else if (meant.length === 1 || whole !== undefined) leads.push(whole ?? meant[0] ?? '');
    else {
      ambiguous++;
      leads.push(meant.find((file) => dirname(file) === dirname(path)) ?? 'somewhere');
    }
  }
  return { leads, broken, ambiguous };
}

const of = (path: string) => findLinks(context, { path, limit: 1_000 }) as Promise<FoundLinks & FileLinks>;
const ofVault = () => findLinks(context, { path: '', limit: 1_000 }) as Promise<FoundLinks & VaultLinks>;

describe.skipIf(!hasHelpVault)('what links to what in the help vault', { timeout: 120_000 }, () => {
  let counted: Map<string, Counted>;

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'vault-mcp-links-'));
    unpackHelpVault(base, ['en']);
    mkdirSync(join(base, 'data'));
    renameSync(join(base, 'en'), join(base, 'vault'));
    vault = await indexVault({ base });
    await vault.settled({ withinMs: 60_000 });
    context = await operationContext(vault);
    const read = texts(vault.vaultPath);
    const files = [...read.keys()];
    counted = new Map([...read].map(([path, text]) => [path, countIn(path, text, files)]));
  }, 120_000);
  afterAll(async () => {
    await vault?.remove();
    rmSync(base, { recursive: true, force: true });
  });

  it('is counted as the patterns count it', async () => {
    const all = [...counted.values()];
    const sum = (figure: (one: Counted) => number) => all.reduce((total, one) => total + figure(one), 0);
    const broken = sum((one) => one.broken);
    const ambiguous = sum((one) => one.ambiguous);
    const resolved = sum((one) => one.leads.length) - ambiguous;
    const { counts } = await ofVault();
    expect(counts).toMatchObject({ notes: 173, links: resolved + broken + ambiguous, resolved, broken, ambiguous });
    // So that two readings that both find nothing do not agree.
    expect([resolved > 1_500, broken > 200, ambiguous]).toEqual([true, true, 5]);
  });

  it('is the same of every note: its links, those that lead nowhere, and who links to it', async () => {
    for (const [path, { leads, broken, ambiguous }] of counted) {
      const found = await of(path);
      const others = [...counted].filter(([other, { leads: theirs }]) => other !== path && theirs.includes(path));
      const led = [...found.outlinks, ...found.ambiguous].map(({ to }) => to);
      expect(led.sort(), path).toEqual([...leads].sort());
      expect([found.broken.length, found.ambiguous.length], path).toEqual([broken, ambiguous]);
      expect(
        found.backlinks.map((back) => back.path),
        path,
      ).toEqual(others.map(([other]) => other).sort());
    }
  });

  it('leads to a note, or to what the archive lacks, or is explained', async () => {
    const { broken } = await ofVault();
    const unexplained = broken.filter(({ target }) => !LEFT_OUT_OF_THE_ARCHIVE.test(target));
    const named = unexplained.map(({ path, target }) => `${path}: ${target}`);
    expect([...new Set(named)].sort()).toEqual(Object.keys(EXPLAINED).sort());
  });

  it('is, where two notes have the name, what stands in the same folder, as Obsidian has it', async () => {
    const { ambiguous } = await ofVault();
    expect(Object.fromEntries(ambiguous.map(({ path, to }) => [path, to]))).toEqual(BY_OWN_FOLDER);
  });

  it('leaves alone the notes that no pattern finds linked', async () => {
    const linked = new Set([...counted].flatMap(([path, { leads }]) => leads.filter((to) => to !== path)));
    const alone = [...counted].filter(([path, { leads }]) => !linked.has(path) && leads.every((to) => to === path));
    const { orphans } = await ofVault();
    expect(orphans).toEqual(alone.map(([path]) => path).sort());
  });
});
