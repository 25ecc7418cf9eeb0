/** Callouts as text. Pure. A line each, then its body, indented, so that no body can pass for a callout. */
import type { CalloutList, ListedCallout } from '../operations/list-callouts.ts';
import { forTerminal, oneLine } from './one-line.ts';

export function calloutsText({ callouts, counts, left_out }: CalloutList): string {
  const { total, by_severity: by } = counts;
  const head = `${total} ${total === 1 ? 'callout' : 'callouts'}: error ${by.error}, warning ${by.warning}, info ${by.info}.`;
  const lines = [head, ...callouts.flatMap(calloutLines)];
  if (left_out.length > 0) lines.push('', 'Could not be asked:');
  lines.push(...left_out.map(({ path, reason }) => `${oneLine(path)} | ${oneLine(reason)}`));
  return `${lines.join('\n')}\n`;
}

function calloutLines({ note, line, type, title, body }: ListedCallout): string[] {
  const head = `${note}, line ${line}: [${type}]${title === '' ? '' : ` ${title}`}`;
  const rest = body === '' ? [] : forTerminal(body).split('\n');
  return [oneLine(head), ...rest.map((each) => `    ${each}`)];
}
