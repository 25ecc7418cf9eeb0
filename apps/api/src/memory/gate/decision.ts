/**
 * A decision, held against what was shown. Pure. Danger: this is where a decider is not trusted: nothing is changed that it was
 * not shown, that the caller may not change, or whose text would be gone without anybody having said what stands there instead.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { pathKey } from '@vault-mcp/shared/vault/path';
import { readDecision } from '../chat/decision-answer.ts';
import type { Candidate, Decision, FellBack, SimilarNote } from '../types.ts';
import type { Touch } from './target-rights.ts';

/** Who decides: the agent that proposes, which can be asked again, or a chat model. */
export type Decider = 'agent' | 'model';

export type Ruling =
  | { readonly action: 'create'; readonly fellBack: FellBack | null }
  | { readonly action: 'discard' }
  | { readonly action: 'supersede'; readonly target: SimilarNote }
  | { readonly action: 'update'; readonly target: SimilarNote; readonly change: TextChange };

/** What an update does to the target's text. */
export interface TextChange {
  readonly how: 'replace' | 'append';
  readonly content: string;
  /** Only the section under this heading. */
  readonly section?: string | undefined;
}

/** @throws AppError `invalid_value` */
export function parseDecision(value: unknown): Decision {
  const read = readDecision(value);
  if ('value' in read) return read.value;
  throw new AppError(
    'invalid_value',
    `The decision cannot be used. ${read.problem} Send it again with the same token.`,
  );
}

/** The note that a decision means, if it was shown. */
export function targetOf({ target }: Decision, seen: readonly SimilarNote[]): SimilarNote | undefined {
  if (target === undefined) return undefined;
  const key = pathKey(target.trim());
  return seen.find(({ path }) => pathKey(path) === key);
}

/**
 * @param touch what may become of the decision's target
 * @throws AppError `invalid_value` where an agent has to say more
 */
export function checkDecision(
  decision: Decision,
  candidate: Candidate,
  seen: readonly SimilarNote[],
  touch: Touch,
  who: Decider,
): Ruling {
  const { action } = decision;
  if (action === 'discard') return { action };
  if (action === 'create') return { action, fellBack: null };
  const target = targetOf(decision, seen);
  if (target === undefined) return { action: 'create', fellBack: 'unknown_target' };
  const onlyAdds = action === 'update' && decision.append !== undefined;
  if (touch === 'none' || (touch === 'append' && !onlyAdds)) return { action: 'create', fellBack: 'read_only_target' };
  if (action === 'supersede') return { action, target };
  const change = changeOf(decision, candidate, target, who);
  return change === null ? { action: 'create', fellBack: 'would_lose_text' } : { action, target, change };
}

/** Null where text would be lost. @throws AppError `invalid_value` for an agent's */
function changeOf(
  { body, append, section }: Decision,
  candidate: Candidate,
  target: SimilarNote,
  who: Decider,
): TextChange | null {
  const blank = append?.trim() === '' ? 'append' : body?.trim() === '' ? 'body' : null;
  if (blank !== null) {
    return lostBy(who, `The "${blank}" is empty: send what is to stand there, and the same token.`);
  }
  if (append !== undefined) return { how: 'append', content: append, section };
  // What nobody was shown more of than the beginning, nobody can write anew.
  const isCut = section === undefined && target.truncated === true;
  if (body !== undefined) return isCut ? lostBy(who, SHOWN_A_PART) : { how: 'replace', content: body, section };
  const isBlank = target.body.trim() === '' && target.truncated !== true;
  if (isBlank && section === undefined) return { how: 'replace', content: candidate.body };
  return lostBy(who, SAYS_NOTHING);
}

/** Null by a model, which is not asked again. @throws AppError `invalid_value` for an agent's */
function lostBy(who: Decider, message: string): null {
  if (who === 'model') return null;
  throw new AppError('invalid_value', message);
}

const SAYS_NOTHING =
  'An update says what is to stand in the note: send "body" with all of its new text, or "append" with what is to be added, and the same token.';
const SHOWN_A_PART =
  'You were shown only a part of that note: send "append", or "body" with "section", or read it whole with vault_read first and send a section.';
