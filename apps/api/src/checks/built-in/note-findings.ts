/** What is wrong with single notes, as findings. Pure. */
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import type { NoteProblemsAnswer } from '../content-survey.ts';
import { findingId } from '../finding.ts';
import { type Found, foundOf } from './found.ts';

export function frontmatterFindings({ unusableFrontmatter }: NoteProblemsAnswer): Found {
  return foundOf(unusableFrontmatter, 'error', ({ path, error }) => ({
    ...{ id: findingId('unusable_frontmatter', path), code: 'unusable_frontmatter', severity: 'error', path },
    message: `The frontmatter cannot be used: ${error}.`,
    fix: 'Correct the YAML between the two lines of dashes; until then no key of it counts, and none can be set.',
  }));
}

/** Told apart by what is written, since a date that is put right must not change the id of the next one. */
export function expiresFindings({ badExpires }: NoteProblemsAnswer): Found {
  const seen = new Map<string, number>();
  return foundOf(badExpires, 'error', ({ path, problem }) => {
    const what = problem.replace(/^item \d+ of /, '');
    const nth = (seen.get(`${path}\0${what}`) ?? 0) + 1;
    seen.set(`${path}\0${what}`, nth);
    return {
      ...{ id: findingId('bad_expires', path, what, nth), code: 'bad_expires', severity: 'error', path },
      message: `What it says of expiring cannot be read: ${problem}.`,
      fix: 'Write a list of {date: YYYY-MM-DD, what: text}, or "none" with an expires_reason.',
    };
  });
}

export function headingFindings({ repeatedHeadings }: NoteProblemsAnswer): Found {
  return foundOf(repeatedHeadings, 'warning', ({ note: path, path: heading, lines, count }) => ({
    ...{ id: findingId('duplicate_heading', path, heading), code: 'duplicate_heading', severity: 'warning', path },
    ...(lines[0] === undefined ? {} : { line: lines[0] }),
    message: `"${heading}" stands here ${count} times (lines ${shownLines(lines, count)}), so the name means none of them.`,
    fix: 'Rename all but one of them; until then an ordinal such as "Heading[2]" tells them apart.',
  }));
}

function shownLines(lines: readonly number[], count: number): string {
  return `${lines.join(', ')}${count > lines.length ? ` and ${count - lines.length} more` : ''}`;
}

export function unreadableFindings(leftOut: readonly LeftOut[]): Found {
  return foundOf(leftOut, 'error', ({ path, reason }) => ({
    ...{ id: findingId('unreadable', path), code: 'unreadable', severity: 'error', path },
    message: `It was not read, so the other checks say nothing of it: ${reason}.`,
    fix: 'Give the server read access, split a note that is too large, or rename what nobody can name.',
  }));
}
