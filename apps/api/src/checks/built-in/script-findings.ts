/** Whether the vault's scripts keep to the contract of a check, as findings. Pure. */
import { type Finding, findingId } from '../finding.ts';
import type { CheckedScripts } from '../scripts/script-session.ts';
import { BUILT_IN_CHECKS } from './descriptions.ts';
import { type Found, found } from './found.ts';

export function scriptFindings({ results, described, refused, changedDuring }: CheckedScripts): Found {
  const findings = results.flatMap(({ file, status, reason, breach }): Finding[] => {
    if (status === 'could_not_run')
      return [about('script_could_not_run', 'error', file, `It could not be run: ${reason}.`)];
    if (status === 'legacy') {
      const why = reason === null ? '' : ` (${reason})`;
      return [
        about('script_undescribed', 'info', file, `It does not describe itself${why}, so only its text is known.`),
      ];
    }
    return breach === null
      ? []
      : [about('script_exit_code', 'warning', file, `Its exit code says something else: ${breach}.`)];
  });
  findings.push(
    ...refused.map(({ file, reason }) => about('script_refused', 'warning', file, `It was not run: ${reason}.`)),
  );
  findings.push(...sharedNames(described.map(({ file, description: { name } }) => ({ file, name }))));
  if (changedDuring !== null) findings.push(changed(changedDuring));
  return found(findings);
}

function sharedNames(checks: readonly { readonly file: string; readonly name: string }[]): Finding[] {
  const first = new Map<string, string>(BUILT_IN_CHECKS.map(({ name }) => [name, 'a check of this program']));
  return checks.flatMap(({ file, name }) => {
    const taken = first.get(name);
    if (taken === undefined) first.set(name, file);
    return taken === undefined
      ? []
      : [about('script_name_taken', 'warning', file, `It calls itself "${name}", as ${taken} does.`)];
  });
}

function changed(file: string): Finding {
  return about(
    'scripts_changed',
    'error',
    file,
    'The folder .scripts was changed while this ran, by it or by somebody else, so nothing was run after it.',
  );
}

const FIXES = {
  script_could_not_run:
    'Call it by hand with --json --vault-path (docs/checks.md) and mend what it says then; its standard error stands in its answer.',
  script_undescribed:
    'Let it answer --describe and --json (docs/checks.md), so that what it finds is told as findings.',
  script_exit_code: 'End with 1 when a finding is an error, and with 0 when none is.',
  script_refused: 'Put the file itself there instead of a link, under a name of plain characters.',
  script_name_taken:
    'Let it, or the other script, call itself something else (check, in what it prints for --describe).',
  scripts_changed: 'Look at what stands in .scripts now and who can write there, then run the checks again.',
} as const;

function about(code: keyof typeof FIXES, severity: Finding['severity'], file: string, message: string): Finding {
  return {
    ...{ id: findingId(code, file), code, severity, path: `.scripts/${file}`, message },
    fix: FIXES[code],
  };
}
