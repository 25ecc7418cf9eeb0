/** Where the index page stands. Pure, so that rights over paths can know it without knowing how files are read. */
import { pathKey, type VaultPath } from './path.ts';

export const INDEX_PAGE = 'index.md' as VaultPath;

/** Whether a path is that of the index page, in any spelling of its name. */
export function isIndexPagePath(path: string): boolean {
  return pathKey(path) === INDEX_PAGE;
}
