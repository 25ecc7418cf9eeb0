/**
 * What the checks found, as one block of markdown for people. Pure. Danger: names and messages are somebody's text, and the
 * block may be put into a note: none of them may become a link, a tag or a heading there, so what markdown would read is
 * escaped.
 */
import type { Finding } from '../checks/finding.ts';
import type { DescribedChecks } from '../operations/describe-checks.ts';
import type { CheckResult, MaintenanceRun } from '../operations/run-maintenance.ts';
import { forTerminal, oneLine } from './one-line.ts';

/** Findings of one check that are written out. */
const SHOWN_FINDINGS = 50;
/** Characters of a script's text, and of what it said on standard error. */
const SHOWN_TEXT = 4_000;

export function maintenanceMarkdown(run: MaintenanceRun): string {
  const { error, warning, info } = run.counts;
  const blocks = [
    '# Maintenance',
    `${run.started_at}: ${counted(run.checks.length, 'check')}. Errors ${error}, warnings ${warning}, info ${info}; ${run.could_not_run} could not be run.`,
    scriptsLine(run.scripts),
    table(run.checks),
    ...run.checks.filter(({ status }) => status !== 'ok').map(checkBlock),
    ...notChecks(run.not_checks),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** A check a line. */
export function checksText({ scripts, checks, not_checks }: DescribedChecks): string {
  const lines = checks.map(({ name, file, title, description, status, reason }) => {
    const what =
      status === 'described'
        ? description
        : status === 'legacy'
          ? 'legacy, runs for its text'
          : `could not run: ${reason}`;
    return [name, file === null ? 'built in' : `.scripts/${file}`, title, what].map(oneLine).join(' | ');
  });
  const others = not_checks.map(({ file, reason }) => `${oneLine(file)} | ${oneLine(reason)}`);
  const rest = others.length === 0 ? [] : ['', 'No checks:', ...others];
  return `${[...lines, ...rest, '', scriptsLine(scripts)].join('\n')}\n`;
}

function scriptsLine({ run, reason, confined }: MaintenanceRun['scripts']): string {
  if (!run) return `The scripts of the vault were not run: ${escaped(reason ?? 'there are none')}.`;
  const held =
    confined === null
      ? 'None was run'
      : confined
        ? 'They could read the vault and write nowhere'
        : 'The system could not keep them from writing, or from reading more than the vault';
  return `The scripts of the vault are run. ${held}${reason === null ? '' : `; ${escaped(reason)}`}.`;
}

function table(checks: readonly CheckResult[]): string {
  const rows = checks.map(({ title, status, counts }) =>
    [escaped(title), STATUS[status], counts.error, counts.warning, counts.info].join(' | '),
  );
  return [
    '| Check | Status | Errors | Warnings | Info |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

const STATUS = { ok: 'ok', findings: 'findings', legacy: 'legacy', could_not_run: 'could not run' } as const;

function checkBlock(check: CheckResult): string {
  const { title, description, status, reason, findings, counts, text, stderr } = check;
  const head = [`## ${escaped(title)}`, ...(description === '' ? [] : [escaped(description)])];
  if (status === 'could_not_run') head.push(`It could not be run: ${escaped(reason ?? '')}.`);
  const shown = findings.slice(0, SHOWN_FINDINGS);
  if (shown.length > 0) head.push(shown.map(findingLine).join('\n'));
  const more = counts.error + counts.warning + counts.info - shown.length;
  if (more > 0) head.push(`And ${more} more.`);
  if (text !== null) head.push(fenced(text));
  if (stderr.trim() !== '' && status !== 'findings') head.push('On standard error:', fenced(stderr));
  return head.join('\n\n');
}

function findingLine({ severity, code, path, line, message, fix }: Finding): string {
  const place = path === undefined ? '' : ` ${escaped(path)}${line === undefined ? '' : `, line ${line}`}:`;
  return `- **${severity}** \`${code}\`${place} ${escaped(message)}${fix === undefined ? '' : ` ${escaped(fix)}`}`;
}

function notChecks(files: MaintenanceRun['not_checks']): string[] {
  if (files.length === 0) return [];
  return ['## No checks', files.map(({ file, reason }) => `- ${escaped(file)}: ${escaped(reason)}`).join('\n')];
}

/** On one line, read by markdown as the characters it has: no link, tag, comment, formula or HTML. */
function escaped(text: string): string {
  return oneLine(text.trim()).replace(/[\\`*_[\]<>#|~$%^=]/g, '\\$&');
}

function fenced(text: string): string {
  const shown = forTerminal(text.trim()).slice(0, SHOWN_TEXT);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}${shown.length < text.trim().length ? '…' : ''}\n${fence}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
