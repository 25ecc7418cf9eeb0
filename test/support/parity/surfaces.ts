/**
 * Asks a row of the parity table of each surface, on the vault that it wants, and tells what came of it. Danger: a vault
 * that is not exactly as it was before would make two different answers look like a difference of the surfaces, so it is
 * made anew for each call: its folder at least, and the whole server where an index or a configuration belongs to it.
 */
import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { VaultChange } from '@vault-mcp/shared/records/history';
import { API_KEY, type ServedVault, serveVault } from '../served-vault.ts';
import { fillVault } from '../vault-files.ts';
import { contentOf } from '../writable-vault.ts';
import { type Answered, connectTo } from './ask.ts';
import { NOW, type ParityRow, type RestCall, type ToolCall, VAULT } from './row.ts';

/** What one call came to. */
export interface Outcome extends Answered {
  /** Every entry of the vault by its path: a file's bytes, `/` for a folder. */
  readonly left: Readonly<Record<string, string>>;
  /** What the history was told. */
  readonly changes: readonly VaultChange[];
  /** The row of the audit log. */
  readonly audited: { readonly operation: string; readonly agent: string; readonly outcome: string };
}

/** What each caller says it writes from. */
export const SOURCE = 'parity test';

/** One surface with a server of its own, whose vault is made anew for each call. */
export interface Surface {
  readonly served: ServedVault;
  ask(row: ParityRow, call: RestCall | ToolCall): Promise<Outcome>;
  close(): Promise<void>;
}

/** @param row what a server of its own is made for; default: the common vault without an index */
export async function openSurface(
  row: Pick<ParityRow, 'files' | 'folders' | 'config' | 'indexed'> = {},
): Promise<Surface> {
  const changes: VaultChange[] = [];
  const served = await serveVault({ ...VAULT, ...row.files }, row.config, {
    parts: { now: () => NOW, history: { record: (change) => void changes.push(change) } },
    indexed: row.indexed ?? false,
  });
  for (const folder of row.folders ?? []) mkdirSync(join(served.vaultPath, folder), { recursive: true });
  const headers = { authorization: `Bearer ${API_KEY}`, 'x-vault-source': SOURCE };
  const server = await connectTo({ url: served.url, headers });
  return {
    served,
    async ask(asked, call) {
      if (!hasOwnServer(asked)) await renew(served.vaultPath, asked);
      changes.length = 0;
      const answer = await server.ask(call);
      const [last] = served.context.audit.read({ limit: 1 });
      if (last === undefined) throw new Error(`${answer.call} left no row in the audit log`);
      const { operation, agent, outcome } = last;
      const left = await contentOf(served.vaultPath);
      return { ...answer, left, changes: [...changes], audited: { operation, agent, outcome } };
    },
    async close() {
      await server.close();
      await served.close();
    },
  };
}

/** Whether a row's vault cannot be made by putting files into the one of a running server. */
export function hasOwnServer({ indexed, config }: ParityRow): boolean {
  return indexed === true || config !== undefined;
}

async function renew(root: string, { files, folders = [] }: ParityRow): Promise<void> {
  await Promise.all((await readdir(root)).map((name) => rm(join(root, name), { recursive: true })));
  fillVault(root, { ...VAULT, ...files });
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
}
