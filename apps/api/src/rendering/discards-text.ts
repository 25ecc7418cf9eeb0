/**
 * Discards as text. Pure. Danger: it is text that somebody wanted to have remembered, so each entry is one line, and a body
 * is indented: none can pass for a line of ours.
 */
import type { DiscardList } from '../operations/list-discards.ts';
import type { DiscardAnswer } from '../operations/show-discard.ts';
import { forTerminal, oneLine } from './one-line.ts';

/** @param older how to ask for what is older than these; undefined: by the cursor */
export function discardsText({ entries, next_cursor, damaged }: DiscardList, older?: string): string {
  const lines = entries.length === 0 ? ['Nothing was discarded.'] : entries.map(entryLine);
  if (next_cursor !== null) lines.push('', `There are older ones: ${older ?? `cursor=${next_cursor}`}`);
  if (damaged > 0) lines.push('', `${damaged} ${damaged === 1 ? 'line' : 'lines'} of .discarded.log cannot be read.`);
  return `${lines.join('\n')}\n`;
}

function entryLine({ n, t, kind, agent, title, path, reason, restored }: DiscardList['entries'][number]): string {
  const about = [title, path].filter((part) => part !== undefined).join(' of ');
  return [
    ...[String(n), t, `${kind} (${agent})`, about],
    ...(reason === undefined ? [] : [reason]),
    ...(restored === undefined ? [] : [`restored as ${restored}`]),
  ]
    .map(oneLine)
    .join(' | ');
}

export function discardText({
  n,
  t,
  kind,
  agent,
  source,
  candidate,
  seen,
  decision,
  note,
  restored,
}: DiscardAnswer): string {
  const { title, body, ...rest } = candidate ?? { title: '', body: '' };
  const lines = [
    `Discard ${n} of ${t}: ${kind}, by ${agent}${source === undefined ? '' : `, from ${source}`}.`,
    ...(restored === null ? [] : [`Restored as ${restored}.`]),
    ...(decision === undefined ? [] : [`Decision: ${JSON.stringify(decision)}`]),
    ...(seen ?? []).map(seenLine),
  ].map(oneLine);
  if (candidate !== undefined) {
    const about = Object.entries(rest).map(([name, value]) => oneLine(`${name}: ${JSON.stringify(value)}`));
    lines.push('', oneLine(`Proposed: ${title}`), ...about, ...indented(body));
  }
  if (note !== undefined) lines.push('', oneLine(`Stood in ${note.path} (etag ${note.etag}):`), ...indented(note.text));
  return `${lines.join('\n')}\n`;
}

function seenLine({ path, distance, bm25 }: Readonly<Record<string, unknown>>): string {
  const measures = Object.entries({ distance, bm25 }).filter(([, value]) => typeof value === 'number');
  return `Seen: ${[path, ...measures.map(([name, value]) => `${name} ${value}`)].join(', ')}`;
}

function indented(text: string): string[] {
  return forTerminal(text)
    .split('\n')
    .map((line) => `    ${line}`);
}
