/**
 * Which page a fact belongs on: the one of that name, however a person spelled it, or those that may be meant. Pure. Danger:
 * a page that is overlooked gets a second one beside it, and what is known falls apart over the two.
 */
import { pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import { similarPages } from './page-similarity.ts';
import { slugify } from './slug.ts';

export interface PageCandidate {
  readonly path: VaultPath;
  /** From 0.4 to 1; 1 is equal but for hyphens. */
  readonly score: number;
}

export type PageMatch =
  /** The page, in the spelling on disk. */
  | { readonly is: 'page'; readonly path: VaultPath }
  /** No page of that name, but these; the most alike first. */
  | { readonly is: 'candidates'; readonly candidates: readonly PageCandidate[] }
  /** Nothing like it. */
  | { readonly is: 'none' };

/** The notes below the wiki's folder that facts may go to: not its raw material. */
export function wikiPages(dir: VaultPath, files: Iterable<VaultPath>): VaultPath[] {
  const under = `${pathKey(dir)}/`;
  const pages: VaultPath[] = [];
  for (const file of files) {
    const key = pathKey(file);
    if (key.startsWith(under) && key.endsWith(SUFFIX) && !key.startsWith(`${under}raw/`)) pages.push(file);
  }
  return pages;
}

/** What a page is called by: the wiki's folder and the suffix say nothing, and who was shown a path sends it back whole. */
export function pageName(named: string, dir: VaultPath): string {
  const name = named.replace(/\s+/g, ' ').trim();
  const within = pathKey(name).startsWith(`${pathKey(dir)}/`) ? name.slice(dir.length + 1) : name;
  return within.toLowerCase().endsWith(SUFFIX) ? within.slice(0, -SUFFIX.length).trim() : within;
}

/** Where the page of a slug is made. */
export function pageOf(dir: VaultPath, slug: string): VaultPath {
  return `${dir}/${slug}${SUFFIX}` as VaultPath;
}

/**
 * @param name as pageName gives it: a page's title, its slug, or its path below the wiki's folder
 * @param pages what wikiPages gives
 */
export function matchPage(name: string, dir: VaultPath, pages: readonly VaultPath[]): PageMatch {
  const slug = slugify(name);
  const byKey = new Map(pages.map((path) => [pathKey(path), path]));
  const exact = byKey.get(pathKey(pageOf(dir, name))) ?? byKey.get(pathKey(pageOf(dir, slug)));
  if (exact !== undefined) return { is: 'page', path: exact };
  const bySlug = new Map<string, VaultPath[]>();
  for (const path of pages) {
    const own = slugify(stemOf(path));
    bySlug.set(own, [...(bySlug.get(own) ?? []), path]);
  }
  const [only, ...others] = bySlug.get(slug) ?? [];
  if (only !== undefined && others.length === 0) return { is: 'page', path: only };
  const candidates = similarPages(slug, bySlug.keys())
    .flatMap(({ slug: other, score }) => (bySlug.get(other) ?? []).sort().map((path) => ({ path, score })))
    .slice(0, MAX_CANDIDATES);
  return candidates.length === 0 ? { is: 'none' } : { is: 'candidates', candidates };
}

const SUFFIX = '.md';
const MAX_CANDIDATES = 5;

function stemOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf('/') + 1, -SUFFIX.length);
}
