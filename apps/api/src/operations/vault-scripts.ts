/**
 * The scripts of the vault that is served, as the configuration has them run. Danger: nothing of a request may reach them,
 * so all that is passed on from here is configuration.
 */
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { ScriptSettings } from '../checks/scripts/script-session.ts';
import { VaultScripts } from '../checks/scripts/vault-scripts.ts';
import type { OperationContext } from '../context.ts';

/** One for each vault, so that runs take turns. */
const known = new WeakMap<Vault, VaultScripts>();

export function vaultScripts({ vault }: Pick<OperationContext, 'vault'>): VaultScripts {
  const scripts = known.get(vault.whole) ?? new VaultScripts(vault.whole);
  known.set(vault.whole, scripts);
  return scripts;
}

/** What running scripts takes. */
export type ScriptContext = Pick<OperationContext, 'vault' | 'config' | 'settingFiles'>;

/** What no script may read is all that is ours, and whatever a key stands in. */
export function scriptSettings({ config, settingFiles }: Omit<ScriptContext, 'vault'>): ScriptSettings {
  const { agents, data, index, maintenance, time_zone } = config;
  const paths = [data.path, index.path, index.cache_path, agents.keys_file];
  const secrets = [...paths.flatMap((path) => path ?? []), ...settingFiles];
  return { run: maintenance.scripts, timeZone: time_zone, secrets };
}
