/**
 * Which checks there are, without making any: scripts are only asked what they are. Danger: a script that crashes over that
 * is one all the same, and stands here under the name it has.
 */
import { BUILT_IN_CHECKS, type BuiltInName } from '../checks/built-in/descriptions.ts';
import type { CheckDescription } from '../checks/finding.ts';
import type { DescribedScript } from '../checks/scripts/check-script.ts';
import type { ScriptsState } from '../checks/scripts/script-session.ts';
import { type ScriptContext, scriptSettings, vaultScripts } from './vault-scripts.ts';

export interface DescribedCheck extends CheckDescription {
  readonly source: 'built-in' | 'script';
  /** The script's name in `.scripts`; null of a built-in check. */
  readonly file: string | null;
  /** `legacy`: it does not say what it is, and runs for its text · `could_not_run`: `reason` says why. */
  readonly status: 'described' | 'legacy' | 'could_not_run';
  readonly reason: string | null;
  /** What a script said on standard error. */
  readonly stderr: string;
}

export interface DescribedChecks {
  readonly scripts: Omit<ScriptsState, 'isAbsent'>;
  /** By their order, then by name. */
  readonly checks: readonly DescribedCheck[];
  /** What else stands in `.scripts` and could be run, and why it is no check. */
  readonly not_checks: readonly { readonly file: string; readonly reason: string }[];
}

/** @param signal of a caller that may leave: scripts are asked for nobody */
export async function describeChecks(context: ScriptContext, signal?: AbortSignal): Promise<DescribedChecks> {
  const { state, described, others, refused } = await vaultScripts(context).describe(scriptSettings(context), signal);
  const checks = [...BUILT_IN_CHECKS.map(ofProgram), ...described.map(ofScript)];
  const { isAbsent: _isAbsent, ...scripts } = state;
  return {
    scripts,
    checks: checks.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1)),
    not_checks: [...others, ...refused],
  };
}

/** The program's own check of that name. */
export function checkNamed(name: BuiltInName): CheckDescription {
  const found = BUILT_IN_CHECKS.find((check) => check.name === name);
  if (found === undefined) throw new Error(`There is no check "${name}".`);
  return found;
}

function ofProgram(description: CheckDescription): DescribedCheck {
  return { ...description, source: 'built-in', file: null, status: 'described', reason: null, stderr: '' };
}

function ofScript({ file, kind, description, problem, outcome }: DescribedScript): DescribedCheck {
  const status = kind === 'check' ? 'described' : kind === 'legacy' ? 'legacy' : 'could_not_run';
  return { ...description, source: 'script', file, status, reason: problem, stderr: outcome.stderr };
}
