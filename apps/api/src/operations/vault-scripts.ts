/**
 * The scripts of the vault that is served, as the configuration has them run. Danger: nothing of a request may reach them,
 * so all that is passed on from here is configuration.
 */
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { type ScriptSettings, VaultScripts } from '../checks/scripts/vault-scripts.ts';
import type { OperationContext } from '../context.ts';

/** One for each vault, so that runs take turns. */
const known = new WeakMap<Vault, VaultScripts>();

export function vaultScripts({ vault }: Pick<OperationContext, 'vault'>): VaultScripts {
  const scripts = known.get(vault) ?? new VaultScripts(vault);
  known.set(vault, scripts);
  return scripts;
}

export function scriptSettings({ config }: Pick<OperationContext, 'config'>): ScriptSettings {
  const { data, index, maintenance, time_zone } = config;
  const secrets = [data.path, index.path, index.cache_path].flatMap((path) => path ?? []);
  return { run: maintenance.scripts, timeZone: time_zone, secrets };
}
