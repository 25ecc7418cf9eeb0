/**
 * One run through the scripts of a vault. Danger: a script that was changed while others ran is not what its owner put
 * there, so nothing runs after that; and each may take its time to the last second, so all together have a limit as well,
 * and nothing is begun for nobody.
 */
import { listScripts, mayChangeScripts, type ScriptFile, scriptsState } from '@vault-mcp/shared/vault/scripts-folder';
import {
  checkByScript,
  type DescribedScript,
  describeScript,
  notRun,
  type Runner,
  type ScriptResult,
  unasked,
} from './check-script.ts';
import type { Read } from './declaration.ts';
import { DEFAULT_LIMITS, runScript, type ScriptLimits, UNWANTED } from './run-script.ts';
import { type GivenCallouts, readCallouts } from './script-callouts.ts';
import { readableFolders, type ScriptCommand } from './script-command.ts';
import { standingWall, type Wall, wantOfWall } from './wall.ts';

/** Answers for the callouts in place of what is built in; it is no check. */
export const CALLOUTS_SCRIPT = 'extract_callouts.py';

/** To say what one is takes no two minutes. */
const DESCRIBE_SECONDS = 20;
/** For all scripts of a run together: five that hang, or some hundred that do their work. */
const TOTAL_SECONDS = 600;

export interface ScriptSettings {
  /** `maintenance.scripts`. */
  readonly run: boolean | 'auto';
  readonly timeZone: string;
  /** What no script may read: folders and files, absolute. */
  readonly secrets: readonly string[];
  /** Tests name their own. */
  readonly limits?: ScriptLimits;
  /** The same of what all have together. */
  readonly totalSeconds?: number;
  /** The same of the wall. */
  readonly wall?: () => Promise<Wall>;
}

/** Whether scripts are run, and how they are held. */
export interface ScriptsState {
  readonly run: boolean;
  /** Why they are not, or did not all run: a clause. */
  readonly reason: string | null;
  /** Whether the system held every one that ran; null when none did. */
  readonly confined: boolean | null;
  /** Whether the vault has no folder for them. */
  readonly isAbsent: boolean;
}

export interface DescribedScripts {
  readonly state: ScriptsState;
  readonly described: readonly DescribedScript[];
  /** Programs that are no checks, and why that is known. */
  readonly others: readonly { readonly file: string; readonly reason: string }[];
  /** What was not even asked, and why. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
}

export interface CheckedScripts extends DescribedScripts {
  readonly results: readonly (ScriptResult & { readonly file: string })[];
  /** The script during whose run the scripts were changed. */
  readonly changedDuring: string | null;
}

/** What the callouts' own script gave; null where there is none, or scripts are not run. */
export interface CalloutsByScript {
  readonly state: ScriptsState;
  readonly read: Read<GivenCallouts> | null;
}

const CHANGED = 'the scripts were changed before its turn';

export class ScriptSession {
  readonly #root: string;
  readonly #settings: ScriptSettings;
  readonly #signal: AbortSignal;
  readonly #total: number;
  readonly #deadline: number;
  #confined: boolean | null = null;
  /** The folder's state at the start; null where that cannot be told. */
  #untouched: string | null = null;
  /** Why it cannot. */
  #unwatched: string | null = null;
  #changedDuring: string | null = null;
  #isOutOfTime = false;

  /** @param signal ends the run when nobody waits for it any more */
  constructor(root: string, settings: ScriptSettings, signal: AbortSignal) {
    this.#root = root;
    this.#settings = settings;
    this.#signal = signal;
    this.#total = settings.totalSeconds ?? TOTAL_SECONDS;
    this.#deadline = performance.now() + 1_000 * this.#total;
  }

  async describe(): Promise<DescribedScripts> {
    const { off, scripts, refused } = await this.#begin();
    if (off !== null) return { state: off, described: [], others: [], refused };
    const described: DescribedScript[] = [];
    for (const script of scripts) {
      const halt = this.#halt();
      if (halt === CHANGED) refused.push({ file: script.name, reason: halt });
      else if (halt !== null) described.push(unasked(script.name, halt));
      else described.push(await describeScript(script.name, this.#runner(script, DESCRIBE_SECONDS), this.#args));
    }
    const others = described.filter(({ kind }) => kind === 'none');
    return {
      state: this.#state(),
      described: described.filter(({ kind }) => kind !== 'none'),
      others: others.map(({ file, problem }) => ({ file, reason: problem ?? '' })),
      refused,
    };
  }

  async check(): Promise<CheckedScripts> {
    const found = await this.describe();
    const files = new Map((await listScripts({ root: this.#root })).scripts.map((script) => [script.name, script]));
    const results: (ScriptResult & { file: string })[] = [];
    for (const described of found.described) {
      const { file } = described;
      results.push({ ...(await this.#checkedBy(described, files.get(file))), file });
    }
    const state = found.state.run ? this.#state() : found.state;
    return { ...found, state, results, changedDuring: this.#changedDuring };
  }

  async #checkedBy(described: DescribedScript, script: ScriptFile | undefined): Promise<ScriptResult> {
    if (script === undefined) return notRun(described, CHANGED);
    // What could not say what it is runs nothing, and its reason stays the first.
    const halt = described.kind === 'broken' ? null : this.#halt();
    if (halt !== null) return notRun(described, halt);
    return checkByScript(described, this.#runner(script, this.#limits.seconds), this.#args);
  }

  /** Null where the script for callouts is there and may be run. */
  async withoutCallouts(): Promise<ScriptsState | null> {
    return (await this.#calloutsScript()) === undefined ? notRunBecause(null, true) : (await this.#begin()).off;
  }

  async callouts(): Promise<CalloutsByScript> {
    const script = await this.#calloutsScript();
    const { off } = await this.#begin();
    if (script === undefined || off !== null) return { state: off ?? notRunBecause(null, true), read: null };
    const { problem, stdout, exitCode } = await this.#runner(script, this.#limits.seconds)(['--json', ...this.#args]);
    return { state: this.#state(), read: problem === null ? readCallouts(stdout, exitCode) : { problem } };
  }

  async #calloutsScript(): Promise<ScriptFile | undefined> {
    const { scripts } = await listScripts({ root: this.#root });
    return scripts.find(({ name }) => name === CALLOUTS_SCRIPT);
  }

  get #limits(): ScriptLimits {
    return this.#settings.limits ?? DEFAULT_LIMITS;
  }

  /** Behind what says which of its works a script is to do. */
  get #args(): readonly string[] {
    return ['--vault-path', this.#root];
  }

  /** Why nothing more is run: a clause; null while something may be. */
  #halt(): string | null {
    if (this.#signal.aborted) return UNWANTED;
    if (this.#changedDuring !== null) return CHANGED;
    if (performance.now() < this.#deadline) return null;
    this.#isOutOfTime = true;
    return `those before it took all of the ${this.#total} seconds that scripts have together`;
  }

  async #begin() {
    const { problem, isAbsent, scripts, refused } = await listScripts({ root: this.#root });
    const reason = problem ?? (await this.#switchedOff());
    if (reason === null) await this.#watch();
    return {
      off: reason === null ? null : notRunBecause(reason, isAbsent),
      scripts: scripts.filter(({ name }) => name !== CALLOUTS_SCRIPT),
      refused: refused.map(({ name, reason: why }) => ({ file: name, reason: why })),
    };
  }

  async #watch(): Promise<void> {
    const state = await scriptsState({ root: this.#root });
    if ('hash' in state) this.#untouched = state.hash;
    else this.#unwatched = state.problem;
  }

  async #lookForChange(during: string): Promise<void> {
    if (this.#untouched === null) return;
    const state = await scriptsState({ root: this.#root });
    if (!('hash' in state) || state.hash !== this.#untouched) this.#changedDuring ??= during;
  }

  async #switchedOff(): Promise<string | null> {
    const { run } = this.#settings;
    if (run === false) return 'they are switched off (maintenance.scripts is false)';
    if (run === true) return null;
    const want = await this.#wantOf();
    if (want === null) return null;
    const { problem, otherwise } = want;
    const all = 'set maintenance.scripts (MAINTENANCE_SCRIPTS) to true to run them all the same';
    return `maintenance.scripts is auto, and ${problem}: ${otherwise === null ? '' : `${otherwise}, or `}${all}`;
  }

  /** What stands in the way of running scripts that nobody asked for in so many words, and what else could be done. */
  async #wantOf(): Promise<{ readonly problem: string; readonly otherwise: string | null } | null> {
    const { secrets, wall = standingWall } = this.#settings;
    if ((await readableFolders(this.#root, secrets)).exposed)
      return {
        problem: 'what scripts read holds the data folder, a file with settings or one with a key',
        otherwise: 'move that out of the vault and of where programs are installed',
      };
    const { may, problem: untold } = await mayChangeScripts({ root: this.#root });
    if (untold !== null)
      return { problem: `whether this server could change .scripts cannot be told (${untold})`, otherwise: null };
    if (may) return { problem: 'this server could change .scripts', otherwise: 'mount that folder read-only' };
    const problem = wantOfWall(await wall());
    return problem === null ? null : { problem, otherwise: null };
  }

  #runner({ name, absolute, language }: ScriptFile, seconds: number): Runner {
    const { secrets, timeZone } = this.#settings;
    const place = { language, file: absolute, vault: this.#root, timeZone };
    return async (args) => {
      const left = Math.max(1, Math.ceil((this.#deadline - performance.now()) / 1_000));
      const own = Math.min(seconds, this.#limits.seconds);
      const command: ScriptCommand = { ...place, args, ...(await readableFolders(this.#root, secrets)) };
      const limits = { ...this.#limits, seconds: Math.min(own, left) };
      const outcome = await runScript(command, limits, this.#signal);
      this.#confined = (this.#confined ?? true) && outcome.confined;
      await this.#lookForChange(name);
      const { problem } = outcome;
      if (problem === null || left >= own || performance.now() < this.#deadline) return outcome;
      this.#isOutOfTime = true;
      return { ...outcome, problem: `${problem}, what was left of the ${this.#total} for all scripts together` };
    };
  }

  #state(): ScriptsState {
    const changed = `.scripts was changed while ${this.#changedDuring} ran, so none was run after it: look at what is there, and ask again`;
    const reasons = [
      ...(this.#changedDuring === null ? [] : [changed]),
      ...(this.#isOutOfTime ? [`they took all of the ${this.#total} seconds that they have together`] : []),
      ...(this.#unwatched === null
        ? []
        : [`whether .scripts is changed while they run cannot be told (${this.#unwatched})`]),
    ];
    return { run: true, reason: reasons.join('; ') || null, confined: this.#confined, isAbsent: false };
  }
}

function notRunBecause(reason: string | null, isAbsent: boolean): ScriptsState {
  return { run: false, reason, confined: null, isAbsent };
}
