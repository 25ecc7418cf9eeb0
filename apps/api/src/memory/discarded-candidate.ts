/**
 * What was discarded, as the candidate that it becomes again. Pure: the same entry gives the same candidate, so that a token
 * goes on being good for it. Danger: nothing of it is believed; the gate takes it in by the rules that hold for anybody's.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { Discard, ReplacedText } from '@vault-mcp/shared/records/discard-lines';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { nameOf } from '@vault-mcp/shared/vault/path';
import { type CandidateInput, MAX_TITLE, OWN_KEYS, TYPE } from './gate/candidate.ts';

/** Of a text that says of itself no type that is one. */
const ANY_TYPE = 'note';

/**
 * @param timestampKey `notes.timestamp_key`, which the gate sets
 * @throws AppError `invalid_value` for text of a note whose block cannot be read
 */
export function discardedCandidate({ n, candidate, note }: Discard, timestampKey: string): CandidateInput {
  if (candidate !== undefined) {
    const { title, body, type, namespace, frontmatter } = candidate;
    return {
      ...{ title, body, type: typeOf(type), namespace: typeof namespace === 'string' ? namespace : '' },
      frontmatter: isMapping(frontmatter) ? frontmatter : {},
    };
  }
  if (note !== undefined) return replacedCandidate(n, note, timestampKey);
  throw new AppError('invalid_value', `Discard ${n} holds no text, so there is nothing to restore.`);
}

/** A note's text: what its block says of it, and the text below. */
function replacedCandidate(n: number, { path, text }: ReplacedText, timestampKey: string): CandidateInput {
  const { data, error, range } = parseFrontmatter(text);
  if (error !== undefined) {
    throw new AppError(
      'invalid_value',
      `The frontmatter of discard ${n} cannot be read, so the gate cannot take it: show it, and write the note yourself.`,
    );
  }
  const own = new Set([...OWN_KEYS, timestampKey]);
  // An empty key says nothing, and none can be written.
  const rest = Object.entries(data).filter(([key, value]) => !own.has(key) && value !== null);
  const name = nameOf(path);
  return {
    title: titleOf(data.title, name.replace(/\.md$/i, '')),
    type: typeOf(data.type),
    namespace: path.slice(0, Math.max(0, path.length - name.length - 1)),
    body: text.slice(range.to),
    frontmatter: Object.fromEntries(rest),
  };
}

/** One line, as long as the gate takes one: people give their notes other titles too. */
function titleOf(value: unknown, otherwise: string): string {
  const line = (text: string) =>
    text
      .toWellFormed()
      .replace(/\s*\p{Cc}+\s*/gu, ' ')
      .trim();
  const title = (typeof value === 'string' && line(value)) || line(otherwise);
  return title.slice(0, MAX_TITLE).replace(/[\ud800-\udbff]$/, '');
}

function typeOf(value: unknown): string {
  return typeof value === 'string' && TYPE.test(value) ? value : ANY_TYPE;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
