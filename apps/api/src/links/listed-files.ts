/**
 * Every visible file of a vault, from a list that is kept for all who ask: links and checks look at the same folders.
 * Danger: a list is brought up to date by one at a time, and who asks once that has begun may not have its answer, which
 * misses what came in between; who asks before shares it.
 */
import type { Logger } from '@vault-mcp/shared/log';
import { createFileList, type ListedFiles } from '@vault-mcp/shared/vault/file-list';
import type { Vault } from '@vault-mcp/shared/vault/vault';

const lists = new WeakMap<Vault, SharedList>();

/**
 * As the disk is at some moment after the call; the same object as long as nothing changed.
 * @throws AppError not_found, unreadable: of the vault's own folder
 */
export function listedFiles(vault: Vault, log: Pick<Logger, 'debug'>): Promise<ListedFiles> {
  const list = lists.get(vault) ?? new SharedList(vault);
  lists.set(vault, list);
  return list.current(log);
}

class SharedList {
  readonly #list: ReturnType<typeof createFileList>;
  /** Of whoever asked for the look that runs. */
  #log: Pick<Logger, 'debug'> | null = null;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<ListedFiles> | null = null;

  constructor(vault: Vault) {
    this.#list = createFileList(vault, {
      wants: () => true,
      onProblem: ({ path, error }) => this.#log?.debug({ err: error, path }, 'not looked at for links and checks'),
    });
  }

  current(log: Pick<Logger, 'debug'>): Promise<ListedFiles> {
    // Begun a moment later, also where nothing runs, so that who asks at the same moment shares it.
    this.#next ??= this.#running.then(() => {
      this.#next = null;
      this.#log = log;
      const looked = this.#list.current();
      this.#running = looked.catch(() => undefined);
      return looked;
    });
    return this.#next;
  }
}
