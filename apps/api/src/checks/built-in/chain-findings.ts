/** Notes whose successors lead astray, as findings. Pure. */
import type { ChainFault } from '../../links/superseded-chains.ts';
import { type Finding, findingId } from '../finding.ts';
import { type Found, foundOf } from './found.ts';

/** Of a circle or of several notes that could be meant: so many are named. */
const MAX_NAMED = 10;

export function chainFindings(faults: readonly ChainFault[]): Found {
  return foundOf(faults, 'warning', (fault) => FINDING[fault.problem](fault as never));
}

type Fault<P extends ChainFault['problem']> = Extract<ChainFault, { problem: P }>;

const FINDING: { readonly [P in ChainFault['problem']]: (fault: Fault<P>) => Finding } = {
  dangling: ({ path, written }) => ({
    ...{ id: findingId('superseded_dangling', path), code: 'superseded_dangling', severity: 'warning', path },
    message: `It says that ${quoted(written)} stands for it now, which leads nowhere.`,
    fix: NAME_IT,
  }),
  ambiguous: ({ path, written, candidates }) => ({
    ...{ id: findingId('superseded_ambiguous', path), code: 'superseded_ambiguous', severity: 'warning', path },
    message: `It says that ${quoted(written)} stands for it now, which could mean ${listed(candidates, ', ')}.`,
    fix: NAME_IT,
  }),
  self: ({ path }) => ({
    ...{ id: findingId('superseded_self', path), code: 'superseded_self', severity: 'warning', path },
    message: 'It says that it stands for itself, so search leaves it out and names no other.',
    fix: NAME_IT,
  }),
  cycle: ({ path, members }) => ({
    ...{ id: findingId('superseded_cycle', path), code: 'superseded_cycle', severity: 'warning', path },
    message: `These supersede each other in a circle, so search leaves out all of them: ${listed(members, ' → ')}.`,
    fix: 'Delete the key superseded_by in the one that holds.',
  }),
};

const NAME_IT = 'Set superseded_by to the note that holds, by its whole path as [[Folder/Note]], or delete the key.';

function quoted(written: string): string {
  const text = written.trim();
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}

function listed(paths: readonly string[], between: string): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(between)}${more}`;
}
