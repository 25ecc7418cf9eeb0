/** The questions about what stands in the notes, and their answers as plain data. Pure. */
import type { Callout } from '@vault-mcp/shared/vault/note/callouts';
import type { NoteContent, RepeatedHeading } from './note-content.ts';

/** Every callout. */
export interface CalloutsQuestion {
  readonly about: 'callouts';
}

/** What is wrong with single notes. */
export interface NoteProblemsQuestion {
  readonly about: 'note-problems';
}

export type ContentQuestion = CalloutsQuestion | NoteProblemsQuestion;

/** In the order of the notes' paths, then as they stand there. */
export type CalloutsAnswer = readonly (Callout & { readonly note: string })[];

export interface NoteProblemsAnswer {
  readonly unusableFrontmatter: readonly { readonly path: string; readonly error: string }[];
  readonly repeatedHeadings: readonly (RepeatedHeading & { readonly note: string })[];
  readonly badExpires: readonly { readonly path: string; readonly problem: string }[];
}

export interface ContentAnswers {
  readonly callouts: CalloutsAnswer;
  readonly 'note-problems': NoteProblemsAnswer;
}

export interface ReadNote {
  readonly path: string;
  readonly derived: NoteContent;
}

export function isAboutContent(question: { readonly about: string }): question is ContentQuestion {
  return question.about === 'callouts' || question.about === 'note-problems';
}

/** @param notes in the order of their paths, which is that of every list in the answer */
export function surveyContent(
  notes: readonly ReadNote[],
  { about }: ContentQuestion,
): CalloutsAnswer | NoteProblemsAnswer {
  return about === 'callouts' ? calloutsOf(notes) : problemsOf(notes);
}

function calloutsOf(notes: readonly ReadNote[]): CalloutsAnswer {
  return notes.flatMap(({ path, derived }) => derived.callouts.map((callout) => ({ note: path, ...callout })));
}

function problemsOf(notes: readonly ReadNote[]): NoteProblemsAnswer {
  return {
    unusableFrontmatter: notes.flatMap(({ path, derived: { frontmatterError: error } }) =>
      error === undefined ? [] : [{ path, error }],
    ),
    repeatedHeadings: notes.flatMap(({ path, derived }) =>
      derived.repeatedHeadings.map((repeated) => ({ note: path, ...repeated })),
    ),
    badExpires: notes.flatMap(({ path, derived }) => derived.expiryProblems.map((problem) => ({ path, problem }))),
  };
}
