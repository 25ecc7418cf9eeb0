/**
 * Which notes and canvases still link to files that are being removed: notes by the index's link rows, canvases, which
 * no index holds, by reading them. Danger: the files are gone by the time somebody is told, so nothing here may fail the
 * call; and a link that means another file of the same name must not be counted, so names are looked up in the vault as
 * it is.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { canvasTargets } from '@vault-mcp/shared/vault/note/canvas-targets';
import { createNamePrecheck } from '@vault-mcp/shared/vault/note/move-precheck';
import { type LinkTarget, resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import { decodeNote } from '@vault-mcp/shared/vault/note/text';
import { createVaultNames, type VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import { readFileBytes } from '@vault-mcp/shared/vault/read';
import { walkFolder } from '@vault-mcp/shared/vault/walk-folder';
import type { OperationContext } from '../context.ts';
import { linkingRows } from './linking-rows.ts';

type LinkContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

interface Suspect {
  readonly path: VaultPath;
  readonly links: readonly LinkTarget[];
}

/**
 * @param removed files in the spelling they have or had on the disk
 * @returns the other notes and the canvases that link to any of them, by path; null when it cannot be known just now, as without an index
 */
export async function linkedFrom(context: LinkContext, removed: readonly VaultPath[]): Promise<string[] | null> {
  const meant = removed.filter((path) => !isIgnored(context, path));
  if (meant.length === 0) return [];
  try {
    const gone: ReadonlySet<string> = new Set(removed);
    const linked = new Set(meant.flatMap(linkNames));
    const notes = await notesNaming(context, linked, gone);
    const suspects = [...notes, ...(await canvasesNaming(context, linked, gone))];
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
  for await (const row of linkingRows(reader)) {
    const links = linksNaming(row.links, names);
    if (links.length > 0 && !gone.has(row.path)) suspects.push({ path: row.path as VaultPath, links });
  }
  return suspects;
}

/** The same of canvases, excluded folders included, as for a move. One that cannot be read is passed over. */
async function canvasesNaming(
  context: LinkContext,
  names: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Promise<Suspect[]> {
  const suspects: Suspect[] = [];
  const mayName = createNamePrecheck([...names]);
  const canvases = walkFolder(context.vault, '' as VaultPath, {
    enter: () => true,
    wants: (path) => path.toLowerCase().endsWith('.canvas') && !gone.has(path),
  });
  for await (const { path, kind } of canvases) {
    const text = kind === 'folder' ? null : await textOf(context, path);
    if (text === null || !mayName(text)) continue;
    const links = linksNaming(canvasTargets(text), names);
    if (links.length > 0) suspects.push({ path, links });
  }
  return suspects;
}

async function textOf({ vault, config }: LinkContext, path: VaultPath): Promise<string | null> {
  try {
    return decodeNote((await readFileBytes(vault, path, { maxBytes: config.vault.note_max_bytes })).bytes).text;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function linksNaming(
  links: readonly { readonly form: string; readonly target: string }[],
  names: ReadonlySet<string>,
): LinkTarget[] {
  return links
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
