/**
 * Every check of the vault: those of the program, and the vault's own scripts. Danger: it is what somebody trusts instead of
 * looking, so what could not be checked is told as such, and however much is found, that is no failure of the run. Nothing
 * of a request reaches a script.
 */
import { MAX_FINDINGS } from '../checks/built-in/found.ts';
import { scriptFindings } from '../checks/built-in/script-findings.ts';
import {
  type CheckDegraded,
  type CheckDescription,
  type CheckStatus,
  type Finding,
  type SeverityCounts,
  severityCounts,
} from '../checks/finding.ts';
import type { ScriptResult } from '../checks/scripts/check-script.ts';
import type { CheckedScripts, ScriptsState } from '../checks/scripts/script-session.ts';
import type { WriteContext } from '../context.ts';
import { type BuiltInResult, type CheckContext, runBuiltInChecks } from './built-in-checks.ts';
import { found } from './check-outcome.ts';
import { checkNamed } from './describe-checks.ts';
import { type ScriptContext, scriptSettings, vaultScripts } from './vault-scripts.ts';

export interface CheckResult extends CheckDescription {
  readonly source: 'built-in' | 'script';
  /** The script's name in `.scripts`; null of a built-in check. */
  readonly file: string | null;
  readonly status: CheckStatus;
  /** Why it could not be run: a clause. */
  readonly reason: string | null;
  /** Of a script that came to its end. */
  readonly exit_code: number | null;
  readonly duration_ms: number;
  /** Why it may not have found all; empty when it looked at everything, and of scripts. */
  readonly degraded: readonly CheckDegraded[];
  /** Of all that it found. */
  readonly counts: SeverityCounts;
  /** The first thousand. */
  readonly findings: readonly Finding[];
  /** What a script printed that does not describe itself. */
  readonly text: string | null;
  /** What a script said on standard error. */
  readonly stderr: string;
}

export interface ScriptsNote extends Omit<ScriptsState, 'isAbsent'> {}

export interface MaintenanceRun {
  readonly started_at: string;
  readonly duration_ms: number;
  /** Of all checks. */
  readonly counts: SeverityCounts;
  /** How many checks could not be run. */
  readonly could_not_run: number;
  /** Why checks may not have found all. */
  readonly degraded: readonly CheckDegraded[];
  readonly scripts: ScriptsNote;
  /** By their order, then by name. */
  readonly checks: readonly CheckResult[];
  /** What else stands in `.scripts` and could be run, and why it is no check. */
  readonly not_checks: readonly { readonly file: string; readonly reason: string }[];
}

export type MaintenanceContext = CheckContext & ScriptContext & Pick<WriteContext, 'now'>;

/**
 * @param signal of a caller that may leave: scripts run for nobody
 * @throws the errors of a defect only: whatever cannot be checked is in the answer
 */
export async function runMaintenance(context: MaintenanceContext, signal?: AbortSignal): Promise<MaintenanceRun> {
  const startedAt = context.now().toISOString();
  const started = performance.now();
  // Had before anything is begun, whose failing nobody would wait for.
  const vaultsOwn = vaultScripts(context);
  const [builtIn, scripts] = await Promise.all([
    runBuiltInChecks(context),
    vaultsOwn.check(scriptSettings(context), signal),
  ]);
  const checks = [...builtIn.map(ofProgram), ofProgram(contractCheck(scripts)), ...scripts.results.map(ofScript)].sort(
    inOrder,
  );
  const { isAbsent: _isAbsent, ...state } = scripts.state;
  return {
    started_at: startedAt,
    duration_ms: Math.round(performance.now() - started),
    counts: summed(checks),
    could_not_run: checks.filter(({ status }) => status === 'could_not_run').length,
    degraded: [...new Set(checks.flatMap(({ degraded }) => degraded))],
    scripts: state,
    checks,
    not_checks: [...scripts.others, ...scripts.refused],
  };
}

/** Whether the scripts keep to their contract; that there are none is no matter. */
function contractCheck(scripts: CheckedScripts): BuiltInResult {
  const { run, reason, isAbsent } = scripts.state;
  const outcome = run || isAbsent ? found(scriptFindings(scripts)) : { problem: reason ?? 'no script was run' };
  return { description: checkNamed('script_contract'), outcome, durationMs: 0 };
}

const OF_PROGRAM = { source: 'built-in', file: null, exit_code: null, text: null, stderr: '' } as const;
const NOTHING = { counts: { error: 0, warning: 0, info: 0 }, findings: [], degraded: [] };

function ofProgram({ description, outcome, durationMs }: BuiltInResult): CheckResult {
  const common = { ...description, ...OF_PROGRAM, duration_ms: durationMs };
  if ('problem' in outcome) return { ...common, ...NOTHING, status: 'could_not_run', reason: outcome.problem };
  const { degraded, found: all } = outcome;
  return { ...common, ...all, status: all.findings.length > 0 ? 'findings' : 'ok', reason: null, degraded };
}

function ofScript({ file, description, ...result }: ScriptResult & { readonly file: string }): CheckResult {
  const { status, reason, exitCode, durationMs, findings, text, stderr } = result;
  return {
    ...description,
    ...{ source: 'script', file, status, reason, exit_code: exitCode, duration_ms: durationMs, degraded: [] },
    ...{ counts: severityCounts(findings), findings: findings.slice(0, MAX_FINDINGS), text, stderr },
  };
}

function inOrder(a: CheckResult, b: CheckResult): number {
  return a.order - b.order || (a.name < b.name ? -1 : 1);
}

function summed(checks: readonly CheckResult[]): SeverityCounts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const check of checks) for (const severity of SEVERITIES) counts[severity] += check.counts[severity];
  return counts;
}

const SEVERITIES = ['error', 'warning', 'info'] as const;
