/**
 * Which note stands for one that is read, where it says that it was superseded: told with the text, so that nobody acts on
 * what no longer holds. Danger: the chain leads through the whole vault, so to who may read a part of it only that part is
 * looked at, as if there were no other: not even that something is hidden may show.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { SupersededNote } from '@vault-mcp/shared/index-db/note-rows';
import type { ListedFiles } from '@vault-mcp/shared/vault/file-list';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { supersededBy as writtenIn } from '@vault-mcp/shared/vault/note/superseded-by';
import { gatherVaultNames, type VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { OperationContext } from '../context.ts';
import { listedFiles } from '../links/listed-files.ts';
import { type ChainProblem, supersededChains } from '../links/superseded-chains.ts';

export interface SupersededBy {
  /** The note that holds now; null where the chain leads to none. */
  readonly head: string | null;
  /** Why it leads to none; `not_readable`: to none that this caller may read. */
  readonly problem?: ChainProblem | 'not_readable' | undefined;
}

type ChainContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

/**
 * @param note its path, and the frontmatter of its file as it is now
 * @returns nothing for a note that does not say that it was superseded
 */
export async function supersededBy(
  context: ChainContext,
  note: { readonly path: string; readonly frontmatter: Readonly<Record<string, unknown>> },
): Promise<{ readonly superseded_by?: SupersededBy }> {
  const written = writtenIn(note.frontmatter);
  if (written === null) return {};
  const chains = supersededChains(rowsFor(context), await namesFor(context));
  const { head, problem } = chains.liveHead({ path: note.path, supersededBy: written });
  if (problem === null) return { superseded_by: { head } };
  const isPart = context.vault.access.readRules !== null;
  return { superseded_by: { head, problem: isPart && problem === 'dangling' ? 'not_readable' : problem } };
}

/** Without an index, only the note's own word is known. */
function rowsFor({ reader, vault }: ChainContext): SupersededNote[] {
  try {
    return reader.supersededRows().filter(({ path }) => vault.access.mayRead(path));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_ready') return [];
    throw error;
  }
}

/** By the rules of who reads. */
const known = new WeakMap<ListedFiles, Map<string, Promise<VaultNames>>>();

async function namesFor({ vault, config, log }: ChainContext): Promise<VaultNames> {
  const { access } = vault;
  const listed = await listedFiles(vault.whole, log);
  const names = known.get(listed) ?? new Map<string, Promise<VaultNames>>();
  known.set(listed, names);
  const isIgnored = ignoredBy(config.index.ignore);
  const gathered =
    names.get(access.readKey) ??
    gatherVaultNames([...listed.files].filter((path) => access.mayRead(path) && !isIgnored(path)));
  names.set(access.readKey, gathered);
  gathered.catch(() => names.delete(access.readKey));
  return gathered;
}
