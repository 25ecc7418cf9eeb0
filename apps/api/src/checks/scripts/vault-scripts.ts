/**
 * The scripts of one vault, run one after the other, whoever asks: those who ask for the same while it runs share one
 * run. Danger: a script can be waited for two minutes, so who comes meanwhile must not start more of them, and who has
 * left must not keep them going.
 */
import type { Vault } from '@vault-mcp/shared/vault/vault';
import {
  type CalloutsByScript,
  type CheckedScripts,
  type DescribedScripts,
  ScriptSession,
  type ScriptSettings,
} from './script-session.ts';

type Work = 'describe' | 'check' | 'callouts';

/** A run, with how many wait for it. */
interface Shared {
  readonly result: Promise<unknown>;
  readonly stop: AbortController;
  waiting: number;
}

/** A caller that leaves, as its signal says, is answered nevertheless; the run ends early when it was the last. */
export class VaultScripts {
  readonly #vault: Pick<Vault, 'root'>;
  readonly #shared = new Map<Work, Shared>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(vault: Pick<Vault, 'root'>) {
    this.#vault = vault;
  }

  /** What each script says that it is. */
  describe(settings: ScriptSettings, signal?: AbortSignal): Promise<DescribedScripts> {
    return this.#share('describe', (stop) => this.#session(settings, stop).describe(), signal);
  }

  /** What each finds. */
  check(settings: ScriptSettings, signal?: AbortSignal): Promise<CheckedScripts> {
    return this.#share('check', (stop) => this.#session(settings, stop).check(), signal);
  }

  /** Where nothing is run for it, checks that run are not waited for. */
  async callouts(settings: ScriptSettings, signal?: AbortSignal): Promise<CalloutsByScript> {
    const state = await this.#session(settings, new AbortController().signal).withoutCallouts();
    if (state !== null) return { state, read: null };
    return this.#share('callouts', (stop) => this.#session(settings, stop).callouts(), signal);
  }

  #session(settings: ScriptSettings, stop: AbortSignal): ScriptSession {
    return new ScriptSession(this.#vault.root, settings, stop);
  }

  #share<T>(work: Work, start: (stop: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const run = this.#shared.get(work) ?? this.#begin(work, start);
    run.waiting++;
    const leave = () => {
      run.waiting--;
      if (run.waiting > 0) return;
      run.stop.abort();
      // Who comes now is to have all of it.
      if (this.#shared.get(work) === run) this.#shared.delete(work);
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    return run.result.finally(() => signal?.removeEventListener('abort', leave)) as Promise<T>;
  }

  #begin(work: Work, start: (stop: AbortSignal) => Promise<unknown>): Shared {
    const stop = new AbortController();
    const result = this.#last
      .then(() => start(stop.signal))
      .finally(() => {
        if (this.#shared.get(work) === run) this.#shared.delete(work);
      });
    const run: Shared = { result, stop, waiting: 0 };
    this.#shared.set(work, run);
    // Whoever comes next waits for its end, not for its success.
    this.#last = result.catch(() => undefined);
    return run;
  }
}
