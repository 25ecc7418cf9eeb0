/**
 * What the checks found, as one block of markdown for people. Pure. Danger: names and messages are somebody's text, and the
 * block may be put into a note: none of them may become a link, a tag, a heading or a list there, so what markdown would
 * read is escaped.
 */
import { escaped, escapedBlock } from '@vault-mcp/shared/vault/note/escaped-text';
import type { CheckDegraded, Finding } from '../checks/finding.ts';
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
    scriptsLine(run.scripts, plain),
    table(run.checks),
    ...run.checks.filter(({ status, degraded }) => status !== 'ok' || degraded.length > 0).map(checkBlock),
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
  return `${[...lines, ...rest, '', scriptsLine(scripts, oneLine)].join('\n')}\n`;
}

function scriptsLine({ run, reason, confined }: MaintenanceRun['scripts'], shown: (text: string) => string): string {
  if (!run) return `The scripts of the vault were not run: ${shown(reason ?? 'there are none')}.`;
  const held =
    confined === null
      ? 'None was run'
      : confined
        ? 'They could read the vault and write nowhere'
        : 'The system could not keep them from writing, or from reading more than the vault';
  return `The scripts of the vault are run. ${held}${reason === null ? '' : `; ${shown(reason)}`}.`;
}

function table(checks: readonly CheckResult[]): string {
  const rows = checks.map(({ title, status, degraded, counts }) => {
    const part = degraded.length > 0 ? ', in part' : '';
    return [plain(title), `${STATUS[status]}${part}`, counts.error, counts.warning, counts.info].join(' | ');
  });
  return [
    '| Check | Status | Errors | Warnings | Info |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

const DEGRADED: Readonly<Record<CheckDegraded, string>> = {
  index_building: 'the index is still being built',
  partly_unread: 'notes or folders could not be read',
  vectors_pending: 'notes have no vector yet',
  documents_pending: 'documents wait to be read',
};

const STATUS = { ok: 'ok', findings: 'findings', legacy: 'legacy', could_not_run: 'could not run' } as const;

function checkBlock(check: CheckResult): string {
  const { title, description, status, reason, degraded, findings, counts, text, stderr } = check;
  const head = [`## ${plain(title)}`, ...(description.trim() === '' ? [] : [plainBlock(description)])];
  if (status === 'could_not_run') head.push(`It could not be run: ${plain(reason ?? '')}.`);
  if (degraded.length > 0)
    head.push(`Not everything was looked at: ${degraded.map((why) => DEGRADED[why]).join('; ')}.`);
  const shown = findings.slice(0, SHOWN_FINDINGS);
  if (shown.length > 0) head.push(shown.map(findingLine).join('\n'));
  const more = counts.error + counts.warning + counts.info - shown.length;
  if (more > 0) head.push(`And ${more} more.`);
  if (text !== null) head.push(fenced(text));
  if (stderr.trim() !== '' && status !== 'findings') head.push('On standard error:', fenced(stderr));
  return head.join('\n\n');
}

function findingLine({ severity, code, path, line, message, fix }: Finding): string {
  const place = path === undefined ? '' : ` ${plain(path)}${line === undefined ? '' : `, line ${line}`}:`;
  return `- **${severity}** \`${code}\`${place} ${plain(message)}${fix === undefined ? '' : ` ${plain(fix)}`}`;
}

function notChecks(files: MaintenanceRun['not_checks']): string[] {
  if (files.length === 0) return [];
  return ['## No checks', files.map(({ file, reason }) => `- ${plainBlock(file)}: ${plain(reason)}`).join('\n')];
}

/** On one line, read by markdown as the characters it has: no link, tag, comment, formula or HTML. */
function plain(text: string): string {
  return escaped(oneLine(text.trim()));
}

/** The same where a block may begin. */
function plainBlock(text: string): string {
  return escapedBlock(oneLine(text.trim()));
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
