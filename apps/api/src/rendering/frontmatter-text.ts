/** Notes found by their frontmatter as text. Pure. A path a line, so that one can be pasted into the next call. */
import type { FoundByFrontmatter } from '../operations/find-by-frontmatter.ts';
import { oneLine } from './one-line.ts';

export function foundByFrontmatterText({ notes, left_out }: FoundByFrontmatter): string {
  const head = `${notes.length} ${notes.length === 1 ? 'note' : 'notes'} found.`;
  const lines = [head, ...notes.map(({ filename }) => oneLine(filename))];
  if (left_out.length > 0) lines.push('', 'Could not be asked:');
  lines.push(...left_out.map(({ path, reason }) => `${oneLine(path)} | ${oneLine(reason)}`));
  return `${lines.join('\n')}\n`;
}
