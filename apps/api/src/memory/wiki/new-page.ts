/**
 * A new wiki page with its first fact. Pure. Danger: the title is somebody's text, and stands in YAML and in a heading.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { applyNoteEdit, type SingleEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { bumpTimestamp } from '@vault-mcp/shared/vault/note/edit/timestamp';
import { escaped } from '@vault-mcp/shared/vault/note/escaped-text';
import { listItems } from '@vault-mcp/shared/vault/note/list-items';
import { parseStructure } from '@vault-mcp/shared/vault/note/parse';
import { provenanceEdits } from '../provenance.ts';
import { bulletText } from './fact-bullet.ts';
import { type FactToPlace, SECTION, type StandingBullet } from './place-fact.ts';
import { slugify } from './slug.ts';

export interface PageToMake extends Pick<FactToPlace, 'fact' | 'day' | 'stamp'> {
  /** As pageName gives it. */
  readonly name: string;
  readonly agent: string;
  /** What the caller says it writes from. */
  readonly source?: string | undefined;
  /** Whether the operator itself writes, which is nobody's agent. */
  readonly operator: boolean;
}

/** @throws AppError `invalid_value` for a fact that would not stand on the page as one item */
export function newPage({
  name,
  fact,
  day,
  stamp,
  agent,
  source,
  operator,
}: PageToMake): StandingBullet & { readonly text: string } {
  const title = titleOf(name);
  const bullet = `- ${bulletText(fact, day)}`;
  const edits: SingleEdit[] = [
    { kind: 'set-key', key: 'title', value: title, options: { createIfMissing: true } },
    ...provenanceEdits({ agent, source }, operator),
  ];
  let { text } = applyNoteEdit(`\n# ${escaped(title)}\n\n## ${SECTION}\n\n${bullet}\n`, { kind: 'several', edits });
  text = bumpTimestamp(text, stamp.key, stamp.now).text;
  const page = parseStructure(text);
  const [item, ...others] = listItems(page);
  if (item !== undefined && others.length === 0 && text.slice(item.range.from, item.range.to) === bullet) {
    return { text, bullet, line: item.line };
  }
  throw new AppError(
    'invalid_value',
    'The fact opens a comment ("%%") or code that it does not close: leave such marks out.',
  );
}

/** What was asked for, where it says more than the file's name: capitals, spaces, letters of other scripts. */
function titleOf(name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1).trim();
  if (own !== slugify(own)) return own;
  const words = own.replaceAll('-', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
