/**
 * Every visible file of the vault, whoever's business it is, from a list that is kept. Danger: a list is brought up to date
 * by one at a time, so callers take turns.
 */
import { createFileList, type FileList, type ListedFiles } from '@vault-mcp/shared/vault/file-list';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { OperationContext } from '../context.ts';

const lists = new WeakMap<Vault, { readonly list: FileList; last: Promise<unknown> }>();

/** @throws AppError not_found, unreadable: of the vault's own folder */
export function allFiles({ vault, log }: Pick<OperationContext, 'vault' | 'log'>): Promise<ListedFiles> {
  const known = lists.get(vault) ?? {
    list: createFileList(vault, {
      wants: () => true,
      onProblem: ({ path, error }) => log.debug({ err: error, path }, 'not looked at by the checks'),
    }),
    last: Promise.resolve(),
  };
  lists.set(vault, known);
  const listed = known.last.then(() => known.list.current());
  known.last = listed.catch(() => undefined);
  return listed;
}
