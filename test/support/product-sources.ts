/**
 * The product's own sources as one text: what tests ask when a page or a table has to name exactly what the code does.
 * Danger: a question put to text is only as good as its pattern, so each is asked for in both directions.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './doc-pages.ts';

const FOLDERS = ['packages/shared/src', 'apps/api/src', 'apps/indexer/src', 'apps/cli/src'];

/**
 * @param folders from the repository's root; all of the product's when none is named
 * @param leftOut files, from such a folder, that do not count
 */
export function productSources(folders: readonly string[] = FOLDERS, leftOut: RegExp = /^$/): string {
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !leftOut.test(file))
        .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
    )
    .join('\n');
}

/** Whether some source makes an error with this code; a comparison with one does not count. */
export function produces(sources: string, code: string): boolean {
  return new RegExp(`AppError\\(\\s*'${code}'`).test(sources);
}
