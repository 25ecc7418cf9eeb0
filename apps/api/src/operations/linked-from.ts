/**
 * Which notes still link to files that are being removed, by the index's link rows. Danger: the files are gone by the
 * time somebody is told, so nothing here may fail the call; and a link that means another file of the same name must
 * not be counted, so names are looked up in the vault as it is.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@vault-mcp/shared/errors';
import type { LinkingFileRow } from '@vault-mcp/shared/index-db/rows';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { type LinkTarget, resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import { createVaultNames, type VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import { walkFolder } from '@vault-mcp/shared/vault/walk-folder';
import type { OperationContext } from '../context.ts';

/** Rows of the index read at a time, so that others have their turn in between. */
const ROWS_PER_PAGE = 500;

type LinkContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

interface Suspect {
  readonly path: VaultPath;
  readonly links: readonly LinkTarget[];
}

/**
 * @param removed files in the spelling they have or had on the disk
 * @returns the other notes that link to any of them, by path; null when it cannot be known just now, as without an index
 */
export async function linkedFrom(context: LinkContext, removed: readonly VaultPath[]): Promise<string[] | null> {
  const meant = removed.filter((path) => !isIgnored(context, path));
  if (meant.length === 0) return [];
  try {
    const gone: ReadonlySet<string> = new Set(removed);
    const suspects = await notesNaming(context, new Set(meant.flatMap(linkNames)), gone);
    if (suspects.length === 0) return [];
    const names = await namesakes(context, suspects, meant);
    return suspects
      .filter(({ path, links }) => links.some((link) => leadsInto(link, path, names, gone)))
      .map(({ path }) => path as string)
      .sort();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_ready') return null;
    context.log.warn({ err: error }, 'what links to removed files could not be told');
    return null;
  }
}

function isIgnored({ config }: LinkContext, path: string): boolean {
  return ignoredBy(config.index.ignore)(path);
}

/** How the last part of a link to a file can be written: whole, or a note's without its suffix. */
function linkNames(path: VaultPath): string[] {
  const name = pathKey(nameOf(path));
  return name.endsWith('.md') ? [name, name.slice(0, -3)] : [name];
}

/** The notes that will be left with a link that has one of these names, and those links. */
async function notesNaming(
  { reader }: LinkContext,
  names: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Promise<Suspect[]> {
  const suspects: Suspect[] = [];
  for (let after = 0; ; await nextTurn()) {
    const rows = reader.linkingFiles(after, ROWS_PER_PAGE);
    for (const row of rows) {
      const links = linksNaming(row, names);
      if (links.length > 0 && !gone.has(row.path)) suspects.push({ path: row.path as VaultPath, links });
    }
    const last = rows.at(-1);
    if (last === undefined) return suspects;
    after = last.id;
  }
}

function linksNaming(row: LinkingFileRow, names: ReadonlySet<string>): LinkTarget[] {
  return row.links
    .filter(({ target }) => names.has(pathKey(nameOf(target))))
    .map(({ form, target }) => ({ form: form as LinkTarget['form'], target }));
}

/** All files that these links could mean, those on their way out included. */
async function namesakes(
  context: LinkContext,
  suspects: readonly Suspect[],
  removed: readonly VaultPath[],
): Promise<VaultNames> {
  const written = suspects.flatMap(({ links }) => links.map(({ target }) => pathKey(nameOf(target))));
  const wanted = new Set(written.flatMap((name) => [name, `${name}.md`]));
  const paths: VaultPath[] = [...removed];
  const items = walkFolder(context.vault, '' as VaultPath, {
    enter: () => true,
    wants: (path) => wanted.has(pathKey(nameOf(path))) && !isIgnored(context, path),
  });
  for await (const { path, kind } of items) if (kind !== 'folder') paths.push(path);
  return createVaultNames(paths);
}

function leadsInto(link: LinkTarget, from: VaultPath, names: VaultNames, gone: ReadonlySet<string>): boolean {
  const resolution = resolveLink(link, from, names);
  return resolution.state === 'resolved' && gone.has(resolution.path);
}
