/**
 * From options, file and environment to one settled place: which vault, which data folder, which configuration. Every
 * command starts here, so that all of them mean the same vault by the same words.
 */
import { chosenValue, loadConfig, userDataHome } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { LogLevel } from '@vault-mcp/shared/log';
import { createDataFolder, dataFolderOf, programDataFolder, realVaultPath } from './data-folder.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { ensureExampleVault, exampleVaultPath, hasExampleVault } from './first-run.ts';
import { type CommonOptions, overridesOf } from './options.ts';

export interface Place {
  readonly config: Config;
  /** The vault is the example: nobody named one. */
  readonly example: boolean;
}

/**
 * @param noVault what to do when nobody names a vault: make a copy of the example (serve), or use one made before
 * @param defaultLogLevel where nobody chose one
 * @throws ConfigError, CliError when vault or data folder cannot be used
 */
export function settlePlace(
  options: CommonOptions,
  noVault: 'make-example' | 'use-example',
  defaultLogLevel: LogLevel = 'info',
): Place {
  const defaults = { 'log.level': defaultLogLevel };
  const load = { mode: 'embedded', defaults, overrides: overridesOf(options) } as const;
  const namedData = chosenValue('data.path', load) as string | undefined;
  const namedVault = chosenValue('vault.path', load) as string | undefined;
  const vault = realVaultPath(namedVault ?? exampleIn(namedData ?? programDataFolder(userDataHome()), noVault));
  const data = namedData ?? dataFolderOf(vault, userDataHome());
  const settle = (dataPath: string): Config =>
    loadConfig({ ...load, overrides: { ...load.overrides, 'vault.path': vault, 'data.path': dataPath } });
  // Checked as named before anything is made, and again as it really is: a link may lead into the vault.
  settle(data);
  return { config: settle(createDataFolder(data)), example: namedVault === undefined };
}

function exampleIn(folder: string, noVault: 'make-example' | 'use-example'): string {
  if (noVault === 'make-example') return ensureExampleVault(folder);
  if (hasExampleVault(folder)) return exampleVaultPath(folder);
  throw new CliError(EXIT.usage, 'Which vault? Name its folder with --vault DIR or VAULT_PATH.');
}
