/**
 * What can be done about links that lead nowhere or could mean several files: each with the texts to paste in its place.
 * Danger: the graph knows of a link only where it leads and in which line it stands, so its file is read, and another one may
 * stand there by now; what is not found there gets no text.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@vault-mcp/shared/errors';
import { decodeNote, sha256Hex } from '@vault-mcp/shared/vault/note/text';
import type { VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { readFileBytes, readLocatedNote } from '@vault-mcp/shared/vault/read';
import type { OperationContext } from '../context.ts';
import { ambiguousFix, brokenFix, type FixView, type LinkFix, unseenFix } from '../links/link-fix.ts';
import type { LinkSource } from '../links/link-source.ts';
import { NearNames } from '../links/near-names.ts';
import type { LinkSomewhere } from '../links/vault-links.ts';
import { ChangedNotes } from './changed-notes.ts';
import { indexedFile } from './indexed-file.ts';
import { noteAliases } from './note-aliases.ts';
import { noteParser } from './note-parser.ts';

/** A link with what to do about it. */
export interface FixedLink extends LinkSomewhere {
  readonly fix: LinkFix;
}

export interface FixedLinks {
  readonly broken: readonly FixedLink[];
  readonly ambiguous: readonly FixedLink[];
}

/** Links looked at before others have a turn: some ten milliseconds' worth. */
const PER_TURN = 100;

type FixContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

/** @param names those by which the links were resolved */
export async function proposeFixes(
  context: FixContext,
  names: VaultNames,
  { broken, ambiguous }: { readonly broken: readonly LinkSomewhere[]; readonly ambiguous: readonly LinkSomewhere[] },
): Promise<FixedLinks> {
  if (broken.length + ambiguous.length === 0) return { broken: [], ambiguous: [] };
  const sources = await sourcesOf(context, [...broken, ...ambiguous]);
  const view = await viewOf(context, names, broken.length > 0);
  const fixed = async (links: readonly LinkSomewhere[], fix: (source: LinkSource, from: VaultPath) => LinkFix) => {
    const all: FixedLink[] = [];
    for (const link of links) {
      const source = sources.get(link);
      all.push({ ...link, fix: source === undefined ? unseenFix(link) : fix(source, link.path) });
      if (all.length % PER_TURN === 0) await nextTurn();
    }
    return all;
  };
  return {
    broken: await fixed(broken, (source, from) => brokenFix(source, from, view)),
    ambiguous: await fixed(ambiguous, (source, from) => ambiguousFix(source, from, names)),
  };
}

const nearNames = new WeakMap<VaultNames, NearNames>();

async function viewOf(context: FixContext, names: VaultNames, isAnyBroken: boolean): Promise<FixView> {
  const near = nearNames.get(names) ?? (await NearNames.gather(isAnyBroken ? names.paths() : []));
  if (isAnyBroken) nearNames.set(names, near);
  return { names, near, aliases: isAnyBroken ? await noteAliases(context) : new Map() };
}

interface KnownSources {
  readonly changed: ChangedNotes;
  /** Of the links that were asked for last, in notes that the index has as they were read. */
  ofFile: Map<VaultPath, readonly LinkSource[]>;
}

const known = new WeakMap<FixContext['reader'], KnownSources>();

/** The text of each link, where it is found. */
async function sourcesOf(
  context: FixContext,
  links: readonly LinkSomewhere[],
): Promise<Map<LinkSomewhere, LinkSource>> {
  const own: KnownSources = known.get(context.reader) ?? { changed: new ChangedNotes(), ofFile: new Map() };
  known.set(context.reader, own);
  const since = own.changed.since(context.reader);
  const before = new Map(since === null ? [] : own.ofFile);
  for (const path of since ?? []) before.delete(path as VaultPath);
  const kept = new Map<VaultPath, readonly LinkSource[]>();
  const found = new Map<LinkSomewhere, LinkSource>();
  for (const [path, wanted] of byPath(links)) {
    const sources = before.get(path) ?? [];
    let matched = match(wanted, sources, 'exact');
    if (matched.size === wanted.length) kept.set(path, sources);
    else {
      const read = await readSources(context, path);
      if (read === null) continue;
      matched = match(wanted, read.sources, 'near');
      // A text cut out of a note keeps the whole note in memory for as long as it lives.
      const isIndexed = indexedFile(context.reader, path)?.sha256 === read.sha256;
      if (isIndexed) kept.set(path, structuredClone([...matched.values()]));
    }
    for (const [link, source] of matched) found.set(link, source);
  }
  own.ofFile = kept;
  return found;
}

function byPath(links: readonly LinkSomewhere[]): Map<VaultPath, LinkSomewhere[]> {
  const files = new Map<VaultPath, LinkSomewhere[]>();
  for (const link of links) {
    const own = files.get(link.path);
    if (own === undefined) files.set(link.path, [link]);
    else own.push(link);
  }
  return files;
}

/**
 * Each link's own: of several with its target, the next one of its line; failing that, one of another line.
 * @param lines whether a link that stands in another line now is not looked for
 */
function match(
  links: readonly LinkSomewhere[],
  sources: readonly LinkSource[],
  lines: 'exact' | 'near',
): Map<LinkSomewhere, LinkSource> {
  const matched = new Map<LinkSomewhere, LinkSource>();
  const left = new Map<string, LinkSource[]>();
  for (const source of sources) {
    const same = left.get(keyOf(source));
    if (same === undefined) left.set(keyOf(source), [source]);
    else same.push(source);
  }
  const take = (link: LinkSomewhere, fits: (source: LinkSource) => boolean): void => {
    const same = left.get(keyOf(link)) ?? [];
    const at = same.findIndex(fits);
    const [source] = at === -1 ? [] : same.splice(at, 1);
    if (source !== undefined) matched.set(link, source);
  };
  for (const link of links) take(link, ({ line }) => line === (link.line ?? 0));
  if (lines === 'near') for (const link of links) if (!matched.has(link)) take(link, () => true);
  return matched;
}

function keyOf({ form, target }: { readonly form: string; readonly target: string }): string {
  return `${form}\0${target}`;
}

interface ReadSources {
  readonly sha256: string;
  readonly sources: readonly LinkSource[];
}

/** Null where it cannot be read. */
async function readSources({ vault, config, log }: FixContext, path: VaultPath): Promise<ReadSources | null> {
  const maxBytes = config.vault.note_max_bytes;
  try {
    const file = await vault.locate(path, { hints: false });
    if (file.kind === 'note') {
      const note = await readLocatedNote(vault, file, { maxBytes });
      const { sources } = await noteParser.ask(note, { about: 'link-sources', of: 'note' });
      return { sha256: note.sha256, sources };
    }
    const { bytes } = await readFileBytes(vault, path, { maxBytes });
    const canvas = { text: decodeNote(bytes).text, sha256: sha256Hex(bytes) };
    const { sources } = await noteParser.ask(canvas, { about: 'link-sources', of: 'canvas' });
    return { sha256: canvas.sha256, sources };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
    log.debug({ err: error, path }, 'its links were not read for what to do about them');
    return null;
  }
}
