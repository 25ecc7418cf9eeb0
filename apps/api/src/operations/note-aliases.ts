/**
 * The names that notes give themselves (`aliases` in frontmatter), for suggestions: no link leads by them. Danger: there can
 * be thousands of such notes, so all are asked once, and from then on those that the index took in anew; what is in no index
 * stays as it was first met, and a note that is gone may still be named.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { textValue } from '@vault-mcp/shared/vault/note/describe';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { readNoteFile } from '@vault-mcp/shared/vault/read';
import type { OperationContext } from '../context.ts';
import { comparedName } from '../links/near-names.ts';
import { ChangedNotes } from './changed-notes.ts';
import { surveyFolder } from './survey-folder.ts';

type AliasContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

interface KnownAliases {
  readonly changed: ChangedNotes;
  readonly ofNote: Map<string, readonly string[]>;
}

const KEY = 'aliases';
const known = new WeakMap<AliasContext['reader'], KnownAliases>();

/** @returns by the name as it is compared, the notes in the order of their paths; what cannot be read is left out */
export async function noteAliases(context: AliasContext): Promise<ReadonlyMap<string, readonly VaultPath[]>> {
  const { changed, ofNote } = known.get(context.reader) ?? { changed: new ChangedNotes(), ofNote: new Map() };
  known.set(context.reader, { changed, ofNote });
  const since = changed.since(context.reader);
  if (since === null) ofNote.clear();
  for (const path of since ?? (await notesWithAliases(context))) {
    const aliases = await aliasesOf(context, path as VaultPath);
    if (aliases.length > 0) ofNote.set(path, aliases);
    else ofNote.delete(path);
  }
  return byName(ofNote);
}

function byName(ofNote: ReadonlyMap<string, readonly string[]>): Map<string, VaultPath[]> {
  const found = new Map<string, VaultPath[]>();
  for (const [path, aliases] of [...ofNote].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const alias of new Set(aliases.map(comparedName))) {
      const same = found.get(alias);
      if (same === undefined) found.set(alias, [path as VaultPath]);
      else same.push(path as VaultPath);
    }
  }
  return found;
}

async function notesWithAliases(context: AliasContext): Promise<readonly string[]> {
  try {
    return (await surveyFolder(context, '', { about: 'frontmatter', key: KEY })).answer.paths;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
    // The next time all are asked again.
    known.delete(context.reader);
    context.log.debug({ err: error }, 'aliases were not looked at');
    return [];
  }
}

async function aliasesOf({ vault, config, log }: AliasContext, path: VaultPath): Promise<readonly string[]> {
  try {
    const { text } = await readNoteFile(vault, path, { maxBytes: config.vault.note_max_bytes });
    return namesIn(parseFrontmatter(text).data[KEY]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.debug({ err: error, path }, 'its aliases were not read');
    return [];
  }
}

/** A list, or as older notes have it a text with commas in it. Copied: a text cut out of a note keeps all of that alive. */
function namesIn(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return structuredClone(values.map(textValue).filter((name) => name !== undefined));
}
