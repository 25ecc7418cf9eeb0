/**
 * The questions about what stands in the notes, and their answers as plain data. Pure, but that it remembers which callouts
 * it told last: a vault can have megabytes of them, and who has them already need not be handed them again.
 */
import { randomUUID } from 'node:crypto';
import type { Callout } from '@vault-mcp/shared/vault/note/callouts';
import type { NoteContent, RepeatedHeading } from './note-content.ts';

/** Every callout. */
export interface CalloutsQuestion {
  readonly about: 'callouts';
  /** The version of the list that whoever asks has, of the same folder. */
  readonly known?: string | undefined;
}

/** What is wrong with single notes. */
export interface NoteProblemsQuestion {
  readonly about: 'note-problems';
}

export type ContentQuestion = CalloutsQuestion | NoteProblemsQuestion;

export interface CalloutsAnswer {
  /** Names this list, and no other that any thread ever told. */
  readonly version: string;
  /** In the order of the notes' paths, then as they stand there; null where it is the one that is known. */
  readonly callouts: readonly NoteCallout[] | null;
}

export interface NoteCallout extends Callout {
  /** Path of the note. */
  readonly note: string;
}

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

/** Lists whose versions are known, for callers who ask of different folders or may read different notes. */
const MAX_TOLD = 8;

/** Answers from notes that are given in the order of their paths, which is that of every list in an answer. */
export class ContentSurvey {
  readonly #own = randomUUID();
  #changes = 0;
  /** By what was asked, the last asked last. */
  readonly #told = new Map<string, { readonly version: string; readonly notes: readonly ReadNote[] }>();

  /** @param of names the folder, and the rules by which its notes were chosen */
  answer(notes: readonly ReadNote[], of: string, question: ContentQuestion): CalloutsAnswer | NoteProblemsAnswer {
    return question.about === 'callouts' ? this.#callouts(notes, of, question.known) : problemsOf(notes);
  }

  #callouts(all: readonly ReadNote[], of: string, known: string | undefined): CalloutsAnswer {
    const notes = all.filter(({ derived }) => derived.callouts.length > 0);
    const last = this.#told.get(of);
    const version = last && isSame(notes, last.notes) ? last.version : `${this.#own}:${++this.#changes}`;
    this.#remember(of, { version, notes });
    const list = () => notes.flatMap(({ path, derived }) => derived.callouts.map((each) => ({ note: path, ...each })));
    return { version, callouts: version === known ? null : list() };
  }

  #remember(of: string, told: { readonly version: string; readonly notes: readonly ReadNote[] }): void {
    this.#told.delete(of);
    this.#told.set(of, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > MAX_TOLD && oldest !== undefined) this.#told.delete(oldest);
  }
}

/** What is derived of a note is the same object for as long as the note is the same. */
function isSame(a: readonly ReadNote[], b: readonly ReadNote[]): boolean {
  return (
    a.length === b.length && a.every(({ path, derived }, at) => path === b[at]?.path && derived === b[at]?.derived)
  );
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
