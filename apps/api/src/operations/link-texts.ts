/**
 * The texts of links that are known by where they lead and in which line they stand: their files are read, and what was read
 * of a note is kept until the index has another version of it. Danger: another link may stand there by now; one that is not
 * found gets no text. And what is kept is one caller's at a time: whoever asks takes turns.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { targetKey } from '@vault-mcp/shared/vault/note/resolve-link';
import { decodeNote, sha256Hex } from '@vault-mcp/shared/vault/note/text';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { readFileBytes, readLocatedNote } from '@vault-mcp/shared/vault/read';
import type { OperationContext } from '../context.ts';
import type { LinkSource } from '../links/link-source.ts';
import type { LinkSomewhere } from '../links/vault-links.ts';
import { ChangedNotes } from './changed-notes.ts';
import { indexedFile } from './indexed-file.ts';
import { noteParser } from './note-parser.ts';

type ReadContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

interface KnownSources {
  readonly changed: ChangedNotes;
  /** Of the links that were asked for last, in notes that the index has as they were read. */
  ofFile: Map<VaultPath, readonly LinkSource[]>;
}

const known = new WeakMap<ReadContext['reader'], KnownSources>();

/** Of each link that is found. */
export async function linkTexts(
  context: ReadContext,
  links: readonly LinkSomewhere[],
): Promise<Map<LinkSomewhere, LinkSource>> {
  const own: KnownSources = known.get(context.reader) ?? { changed: new ChangedNotes(), ofFile: new Map() };
  known.set(context.reader, own);
  const since = own.changed.since(context.reader);
  const before = since === null ? new Map<VaultPath, readonly LinkSource[]>() : own.ofFile;
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
    const same = left.get(targetKey(source));
    if (same === undefined) left.set(targetKey(source), [source]);
    else same.push(source);
  }
  const take = (link: LinkSomewhere, fits: (source: LinkSource) => boolean): void => {
    const same = left.get(targetKey(link)) ?? [];
    const at = same.findIndex(fits);
    const [source] = at === -1 ? [] : same.splice(at, 1);
    if (source !== undefined) matched.set(link, source);
  };
  for (const link of links) take(link, ({ line }) => line === (link.line ?? 0));
  if (lines === 'near') for (const link of links) if (!matched.has(link)) take(link, () => true);
  return matched;
}

interface ReadSources {
  readonly sha256: string;
  readonly sources: readonly LinkSource[];
}

/** Null where it cannot be read. */
async function readSources({ vault, config, log }: ReadContext, path: VaultPath): Promise<ReadSources | null> {
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
