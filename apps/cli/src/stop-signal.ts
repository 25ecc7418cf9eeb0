/**
 * Ctrl-C and `kill`: the first asks for an orderly end, the second ends at once. Danger: an orderly end that hangs must
 * not hold the terminal, hence the second.
 */
import { EXIT } from './exit-codes.ts';

export interface StopSignal {
  /** Aborts at the first SIGINT or SIGTERM; its reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Resolves then. */
  readonly requested: Promise<void>;
}

/** Listens from now on, for the rest of the process. */
export function listenForStop(): StopSignal {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(EXIT.failed);
    controller.abort(name);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const requested = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return { signal: controller.signal, requested };
}
