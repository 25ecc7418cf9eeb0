/**
 * Looks now and then at what no event tells: the index file deleted under its writer, the vault's folder unmounted or
 * put back. Danger: while the folder is gone nothing may be concluded from missing files, so whoever is told must keep
 * everything as it is.
 */
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';

export interface UpkeepDeps {
  readonly presence: VaultPresence;
  readonly isIndexInPlace: () => boolean;
  readonly onIndexGone: () => void;
  readonly onVaultGone: () => void;
  readonly onVaultBack: () => Promise<void>;
  /** Must not throw. */
  readonly onError: (error: unknown) => void;
}

export interface Upkeep {
  /** As far as is known. */
  isVaultThere(): boolean;
  /** Looks now, on the side; never rejects. */
  look(): void;
  stop(): void;
}

/** How soon a deleted index file or a vanished vault is noticed. */
const UPKEEP_MS = 5000;

export function startUpkeep(deps: UpkeepDeps): Upkeep {
  let there = true;
  let stopped = false;
  const look = async () => {
    if (!deps.isIndexInPlace()) deps.onIndexGone();
    const now = await deps.presence.isThere();
    if (stopped || now === there) return;
    there = now;
    if (now) await deps.onVaultBack();
    else deps.onVaultGone();
  };
  const lookAside = () => {
    if (!stopped) look().catch(deps.onError);
  };
  const timer = setInterval(lookAside, UPKEEP_MS);
  return {
    isVaultThere: () => there,
    look: lookAside,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
