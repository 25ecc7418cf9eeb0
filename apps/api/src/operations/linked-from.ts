/**
 * Which notes and canvases link to files that are being removed or replaced: by the index's link rows where it knows a note as
 * it is now, by reading whatever else may hold links. Danger: the files are gone by the time somebody is told, so nothing
 * here may fail the call or hold it up for long; and a link that means another file of the same name must not be counted,
 * so names are looked up in the vault as it is.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { linkingRows } from '@vault-mcp/shared/index-db/linking-rows';
import { isGeneratedText, isIndexPagePath } from '@vault-mcp/shared/vault/index-page';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { type LinkCandidate, walkLinkCandidates } from '@vault-mcp/shared/vault/link-candidates';
import { createNamePrecheck } from '@vault-mcp/shared/vault/note/move-precheck';
import { type LinkTarget, resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import { decodeNote, sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { gatherVaultNames, type VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import { readFileBytes } from '@vault-mcp/shared/vault/read';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import type { OperationContext } from '../context.ts';
import { knowsLinks } from './knows-links.ts';
import { MAX_LEFT_OUT, PARTLY_UNREAD } from './link-graph.ts';
import { noteParser } from './note-parser.ts';

type LinkContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

/**
 * Files that are read at most: about a second and a half of it. More of them means that the index is being built, or that
 * most of the vault is kept out of it.
 */
const READ_AT_MOST = 2_000;

/** What is known of who links to files; the fields of an answer. */
export interface LinkedFrom {
  /** Other notes and the canvases, by path; null when it cannot be known just now, as without an index. */
  readonly linked_from: readonly string[] | null;
  /**
   * Only for who may read a part of the vault, and then always: files beyond it may link there too, and a link that is found
   * by name may mean one of them. Such a link is named, as one too many only costs a look.
   */
  readonly links_unseen?: true;
  /** Only when there may be more, since folders or files could not be read. */
  readonly degraded?: readonly (typeof PARTLY_UNREAD)[];
  /** Those, the first of them. A folder's path is '' for all of the vault. */
  readonly left_out?: readonly LeftOut[];
}

interface Suspect {
  readonly path: VaultPath;
  readonly links: readonly LinkTarget[];
}

/**
 * Who links to any of these. Never throws.
 *
 * @param removed files in the spelling they have or had on the disk; one that is replaced is another file from then on
 */
export async function linkedFrom(context: LinkContext, removed: readonly VaultPath[]): Promise<LinkedFrom> {
  const leftOut: LeftOut[] = [];
  const paths = await pathsLinkingTo(context, removed, (one) => leftOut.push(one));
  const isPart = context.vault.access.readRules !== null;
  const linked = { linked_from: paths, ...(isPart ? { links_unseen: true as const } : {}) };
  if (paths === null || leftOut.length === 0) return linked;
  return { ...linked, degraded: [PARTLY_UNREAD], left_out: leftOut.slice(0, MAX_LEFT_OUT) };
}

type OnLeftOut = (what: LeftOut) => void;

async function pathsLinkingTo(
  context: LinkContext,
  removed: readonly VaultPath[],
  onLeftOut: OnLeftOut,
): Promise<string[] | null> {
  const meant = removed.filter((path) => !isIgnored(context, path));
  if (meant.length === 0) return [];
  try {
    const gone: ReadonlySet<string> = new Set(removed);
    const linked = new Set(meant.flatMap(linkNames));
    const files = await listFiles(context, onLeftOut);
    const suspects = await filesNaming({ context, files, gone, onLeftOut }, linked);
    if (suspects === null) return null;
    if (suspects.length === 0) return [];
    const names = await gatherVaultNames([...files.keys(), ...meant]);
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

async function listFiles(
  { vault, config, log }: LinkContext,
  onLeftOut: OnLeftOut,
): Promise<Map<VaultPath, LinkCandidate>> {
  const files = new Map<VaultPath, LinkCandidate>();
  const candidates = walkLinkCandidates(vault, {
    ignore: config.index.ignore,
    onProblem({ what, path, reason, error }) {
      log.debug({ err: error, path }, 'not looked at for links to removed files');
      // A folder that is gone holds nothing any more.
      if (what === 'folder' && !isGone(error)) onLeftOut({ path, reason });
    },
  });
  for await (const file of candidates) files.set(file.path, file);
  return files;
}

function isIgnored({ config }: LinkContext, path: string): boolean {
  return ignoredBy(config.index.ignore)(path);
}

/** How the last part of a link to a file can be written: whole, or a note's without its suffix. */
function linkNames(path: VaultPath): string[] {
  const name = pathKey(nameOf(path));
  return name.endsWith('.md') ? [name, name.slice(0, -3)] : [name];
}

function isGone(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // The last two: something else stands there now.
  return ['ENOENT', 'not_found', 'ENOTDIR', 'invalid_path'].includes(String(code));
}

/** Where links are looked for. */
interface Searched {
  readonly context: LinkContext;
  readonly files: ReadonlyMap<VaultPath, LinkCandidate>;
  readonly gone: ReadonlySet<string>;
  readonly onLeftOut: OnLeftOut;
}

/** The files that will be left with a link that has one of these names, and those links; null for too many to read. */
async function filesNaming(
  { context, files, gone, onLeftOut }: Searched,
  names: ReadonlySet<string>,
): Promise<Suspect[] | null> {
  const known = await knownLinks(context, files, names);
  const linking = [...files.keys()].filter((path) => !gone.has(path) && /\.(md|canvas)$/i.test(path));
  if (linking.filter((path) => !known.has(path)).length > READ_AT_MOST) return null;
  const mayName = createNamePrecheck([...names]);
  const suspects: Suspect[] = [];
  for (const path of linking) {
    const links = known.get(path) ?? linksNaming(await linksOf(context, path, mayName, onLeftOut), names);
    if (links.length > 0) suspects.push({ path, links });
  }
  return suspects;
}

/** Of every note that the index knows as it is now: its links that have one of these names. */
async function knownLinks(
  { reader }: LinkContext,
  files: ReadonlyMap<VaultPath, LinkCandidate>,
  names: ReadonlySet<string>,
): Promise<Map<VaultPath, LinkTarget[]>> {
  const known = new Map<VaultPath, LinkTarget[]>();
  for await (const row of linkingRows(reader)) {
    const path = row.path as VaultPath;
    if (knowsLinks(row, files.get(path)?.stat)) known.set(path, linksNaming(row.links, names));
  }
  return known;
}

/** Of a file that cannot be read, or takes too long to, none, which is told. */
async function linksOf(
  context: LinkContext,
  path: VaultPath,
  mayName: (text: string) => boolean,
  onLeftOut: OnLeftOut,
): Promise<readonly LinkTarget[]> {
  try {
    const maxBytes = context.config.vault.note_max_bytes;
    const { bytes } = await readFileBytes(context.vault, path, { maxBytes });
    const { text } = decodeNote(bytes);
    if (!mayName(text)) return [];
    // It names every note, and forgets those that are gone.
    if (isIndexPagePath(path) && isGeneratedText(text)) return [];
    const source = { text, sha256: sha256Hex(bytes) };
    const isNote = path.toLowerCase().endsWith('.md');
    const asked = isNote
      ? noteParser.ask(source, { about: 'links' })
      : noteParser.ask(source, { about: 'canvas-links' });
    return (await asked).links;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!isGone(error)) onLeftOut({ path, reason: error.message.replace(/\.$/, '') });
    return [];
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

function leadsInto(link: LinkTarget, from: VaultPath, names: VaultNames, gone: ReadonlySet<string>): boolean {
  const resolution = resolveLink(link, from, names);
  return resolution.state === 'resolved' && gone.has(resolution.path);
}
