/**
 * What came of restoring a discard, for a terminal. Pure. Danger: titles and bodies are text that others wrote, so none of it
 * can pass for a line of ours, nor reach the command that is offered unquoted.
 */
import type { RestoreAnswer } from '@vault-mcp/api/operations/restore-discard';
import { oneLine } from '@vault-mcp/api/rendering/one-line';
import { counted } from './output.ts';

/** Lines shown of each similar note. */
const BODY_LINES = 12;

export function restoredText(answer: RestoreAnswer): string {
  return (answer.status === 'done' ? doneLines(answer) : decideLines(answer)).join('\n');
}

/** Whether a person has something to do now. */
export function needsPerson(answer: RestoreAnswer): boolean {
  if (answer.status === 'decide') return true;
  return (answer.unmarked ?? []).length > 0 || (answer.remarks ?? []).length > 0;
}

function doneLines(answer: Extract<RestoreAnswer, { status: 'done' }>): string[] {
  const { restores: n, path, action, superseded, fell_back, discard, unmarked = [], remarks = [] } = answer;
  const what =
    path === null
      ? `Discard ${n} was discarded again, as ${discard ?? 'another entry'}.`
      : `Discard ${n} is in ${path} now (${action}).`;
  return [
    what,
    ...(superseded === undefined ? [] : [`It stands for ${superseded}.`]),
    ...(fell_back === null ? [] : [`A note was made instead of what was decided: ${fell_back}.`]),
    ...unmarked.map((one) => `${one.path} could not be marked as superseded: ${one.reason}`),
    ...remarks,
  ].map(oneLine);
}

function decideLines(answer: Extract<RestoreAnswer, { status: 'decide' }>): string[] {
  const { restores: n, token, expires_at, similar, degraded } = answer;
  const target = similar.find(({ read_only }) => !read_only)?.path;
  const decision = target === undefined ? { action: 'create' } : { action: 'supersede', target };
  return [
    `${counted(similar.length, 'note says', 'notes say')} something similar to discard ${n}:`,
    ...similar.flatMap(noteLines),
    ...(degraded.length === 0 ? [] : ['', `Others may be missing: ${degraded.join(', ')}.`]),
    '',
    `Decide until ${expires_at}: update (with "body" or "append"), supersede, create or discard, such as`,
    `  vault-mcp discards restore ${n} --token ${token} --decision ${quoted(JSON.stringify(decision))}`,
  ];
}

type Similar = Extract<RestoreAnswer, { status: 'decide' }>['similar'][number];

function noteLines({ path, title, body, distance, read_only }: Similar): string[] {
  const facts = [
    ...[path, title],
    ...(distance === null ? [] : [`distance ${distance.toFixed(2)}`]),
    ...(read_only ? ['read-only'] : []),
  ];
  const lines = body.split('\n');
  const more = lines.length > BODY_LINES ? ['    …'] : [];
  return ['', facts.map(oneLine).join(' | '), ...lines.slice(0, BODY_LINES).map((line) => `    ${line}`), ...more];
}

/** For a shell. */
function quoted(text: string): string {
  return `'${oneLine(text).replaceAll("'", "'\\''")}'`;
}
