/**
 * The scripts of one vault, run one after the other, whoever asks: those who ask for the same while it runs share one
 * run. Danger: a script can be waited for two minutes, so who comes meanwhile must not start more of them; and a script
 * that was changed while others ran is not what its owner put there, so nothing runs after that.
 */
import { listScripts, mayChangeScripts, type ScriptFile, scriptsState } from '@vault-mcp/shared/vault/scripts-folder';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import {
  checkByScript,
  type DescribedScript,
  describeScript,
  notRun,
  type Runner,
  type ScriptResult,
} from './check-script.ts';
import { isObject, parseJson, type Read } from './declaration.ts';
import { DEFAULT_LIMITS, runScript, type ScriptLimits } from './run-script.ts';
import { readableFolders, type ScriptCommand } from './script-command.ts';
import { standingWall, type Wall, wantOfWall } from './wall.ts';

/** Answers for the callouts in place of what is built in; it is no check. */
export const CALLOUTS_SCRIPT = 'extract_callouts.py';

/** To say what one is takes no two minutes. */
const DESCRIBE_SECONDS = 20;

export interface ScriptSettings {
  /** `maintenance.scripts`. */
  readonly run: boolean | 'auto';
  readonly timeZone: string;
  /** What no script may read: folders and files, absolute. */
  readonly secrets: readonly string[];
  /** Tests name their own. */
  readonly limits?: ScriptLimits;
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
export interface ScriptCallouts {
  readonly state: ScriptsState;
  readonly read: Read<readonly Record<string, unknown>[]> | null;
}

type Work = 'describe' | 'check' | 'callouts';

export class VaultScripts {
  readonly #vault: Pick<Vault, 'root'>;
  readonly #shared = new Map<Work, Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(vault: Pick<Vault, 'root'>) {
    this.#vault = vault;
  }

  /** What each script says that it is. */
  describe(settings: ScriptSettings): Promise<DescribedScripts> {
    return this.#share('describe', () => new Session(this.#vault.root, settings).describe());
  }

  /** What each finds. */
  check(settings: ScriptSettings): Promise<CheckedScripts> {
    return this.#share('check', () => new Session(this.#vault.root, settings).check());
  }

  /** Where nothing is run for it, checks that run are not waited for. */
  async callouts(settings: ScriptSettings): Promise<ScriptCallouts> {
    const state = await new Session(this.#vault.root, settings).withoutCallouts();
    if (state !== null) return { state, read: null };
    return this.#share('callouts', () => new Session(this.#vault.root, settings).callouts());
  }

  #share<T>(work: Work, start: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(work);
    if (known !== undefined) return known as Promise<T>;
    const run = this.#last.then(start).finally(() => this.#shared.delete(work));
    this.#shared.set(work, run);
    // Whoever comes next waits for its end, not for its success.
    this.#last = run.catch(() => undefined);
    return run;
  }
}

/** One run through the folder. */
class Session {
  readonly #root: string;
  readonly #settings: ScriptSettings;
  #confined: boolean | null = null;
  #untouched: string | null = null;
  #changedDuring: string | null = null;

  constructor(root: string, settings: ScriptSettings) {
    this.#root = root;
    this.#settings = settings;
  }

  async describe(): Promise<DescribedScripts> {
    const { off, scripts, refused } = await this.#begin();
    if (off !== null) return { state: off, described: [], others: [], refused };
    const described: DescribedScript[] = [];
    for (const script of scripts) {
      if (this.#changedDuring !== null)
        refused.push({ file: script.name, reason: 'the scripts were changed before its turn' });
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
      const script = files.get(file);
      const stopped = this.#changedDuring !== null || script === undefined;
      const result = stopped
        ? notRun(described, 'the scripts were changed before its turn')
        : await checkByScript(described, this.#runner(script, this.#limits.seconds), this.#args);
      results.push({ ...result, file });
    }
    const state = found.state.run ? this.#state() : found.state;
    return { ...found, state, results, changedDuring: this.#changedDuring };
  }

  /** Null where the script for callouts is there and may be run. */
  async withoutCallouts(): Promise<ScriptsState | null> {
    return (await this.#calloutsScript()) === undefined ? notRunBecause(null, true) : (await this.#begin()).off;
  }

  async callouts(): Promise<ScriptCallouts> {
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

  async #begin() {
    const { problem, isAbsent, scripts, refused } = await listScripts({ root: this.#root });
    const reason = problem ?? (await this.#switchedOff());
    this.#untouched = await scriptsState({ root: this.#root });
    return {
      off: reason === null ? null : notRunBecause(reason, isAbsent),
      scripts: scripts.filter(({ name }) => name !== CALLOUTS_SCRIPT),
      refused: refused.map(({ name, reason: why }) => ({ file: name, reason: why })),
    };
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
    if (await mayChangeScripts({ root: this.#root }))
      return { problem: 'this server could change .scripts', otherwise: 'mount that folder read-only' };
    const problem = wantOfWall(await wall());
    return problem === null ? null : { problem, otherwise: null };
  }

  #runner({ name, absolute, language }: ScriptFile, seconds: number): Runner {
    const { secrets, timeZone } = this.#settings;
    const place = { language, file: absolute, vault: this.#root, timeZone };
    const limits = { ...this.#limits, seconds: Math.min(seconds, this.#limits.seconds) };
    return async (args) => {
      const command: ScriptCommand = { ...place, args, ...(await readableFolders(this.#root, secrets)) };
      const outcome = await runScript(command, limits);
      this.#confined = (this.#confined ?? true) && outcome.confined;
      if ((await scriptsState({ root: this.#root })) !== this.#untouched) this.#changedDuring ??= name;
      return outcome;
    };
  }

  #state(): ScriptsState {
    const changed = `.scripts was changed while ${this.#changedDuring} ran, so none was run after it: look at what is there, and ask again`;
    const reason = this.#changedDuring === null ? null : changed;
    return { run: true, reason, confined: this.#confined, isAbsent: false };
  }
}

function notRunBecause(reason: string | null, isAbsent: boolean): ScriptsState {
  return { run: false, reason, confined: null, isAbsent };
}

/** An object with a list `callouts` of objects; whatever else is in it stays unread. */
function readCallouts(printed: string, exitCode: number | null): ScriptCallouts['read'] {
  if (exitCode !== 0) return { problem: `it ended with ${exitCode}` };
  const parsed = parseJson(printed);
  if (!isObject(parsed)) return { problem: 'what it printed is no JSON object' };
  const { callouts } = parsed;
  if (!Array.isArray(callouts)) return { problem: 'what it printed has no list "callouts"' };
  return callouts.every(isObject) ? { value: callouts } : { problem: 'its callouts are not all objects' };
}
