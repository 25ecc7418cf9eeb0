/**
 * Which file of the root is the index page. A disk that tells cases apart may hold `index.md` and `INDEX.md`, which are one
 * file to other systems. Danger: a person's page in any spelling must not get a generated one beside it, for whatever
 * carries the vault to such a system would put one in the other's place.
 */
import { AppError } from '../errors.ts';
import { INDEX_PAGE, isGeneratedFile, isIndexPagePath } from './index-page.ts';
import type { VaultPath } from './path.ts';
import type { Located, Vault } from './vault.ts';
import { namesIn } from './write-target.ts';

export interface PagePlace {
  /** What is the page if it carries the mark; null where nothing has its name. */
  readonly page: Located | null;
  /** Generated pages besides, which nobody keeps. */
  readonly spare: readonly VaultPath[];
}

/**
 * What has the page's name in the root, its own spelling first; links and folders, too.
 *
 * @throws AppError when the root cannot be opened; the file system's error
 */
export async function pageSpellings(vault: Vault): Promise<VaultPath[]> {
  const names = (await namesIn(vault, '' as VaultPath)).filter(isIndexPagePath) as VaultPath[];
  return names.sort((a, b) => Number(b === INDEX_PAGE) - Number(a === INDEX_PAGE) || (a < b ? -1 : 1));
}

/**
 * The one of them that is the page: whatever is a person's, or no file at all; where all are generated, the first.
 *
 * @param spellings what pageSpellings gave
 * @throws AppError `invalid_path` for a link; `unreadable`
 */
export async function findIndexPage(vault: Vault, spellings: readonly VaultPath[]): Promise<PagePlace> {
  const there: Located[] = [];
  for (const name of spellings) {
    const located = await vault.locate(name, { hints: false }).catch(nullIfGone);
    if (located !== null) there.push(located);
  }
  // Of the only one, whoever writes it finds out whose it is.
  if (there.length < 2) return { page: there[0] ?? null, spare: [] };
  const generated = await Promise.all(
    there.map(async ({ kind, path }) => kind !== 'folder' && (await isGeneratedFile(vault, path))),
  );
  const page = there.find((_, at) => !generated[at]) ?? there[0] ?? null;
  return { page, spare: there.filter((one, at) => one !== page && generated[at]).map(({ path }) => path) };
}

function nullIfGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
