/**
 * The questions that are asked of every note at once, and their answers as plain data. Pure: what the notes are comes from
 * whoever read them.
 */
import { isGeneratedPage } from '@vault-mcp/shared/vault/index-page';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import type { ContentAnswers, ContentQuestion } from './content-survey.ts';
import type { ExpiryDate } from './expiry.ts';
import { holdsValue } from './frontmatter-match.ts';
import type { NearDuplicatesAnswer } from './near-duplicates.ts';
import type { NoteFacts } from './note-facts.ts';
import type { LinksAnswer, LinksQuestion } from './read-links.ts';

/** Which notes have a key, or a value under it. */
export interface FrontmatterQuestion {
  readonly about: 'frontmatter';
  readonly key: string;
  readonly value?: string | undefined;
}

/** What runs out, whenever that is. */
export interface ExpiriesQuestion {
  readonly about: 'expiries';
  /** Whether the notes that say nothing of the matter are named, not only counted. */
  readonly untracked: boolean;
}

/** Which notes say nearly the same. Asks the index, not the files. */
export interface NearDuplicatesQuestion {
  readonly about: 'near-duplicates';
  readonly indexPath: string;
}

/** What the frontmatter alone answers. */
export type FactsQuestion = FrontmatterQuestion | ExpiriesQuestion;

export type SurveyQuestion = FactsQuestion | ContentQuestion | LinksQuestion | NearDuplicatesQuestion;

export interface FrontmatterAnswer {
  readonly paths: string[];
}

export interface ExpiriesAnswer {
  /** A note stands here once for each of its dates. */
  readonly dates: (ExpiryDate & { readonly path: string; readonly title: string })[];
  readonly dismissed: { readonly path: string; readonly reason: string }[];
  /** How many notes say nothing of the matter. */
  readonly untracked: number;
  /** Which; empty unless asked for. */
  readonly untrackedPaths: string[];
  readonly invalid: { readonly path: string; readonly problem: string }[];
}

export interface SurveyAnswers extends ContentAnswers {
  readonly frontmatter: FrontmatterAnswer;
  readonly expiries: ExpiriesAnswer;
  readonly links: LinksAnswer;
  readonly 'near-duplicates': NearDuplicatesAnswer;
}

/** An answer, and what it could not be asked of: notes that cannot be read, or whose frontmatter cannot. */
export interface Surveyed<A> {
  readonly answer: A;
  readonly leftOut: readonly LeftOut[];
}

export interface SurveyedNote {
  readonly path: string;
  readonly derived: NoteFacts;
}

/**
 * The index page, where it is generated, is no note and is not asked.
 *
 * @param notes in the order of their paths, which is that of every list in the answer
 */
export function survey<Q extends FactsQuestion>(
  notes: readonly SurveyedNote[],
  question: Q,
): Surveyed<SurveyAnswers[Q['about']]> {
  const unusable = notes.flatMap(({ path, derived: { error } }) =>
    error === undefined ? [] : [{ path, reason: `its frontmatter cannot be used: ${error}` }],
  );
  const usable = notes.filter(
    ({ path, derived }) => derived.error === undefined && !isGeneratedPage(path, derived.data),
  );
  const answer = question.about === 'frontmatter' ? havingValue(usable, question) : expiries(usable, question);
  return { answer: answer as SurveyAnswers[Q['about']], leftOut: unusable };
}

function havingValue(notes: readonly SurveyedNote[], { key, value }: FrontmatterQuestion): FrontmatterAnswer {
  return { paths: notes.filter(({ derived }) => holdsValue(derived.data, key, value)).map(({ path }) => path) };
}

function expiries(notes: readonly SurveyedNote[], question: ExpiriesQuestion): ExpiriesAnswer {
  const untracked = notes.filter(({ derived }) => derived.expiry === null);
  const answer: ExpiriesAnswer = {
    ...{ dates: [], dismissed: [], invalid: [] },
    untracked: untracked.length,
    untrackedPaths: question.untracked ? untracked.map(({ path }) => path) : [],
  };
  for (const { path, derived } of notes) {
    const { expiry, title = path } = derived;
    if (expiry === null) continue;
    answer.dates.push(...expiry.dates.map((date) => ({ ...date, path, title })));
    answer.invalid.push(...expiry.problems.map((problem) => ({ path, problem })));
    if (expiry.dismissed !== undefined) answer.dismissed.push({ path, reason: expiry.dismissed });
  }
  return answer;
}
