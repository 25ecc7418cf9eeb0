/**
 * What a consolidation found and did, as text: what needs somebody first, then each cluster, then what was only met. Pure.
 * Danger: titles, paths and merged bodies are others' text, so each stands on one line or is indented: none can pass for a line
 * of ours.
 */
import type { ReportedCluster } from '../memory/consolidate/consolidate.ts';
import type { ConsolidateAnswer } from '../operations/consolidate.ts';
import { forTerminal, oneLine } from './one-line.ts';

/** Clusters written out. */
const SHOWN_CLUSTERS = 50;
/** Notes of a cluster, pairs across folders and notes without vectors that are written out. */
const SHOWN = 20;
/** Characters of a merged body that are shown of a run that writes nothing. */
const SHOWN_BODY = 2_000;

/** Whether something is left that a person has to see to. */
export function needsPerson({ errors, unmarked, index_error: indexError }: ConsolidateAnswer): boolean {
  return errors.length > 0 || unmarked.length > 0 || indexError !== null;
}

/** @param surface what is said of the next call is for */
export function consolidationText(answer: ConsolidateAnswer, surface: 'rest' | 'cli' = 'rest'): string {
  const blocks = [
    summary(answer),
    troubles(answer),
    ...answer.clusters.slice(0, SHOWN_CLUSTERS).map((cluster) => clusterLines(cluster, answer.dry_run)),
    more(answer.clusters.length, SHOWN_CLUSTERS, 'cluster'),
    crossLines(answer.cross_namespace),
    withoutVectorLines(answer.without_vector),
    nextLines(answer, surface),
  ];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

function summary(answer: ConsolidateAnswer): string[] {
  const { clusters, compared, superseded, ceiling, merger_calls: calls, remaining, dry_run: isDry } = answer;
  const before = superseded === 0 ? '' : `, and ${superseded} superseded left out`;
  return [
    `Compared ${counted(compared, 'note')}${before}: ${counted(clusters.length, 'cluster')} within ${ceiling} of one another.`,
    ...(calls === 0 ? [] : [`The chat model was asked about ${counted(calls, 'cluster')}.`]),
    isDry ? 'Nothing was changed.' : `Merged ${clusters.length - remaining}, ${remaining} left.`,
  ];
}

const DEGRADED: Readonly<Record<ConsolidateAnswer['degraded'][number], string>> = {
  index_building: 'the index is still being built',
  vectors_pending: 'notes have no vector yet',
};

function troubles({ errors, unmarked, degraded, index_error: indexError }: ConsolidateAnswer): string[] {
  return [
    ...degraded.map((why) => `Clusters may be missing: ${DEGRADED[why]}.`),
    ...errors.map(({ code, message, members }) => `Not merged (${code}): ${members.join(', ')}. ${message}`),
    ...unmarked.map(({ path, reason }) => `Left as it is: ${path}: ${reason}`),
    ...(indexError === null ? [] : [`The index is brought up to date later: ${indexError}`]),
  ].map(oneLine);
}

function clusterLines(
  { namespace, members, diameter, proposed, path, error }: ReportedCluster,
  isDry: boolean,
): string[] {
  const place = namespace === '' ? 'the root' : namespace;
  const isMade = error === undefined && path !== undefined && !isDry;
  return [
    oneLine(`${counted(members.length, 'note')} in ${place}, at most ${diameter.toFixed(3)} apart:`),
    ...members.slice(0, SHOWN).map((member) => oneLine(`  ${member.path} | ${member.title}`)),
    ...more(members.length, SHOWN, 'note').map((line) => `  ${line}`),
    ...(proposed === undefined || path === undefined
      ? []
      : [oneLine(`  ${isMade ? 'became' : 'would become'} ${path} | ${proposed.title}`)]),
    ...(proposed === undefined || isMade ? [] : indented(proposed.body)),
  ];
}

function indented(body: string): string[] {
  const text = body.length > SHOWN_BODY ? `${body.slice(0, SHOWN_BODY)}…` : body;
  return forTerminal(text)
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`);
}

function crossLines({ total, first }: ConsolidateAnswer['cross_namespace']): string[] {
  if (total === 0) return [];
  return [
    `Near one another in different folders, which are never merged: ${counted(total, 'pair')}.`,
    ...first.slice(0, SHOWN).map(({ a, b, distance }) => oneLine(`  ${distance.toFixed(3)}  ${a} | ${b}`)),
    ...more(total, SHOWN, 'pair').map((line) => `  ${line}`),
  ];
}

function withoutVectorLines({ total, first }: ConsolidateAnswer['without_vector']): string[] {
  if (total === 0) return [];
  return [
    `Not compared, without vectors: ${counted(total, 'note')}.`,
    ...first.slice(0, SHOWN).map((path) => oneLine(`  ${path}`)),
    ...more(total, SHOWN, 'note').map((line) => `  ${line}`),
  ];
}

function nextLines(
  { clusters, remaining, dry_run: isDry, merger_calls: calls }: ConsolidateAnswer,
  surface: 'rest' | 'cli',
): string[] {
  if (clusters.length === 0 || remaining === 0) return [];
  if (!isDry) return calls > 0 ? ['The same call without merges goes on with those that are left.'] : [];
  return [
    `To make each cluster one note: ${WRITING[surface]}. Without merges the chat model writes them (gate.model).`,
  ];
}

const WRITING = {
  rest: '"write": true, with "merges" that you have written',
  cli: '--write, with --merges FILE that you have written',
};

function more(count: number, shown: number, noun: string): string[] {
  return count > shown ? [`… and ${counted(count - shown, `more ${noun}`)}`] : [];
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
