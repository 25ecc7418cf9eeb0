/** Callouts as text. Pure. A line each, then its body, indented, so that no body can pass for a callout. */
import type { CalloutList } from '../operations/list-callouts.ts';
import { forTerminal, oneLine } from './one-line.ts';

export function calloutsText({ source, callouts, counts, left_out, script }: CalloutList): string {
  const { total, by_severity: by } = counts;
  const from = source === 'script' ? ', by the script of the vault' : '';
  const head = `${total} ${total === 1 ? 'callout' : 'callouts'}${from}: error ${by.error}, warning ${by.warning}, info ${by.info}.`;
  const lines = [head, ...callouts.flatMap(calloutLines)];
  if (left_out.length > 0) lines.push('', 'Could not be asked:');
  lines.push(...left_out.map(({ path, reason }) => `${oneLine(path)} | ${oneLine(reason)}`));
  const what = source === 'script' ? 'gave not only these' : 'did not give them';
  if (script !== null) lines.push('', oneLine(`${script.file} ${what}: ${script.reason}.`));
  return `${lines.join('\n')}\n`;
}

/** A script's callouts may stand nowhere and be of no type. */
function calloutLines({ note, line, type, title, body }: CalloutList['callouts'][number]): string[] {
  const place = [...(note === undefined ? [] : [note]), ...(line === undefined ? [] : [`line ${line}`])].join(', ');
  const head = `${place === '' ? '' : `${place}: `}[${type ?? ''}]${title ? ` ${title}` : ''}`;
  const rest = body !== '' ? forTerminal(body).split('\n') : [];
  return [oneLine(head), ...rest.map((each) => `    ${each}`)];
}
