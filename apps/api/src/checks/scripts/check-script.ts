/**
 * One script of the vault as a check: asked what it is, then what it finds. Danger: by its answers alone a script is a
 * check, so what it prints is believed only where it fits the contract and its exit code says the same; everything else
 * is told, and ends nothing but the script.
 */
import { type CheckDescription, type CheckStatus, type Finding, severityCounts } from '../finding.ts';
import { NOT_DECLARED, readDeclaration, readReport } from './declaration.ts';
import type { ScriptOutcome } from './run-script.ts';

/** Runs a script with these arguments. */
export type Runner = (args: readonly string[]) => Promise<ScriptOutcome>;

/** Behind those that say where they belong. */
const LAST = 1_000_000;
/** A check of old that will not describe itself. */
const LEGACY_NAME = /^check_.+\.py$/;
/** Of a legacy check's text, what is kept. */
const KEPT_TEXT = 64 * 1024;

/**
 * What a script is. `check`: it has described itself · `legacy`: its name says that it checks, and nothing else does ·
 * `none`: some other program · `broken`: it cannot be told, `problem` says why.
 */
export interface DescribedScript {
  readonly file: string;
  readonly kind: 'check' | 'legacy' | 'none' | 'broken';
  readonly description: CheckDescription;
  readonly problem: string | null;
  readonly outcome: ScriptOutcome;
}

export interface ScriptResult {
  readonly description: CheckDescription;
  readonly status: CheckStatus;
  readonly reason: string | null;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
  /** What a legacy check printed. */
  readonly text: string | null;
  readonly stderr: string;
  /** Where it did not keep to the contract, though it was understood; null where it did. */
  readonly breach: string | null;
}

/** By its name alone. */
function named(file: string): CheckDescription {
  return { name: file.replace(/\.[^.]+$/, ''), title: file, description: '', order: LAST };
}

/** One whose turn to say what it is did not come. */
export function unasked(file: string, problem: string): DescribedScript {
  const outcome = { exitCode: null, problem, stdout: '', stderr: '', durationMs: 0, confined: true };
  return { file, kind: 'broken', description: named(file), problem, outcome };
}

/** @param args the constant ones */
export async function describeScript(file: string, run: Runner, args: readonly string[]): Promise<DescribedScript> {
  const outcome = await run(['--describe', ...args]);
  const described = { file, description: named(file), outcome };
  const read = outcome.problem === null ? readDeclaration(outcome.stdout) : { problem: outcome.problem };
  if ('value' in read && outcome.exitCode === 0) {
    const { check, ...rest } = read.value;
    return { ...described, kind: 'check', description: { name: check, ...rest }, problem: null };
  }
  const problem = 'problem' in read ? read.problem : `it describes itself and ends with ${outcome.exitCode}, not 0`;
  const isOther = problem === NOT_DECLARED && [0, 2].includes(outcome.exitCode ?? -1);
  if (LEGACY_NAME.test(file) && (problem === NOT_DECLARED || outcome.problem !== null)) {
    return { ...described, kind: 'legacy', problem };
  }
  if (isOther) return { ...described, kind: 'none', problem };
  const how = problem === NOT_DECLARED ? `asked to describe itself, it ended with ${outcome.exitCode}` : problem;
  return { ...described, kind: 'broken', problem: how };
}

/** @param described a check, legacy or broken */
export async function checkByScript(
  described: DescribedScript,
  run: Runner,
  args: readonly string[],
): Promise<ScriptResult> {
  const { kind, description, problem, outcome } = described;
  if (kind === 'check') return reported(description, await run(['--json', ...args]));
  if (kind === 'legacy') return legacy(description, await run(args), outcome.problem);
  return failed(description, outcome, problem ?? 'it is no check');
}

/** A check that it did not come to. */
export function notRun({ description }: DescribedScript, reason: string): ScriptResult {
  return failed(description, { exitCode: null, durationMs: 0, stderr: '' }, reason);
}

function reported(description: CheckDescription, outcome: ScriptOutcome): ScriptResult {
  const { exitCode, problem } = outcome;
  if (problem !== null) return failed(description, outcome, problem);
  if (exitCode === 2) return failed(description, outcome, 'it says that it could not run (exit code 2)');
  if (exitCode !== 0 && exitCode !== 1) return failed(description, outcome, `it ended with ${exitCode}, not 0, 1 or 2`);
  const read = readReport(outcome.stdout, description.name);
  if ('problem' in read) return failed(description, outcome, read.problem);
  const findings = read.value;
  const expected = severityCounts(findings).error > 0 ? 1 : 0;
  const breach = `it ended with ${exitCode} and reported ${expected === 1 ? 'an error' : 'no error'}: that is ${expected}`;
  return {
    ...facts(description, outcome),
    ...{ status: findings.length > 0 ? 'findings' : 'ok', reason: null, findings, text: null },
    breach: exitCode === expected ? null : breach,
  };
}

/** @param undescribed what befell it when it was asked what it is: nothing, of one that only does not know the question */
function legacy(description: CheckDescription, outcome: ScriptOutcome, undescribed: string | null): ScriptResult {
  const { exitCode, problem, stdout } = outcome;
  if (problem !== null) return failed(description, outcome, problem);
  if (exitCode !== 0 && exitCode !== 1) return failed(description, outcome, `it ended with ${exitCode}`);
  // Also how a program of Python's ends that does not catch what it raises.
  if (exitCode === 1 && stdout.trim() === '') {
    return failed(description, outcome, 'it ended with 1 and printed nothing: its standard error may say why');
  }
  const text = stdout.length > KEPT_TEXT ? `${stdout.slice(0, KEPT_TEXT)}…` : stdout;
  const reason = undescribed === null ? null : `asked to describe itself: ${undescribed}`;
  return { ...facts(description, outcome), status: 'legacy', reason, findings: [], text, breach: null };
}

type Ending = Pick<ScriptOutcome, 'exitCode' | 'durationMs' | 'stderr'>;

function failed(description: CheckDescription, outcome: Ending, reason: string): ScriptResult {
  return { ...facts(description, outcome), status: 'could_not_run', reason, findings: [], text: null, breach: null };
}

function facts(description: CheckDescription, { exitCode, durationMs, stderr }: Ending) {
  return { description, exitCode, durationMs, stderr };
}
