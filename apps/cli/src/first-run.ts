/**
 * The first run without a vault: a copy of the example vault to try things on. Danger: the copy is the user's from
 * then on, so an existing one is never touched, and a half-made one is never taken for whole.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXAMPLE_VAULT_DIR } from '@vault-mcp/shared/config/cross-rules';

/** The example shipped with the program; the same from src/ and dist/. */
const SHIPPED = fileURLToPath(new URL('../../../examples/vault', import.meta.url));

/** Where the example vault of a data folder is or would be. */
export function exampleVaultPath(folder: string): string {
  return join(folder, EXAMPLE_VAULT_DIR);
}

/** True when a first run has already put it there. */
export function hasExampleVault(folder: string): boolean {
  return existsSync(exampleVaultPath(folder));
}

/**
 * Puts a copy of the example vault into `folder` unless there is one.
 * @returns its path
 */
export function ensureExampleVault(folder: string, shipped: string = SHIPPED): string {
  const target = exampleVaultPath(folder);
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Copied aside and renamed: whatever stops the copy leaves no vault rather than half of one.
  const aside = mkdtempSync(join(folder, '.example-'));
  try {
    cpSync(shipped, join(aside, EXAMPLE_VAULT_DIR), { recursive: true });
    renameSync(join(aside, EXAMPLE_VAULT_DIR), target);
  } catch (error) {
    // Two first runs at once: the other's copy is as good.
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return target;
}
