/**
 * The names that notes give themselves (`aliases` in frontmatter), for suggestions: no link leads by them. Danger: there can
 * be thousands of such notes; so what was read of each is kept for as long as its row in the index is the same.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { textValue } from '@vault-mcp/shared/vault/note/describe';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { readNoteFile } from '@vault-mcp/shared/vault/read';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { OperationContext } from '../context.ts';
import { comparedName } from '../links/near-names.ts';
import { indexedFile } from './indexed-file.ts';
import { surveyFolder } from './survey-folder.ts';

/** Obsidian's name of the key, and the one it had before. */
const KEYS = ['aliases', 'alias'] as const;

interface KnownAliases {
  readonly sha256: string;
  readonly aliases: readonly string[];
}

const known = new WeakMap<Vault, ReadonlyMap<string, KnownAliases>>();

/** @returns by the name as it is compared, the notes in the order of their paths; what cannot be read is left out */
export async function noteAliases(
  context: Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>,
): Promise<ReadonlyMap<string, readonly VaultPath[]>> {
  const before = known.get(context.vault);
  const kept = new Map<string, KnownAliases>();
  const byName = new Map<string, VaultPath[]>();
  for (const path of await notesWithAliases(context)) {
    const found = await aliasesOf(context, path as VaultPath, before?.get(path));
    if (found === null) continue;
    kept.set(path, found);
    for (const alias of new Set(found.aliases.map(comparedName))) {
      const same = byName.get(alias);
      if (same === undefined) byName.set(alias, [path as VaultPath]);
      else same.push(path as VaultPath);
    }
  }
  known.set(context.vault, kept);
  return byName;
}

async function notesWithAliases(context: Pick<OperationContext, 'vault' | 'config' | 'log'>): Promise<string[]> {
  try {
    const asked = KEYS.map((key) => surveyFolder(context, '', { about: 'frontmatter', key }));
    const paths = (await Promise.all(asked)).flatMap(({ answer }) => answer.paths);
    return [...new Set(paths)].sort();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
    context.log.debug({ err: error }, 'aliases were not looked at');
    return [];
  }
}

async function aliasesOf(
  { vault, reader, config, log }: Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>,
  path: VaultPath,
  before: KnownAliases | undefined,
): Promise<KnownAliases | null> {
  if (before !== undefined && indexedFile(reader, path)?.sha256 === before.sha256) return before;
  try {
    const { text, sha256 } = await readNoteFile(vault, path, { maxBytes: config.vault.note_max_bytes });
    const { data } = parseFrontmatter(text);
    return { sha256, aliases: KEYS.flatMap((key) => namesIn(data[key])) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.debug({ err: error, path }, 'its aliases were not read');
    return null;
  }
}

/** A list, or as older notes have it a text with commas in it. Copied: a text cut out of a note keeps all of that alive. */
function namesIn(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  const names = values.map(textValue).filter((name) => name !== undefined && name !== '') as string[];
  return structuredClone(names);
}
