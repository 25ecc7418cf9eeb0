/**
 * Which files have links that no longer lead where they led when they were written, by the index's rows alone: no note is
 * read. Danger: the rows may be older than the files, so nothing is written by them; `mendFile` reads each file again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { linkingRows } from '../index-db/linking-rows.ts';
import type { IndexReader } from '../index-db/reader.ts';
import type { DatedTarget, LinkingFileRow } from '../index-db/rows.ts';
import { excludedBy } from '../vault/indexed-paths.ts';
import { type WalkProblem, walkLinkCandidates } from '../vault/link-candidates.ts';
import { type LinkTarget, meansTheSameAnywhere, targetKey } from '../vault/note/resolve-link.ts';
import { gatherVaultNames } from '../vault/note/vault-names.ts';
import { nameOf, type VaultPath } from '../vault/path.ts';
import type { Vault } from '../vault/vault.ts';
import { FileHistory, type PastView } from './file-history.ts';
import { judgeLink, type RepairKind, type Verdict } from './repair-judge.ts';

export interface SurveyDeps {
  readonly reader: Pick<IndexReader, 'fileHistory' | 'linkingFiles'>;
  readonly vault: Vault;
  /** `index.ignore` */
  readonly ignore: readonly string[];
  /** `index.exclude_dirs`: nothing is said of files in them. */
  readonly excludeDirs: readonly string[];
  /** Told of what could not be looked at: a file there is taken for gone. Names that no link can hold are not told. */
  onProblem(problem: WalkProblem): void;
}

/** A file with links that may have to be mended, or that have to be left to a person. */
export interface ConcernedFile {
  readonly path: VaultPath;
  /** What it was called when its links were written. */
  readonly was: VaultPath;
  /** Hex SHA-256 of the bytes that this was found out from; null of a canvas, of which nothing is known but its path. */
  readonly sha256: string | null;
  /** The names of now, and what became of the file itself. */
  readonly view: PastView;
  judge(link: LinkTarget): Verdict;
  /** What its links need; empty when all of them are left. */
  readonly kinds: ReadonlySet<RepairKind>;
  /** The last pass in which a file came or went that one of these links names; 0 of a canvas. */
  readonly lastEvent: number;
}

export interface SurveyOptions {
  /** Only links that name a file which came or went in this pass or later. Default: all. */
  readonly from?: number;
}

/** How long others wait for their turn at most, in milliseconds. */
const TURN_MS = 20;

/**
 * @returns by path
 * @throws AppError `not_ready` without an index; what walking the vault throws
 */
export async function surveyRepairs(deps: SurveyDeps, { from = 0 }: SurveyOptions = {}): Promise<ConcernedFile[]> {
  // Before the walk: a file that comes after it has no row then.
  const rows = deps.reader.fileHistory();
  const paths = await pathsIn(deps);
  const history = await FileHistory.of(rows, await gatherVaultNames(paths));
  const found = await concernedNotes(deps.reader, history, from);
  if (rows.departed.some(({ gone }) => gone >= from)) found.push(...canvases(deps, paths, history));
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function pathsIn({ vault, ignore, onProblem }: SurveyDeps): Promise<VaultPath[]> {
  const paths: VaultPath[] = [];
  const onReal = (problem: WalkProblem) => problem.what !== 'name' && onProblem(problem);
  for await (const { path } of walkLinkCandidates(vault, { ignore, onProblem: onReal })) paths.push(path);
  return paths;
}

function canvases({ excludeDirs }: SurveyDeps, paths: readonly VaultPath[], history: FileHistory): ConcernedFile[] {
  const isExcluded = excludedBy(excludeDirs);
  const view = history.viewOfPaths();
  const judge = (): Verdict => ({ kind: 'keep' });
  const kinds = new Set<RepairKind>(['rename']);
  return paths
    .filter((path) => path.toLowerCase().endsWith('.canvas') && !isExcluded(path))
    .map((path) => ({ path, was: path, sha256: null, view, judge, kinds, lastEvent: 0 }));
}

async function concernedNotes(
  reader: SurveyDeps['reader'],
  history: FileHistory,
  from: number,
): Promise<ConcernedFile[]> {
  const found: ConcernedFile[] = [];
  const verdicts = new Verdicts(history);
  let turnEnds = performance.now() + TURN_MS;
  for await (const row of linkingRows(reader)) {
    const concerned = concernedNote(row, history, verdicts, from);
    if (concerned !== null) found.push(concerned);
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + TURN_MS;
  }
  return found;
}

function concernedNote(
  row: LinkingFileRow,
  history: FileHistory,
  verdicts: Verdicts,
  from: number,
): ConcernedFile | null {
  const path = row.path as VaultPath;
  const life = history.lifeOf(path);
  if (life === undefined || row.state === 'quarantined') return null;
  const origin = history.originOf(path);
  const was = origin?.path ?? path;
  const dates = new Map(row.links.map((link) => [targetKey(link), origin?.changed ?? link.since]));
  const judge = (link: LinkTarget): Verdict => verdicts.of(link, was, dates.get(targetKey(link)) ?? life.changed);
  const kinds = new Set<RepairKind>();
  let lastEvent = 0;
  for (const link of row.links) {
    const event = Math.max(history.lastEvent(nameOf(link.target)), origin === undefined ? 0 : life.arrived);
    if (event < from || event <= (dates.get(targetKey(link)) ?? 0)) continue;
    const { kind } = judge(asTarget(link));
    if (kind === 'keep') continue;
    if (kind !== 'left') kinds.add(kind);
    lastEvent = Math.max(lastEvent, event);
  }
  if (lastEvent === 0) return null;
  const view = history.viewOf(origin?.changed ?? life.changed);
  return { path, was, sha256: life.knownSha256, view, judge, kinds, lastEvent };
}

/** Thousands of notes write the same link, and of a name that thousands have each look-up is long. */
class Verdicts {
  readonly #history: FileHistory;
  readonly #known = new Map<string, Verdict>();

  constructor(history: FileHistory) {
    this.#history = history;
  }

  of(link: LinkTarget, was: VaultPath, since: number): Verdict {
    const view = this.#history.viewOf(since);
    if (!meansTheSameAnywhere(link) || view.movedTo(was) !== was) return judgeLink(link, was, view);
    const key = `${since}\0${targetKey(link)}`;
    const known = this.#known.get(key) ?? judgeLink(link, was, view);
    this.#known.set(key, known);
    return known;
  }
}

function asTarget({ form, target }: DatedTarget): LinkTarget {
  return { form: form as LinkTarget['form'], target };
}
