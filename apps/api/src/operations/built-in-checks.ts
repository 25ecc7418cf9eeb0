/**
 * The checks that come with the program, on the vault as it is now: files are asked where files can answer, the index
 * where only that can. Danger: one that cannot be made must not pass for one that found nothing, so each has a status of
 * its own, with the reason.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { ListedFiles } from '@vault-mcp/shared/vault/file-list';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { fileKindOf } from '@vault-mcp/shared/vault/path';
import { chainFindings } from '../checks/built-in/chain-findings.ts';
import { BUILT_IN_CHECKS, type BuiltInName } from '../checks/built-in/descriptions.ts';
import { type DocumentProblems, documentFindings } from '../checks/built-in/document-findings.ts';
import { type Found, MAX_FINDINGS } from '../checks/built-in/found.ts';
import { FIX_LATER, linkFindings, orphanFindings } from '../checks/built-in/link-findings.ts';
import { conflictFindings, nameFindings } from '../checks/built-in/name-findings.ts';
import { nearDuplicateFindings } from '../checks/built-in/near-findings.ts';
import {
  expiresFindings,
  frontmatterFindings,
  headingFindings,
  unreadableFindings,
} from '../checks/built-in/note-findings.ts';
import type { CheckDescription } from '../checks/finding.ts';
import type { OperationContext } from '../context.ts';
import type { CurrentGraph } from '../links/current-graph.ts';
import { unseenFix } from '../links/link-fix.ts';
import type { LinkGraph } from '../links/link-graph.ts';
import { listedFiles } from '../links/listed-files.ts';
import { supersededChains } from '../links/superseded-chains.ts';
import { type LinkSomewhere, type VaultLinks, vaultLinks } from '../links/vault-links.ts';
import { type CheckOutcome, found, foundOnceBuilt, foundSoFar, indexBuilding, partlyUnread } from './check-outcome.ts';
import { linkGraph } from './link-graph.ts';
import { nearDuplicates } from './near-duplicates.ts';
import { proposeFixes } from './propose-fixes.ts';
import { surveyFolder } from './survey-folder.ts';

export type CheckContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

export interface BuiltInResult {
  readonly description: CheckDescription;
  readonly outcome: CheckOutcome;
  readonly durationMs: number;
}

/** All but the one that is about the scripts, which are run elsewhere. */
type Made = Exclude<BuiltInName, 'script_contract'>;

/** In the order of their descriptions. */
export async function runBuiltInChecks(context: CheckContext): Promise<BuiltInResult[]> {
  const parts = await Promise.all([noteChecks(context), linkChecks(context), fileChecks(context), nearCheck(context)]);
  const outcomes: Partial<Record<string, Timed>> = Object.assign({}, ...parts);
  return BUILT_IN_CHECKS.flatMap((description) => {
    const timed = outcomes[description.name];
    return timed === undefined ? [] : [{ description, ...timed }];
  });
}

type Timed = Pick<BuiltInResult, 'outcome' | 'durationMs'>;
type Part<N extends Made> = Record<N, Timed>;

function noteChecks(context: CheckContext): Promise<Part<'frontmatter' | 'expires' | 'headings' | 'unreadable'>> {
  return together(() => surveyFolder(context, '', { about: 'note-problems' }), {
    frontmatter: ({ answer, leftOut }) => found(frontmatterFindings(answer), partlyUnread(leftOut)),
    expires: ({ answer, leftOut }) => found(expiresFindings(answer), partlyUnread(leftOut)),
    headings: ({ answer, leftOut }) => found(headingFindings(answer), partlyUnread(leftOut)),
    unreadable: ({ leftOut }) => found(unreadableFindings(leftOut)),
  });
}

function linkChecks(context: CheckContext): Promise<Part<'links' | 'orphans' | 'documents' | 'superseded'>> {
  const source = async () => {
    assertIndexed(context);
    // Asked first: what is being built may be whole once the graph is there.
    const building = indexBuilding(context.reader);
    const current = await linkGraph(context);
    // Read at once: while something else is waited for, the graph may change.
    const problems = linkProblems(context, current);
    const chains = supersededChains(context.reader.supersededRows(), current.graph.names).faults();
    return { ...problems, links: await problems.links, chains, building, degraded: partlyUnread(current.leftOut) };
  };
  return together(source, {
    links: ({ links, building, degraded }) => foundSoFar(links, building, degraded),
    orphans: ({ orphans, building, degraded }) => foundOnceBuilt(orphans, building, degraded),
    superseded: ({ chains, building, degraded }) => foundSoFar(chainFindings(chains), building, degraded),
    documents: ({ unlinked, building, degraded }) =>
      foundOnceBuilt(documentFindings(documentProblems(context, unlinked)), building, [
        ...degraded,
        ...(context.reader.documentStates().pending > 0 ? (['documents_pending'] as const) : []),
      ]),
  });
}

interface LinkProblems {
  readonly version: number;
  readonly unread: CurrentGraph['unread'];
  readonly links: Promise<Found>;
  readonly orphans: Found;
  readonly unlinked: readonly string[];
}

const linksSeen = new WeakMap<LinkGraph, LinkProblems>();

/** Kept until the graph changes: a vault can have ten thousand links that lead nowhere. */
function linkProblems(context: CheckContext, current: CurrentGraph): LinkProblems {
  const { graph, unread } = current;
  const last = linksSeen.get(graph);
  if (last?.version === graph.version && last.unread === unread) return last;
  const all = vaultLinks(current, { marks: {}, limit: MAX_FINDINGS });
  const unlinked = unlinkedDocuments(context, current);
  const problems = {
    ...{ version: graph.version, unread, unlinked },
    ...{ links: fixedLinks(context, current, all), orphans: orphanFindings(all) },
  };
  linksSeen.set(graph, problems);
  // What could not be made is made anew.
  problems.links.catch(() => linksSeen.delete(graph));
  return problems;
}

/** Of each kind: nobody puts more right at once, and of a thousand each asks for half a minute of a first answer. */
const FIXED = 100;

/** The names are taken at once: what the links mean was found by these. */
async function fixedLinks(context: CheckContext, { graph }: CurrentGraph, all: VaultLinks): Promise<Found> {
  const [broken, ambiguous] = [all.broken.slice(0, FIXED), all.ambiguous.slice(0, FIXED)];
  const fixed = await proposeFixes(context, graph.names, { broken, ambiguous });
  const rest = (links: readonly LinkSomewhere[]) =>
    links.slice(FIXED).map((link) => ({ ...link, fix: unseenFix(link, FIX_LATER) }));
  return linkFindings({
    broken: [...fixed.broken, ...rest(all.broken)],
    ambiguous: [...fixed.ambiguous, ...rest(all.ambiguous)],
    counts: all.counts,
  });
}

const filesSeen = new WeakMap<ListedFiles, { readonly names: Found; readonly copies: Found }>();

function fileChecks(context: CheckContext): Promise<Part<'names' | 'conflict_copies'>> {
  const source = async () => {
    const listed = await listedFiles(context.vault, context.log);
    const seen = filesSeen.get(listed) ?? {
      names: nameFindings(listed.files),
      copies: conflictFindings([...listed.files].filter(ignoredBy(context.config.index.ignore)).sort()),
    };
    filesSeen.set(listed, seen);
    return { ...seen, degraded: partlyUnread(listed.unread) };
  };
  return together(source, {
    names: ({ names, degraded }) => found(names, degraded),
    conflict_copies: ({ copies, degraded }) => found(copies, degraded),
  });
}

function nearCheck(context: CheckContext): Promise<Part<'near_duplicates'>> {
  const { reader } = context;
  const source = async () => {
    const building = indexBuilding(reader);
    const unread = partlyUnread(reader.quarantined(1, 'note'));
    return { ...(await nearDuplicates(context)), building, unread };
  };
  return together(source, {
    near_duplicates: ({ problem, pending, building, unread, ...pairs }) => {
      if (problem !== null) return { problem };
      const degraded = [...unread, ...(pending > 0 ? (['vectors_pending'] as const) : [])];
      return foundSoFar(nearDuplicateFindings(pairs), building, degraded);
    },
  });
}

/** Several checks of one source: if that cannot be had, none of them can be made. A defect is thrown on. */
async function together<T, N extends Made>(
  source: () => Promise<T>,
  checks: Readonly<Record<N, (from: T) => CheckOutcome>>,
): Promise<Part<N>> {
  const started = performance.now();
  const names = Object.keys(checks) as N[];
  const timed = (outcome: CheckOutcome): Timed => ({ outcome, durationMs: Math.round(performance.now() - started) });
  try {
    const from = await source();
    return Object.fromEntries(names.map((name) => [name, timed(checks[name](from))])) as Part<N>;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
    const problem = error.message.replace(/\.$/, '');
    return Object.fromEntries(names.map((name) => [name, timed({ problem })])) as Part<N>;
  }
}

function assertIndexed({ reader }: CheckContext): void {
  if (reader.indexerStatus()?.state === 'ready' || reader.counts().notes > 0) return;
  throw new AppError('not_ready', 'the index is still being built, and holds nothing yet');
}

function unlinkedDocuments({ vault }: CheckContext, { graph, isExcluded }: CurrentGraph): string[] {
  const paths = [...graph.names.paths()].filter((path) => fileKindOf(path, vault.docSuffixes) === 'document');
  return paths.filter((path) => graph.into(path).size === 0 && !isExcluded(path)).sort();
}

/** Those that are still to be read have only not come to their turn. */
function documentProblems({ reader }: CheckContext, unlinked: DocumentProblems['unlinked']): DocumentProblems {
  const { first, total } = reader.textlessDocuments(MAX_FINDINGS);
  return { withoutText: first, withoutTextTotal: total, unlinked };
}
