/**
 * Which files have links that no longer lead where they led when they were written, by the index's rows alone: no note is
 * read. Danger: the rows may be older than the files, so nothing is written by them; `mendFile` reads each file again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexReader } from '../index-db/reader.ts';
import type { LinkingFileRow } from '../index-db/rows.ts';
import type { WalkProblem } from '../vault/link-candidates.ts';
import { walkLinkCandidates } from '../vault/link-candidates.ts';
import type { Link } from '../vault/note/model.ts';
import { gatherVaultNames } from '../vault/note/vault-names.ts';
import { nameOf, type VaultPath } from '../vault/path.ts';
import type { Vault } from '../vault/vault.ts';
import { FileHistory, type PastView } from './file-history.ts';
import { judgeLink, type RepairKind } from './repair-judge.ts';

export interface SurveyDeps {
  readonly reader: Pick<IndexReader, 'fileHistory' | 'linkingFiles'>;
  readonly vault: Vault;
  /** `index.ignore` */
  readonly ignore: readonly string[];
  /** Told of what could not be looked at: a file there is taken for gone. */
  onProblem(problem: WalkProblem): void;
}

/** A file with links that may have to be mended, or that have to be left to a person. */
export interface ConcernedFile {
  readonly path: VaultPath;
  /** What it was called when its links were written. */
  readonly was: VaultPath;
  /** Hex SHA-256 of the bytes that this was found out from; null of a canvas, of which nothing is known but its path. */
  readonly sha256: string | null;
  readonly view: PastView;
  /** What its links need; empty when all of them are left. */
  readonly kinds: ReadonlySet<RepairKind>;
  /** The last pass in which a file came or went that one of these links names. */
  readonly lastEvent: number;
}

const ROWS_PER_PAGE = 500;

/**
 * @returns by path
 * @throws AppError `not_ready` without an index; what walking the vault throws
 */
export async function surveyRepairs(deps: SurveyDeps): Promise<ConcernedFile[]> {
  // Before the walk: a file that comes after it has no row then, and one that goes is not there.
  const rows = deps.reader.fileHistory();
  const paths: VaultPath[] = [];
  const { ignore, onProblem } = deps;
  for await (const { path } of walkLinkCandidates(deps.vault, { ignore, onProblem })) paths.push(path);
  const history = new FileHistory(rows, await gatherVaultNames(paths));
  const found = await concernedNotes(deps.reader, history);
  if (rows.departed.length > 0) {
    const canvases = paths.filter((path) => path.toLowerCase().endsWith('.canvas'));
    const view = history.viewOfAll();
    const kinds = new Set<RepairKind>(['rename']);
    for (const path of canvases) found.push({ path, was: path, sha256: null, view, kinds, lastEvent: 0 });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function concernedNotes(reader: SurveyDeps['reader'], history: FileHistory): Promise<ConcernedFile[]> {
  const found: ConcernedFile[] = [];
  const views = new Map<number, PastView>();
  for (let after = 0; ; await nextTurn()) {
    const rows = reader.linkingFiles(after, ROWS_PER_PAGE);
    for (const row of rows) {
      const concerned = concernedNote(row, history, views);
      if (concerned !== null) found.push(concerned);
    }
    const last = rows.at(-1);
    if (last === undefined) return found;
    after = last.id;
  }
}

function concernedNote(row: LinkingFileRow, history: FileHistory, views: Map<number, PastView>): ConcernedFile | null {
  const path = row.path as VaultPath;
  const origin = history.originOf(path);
  const sha256 = history.sha256Of(path);
  if (origin === undefined || !sha256 || row.state === 'quarantined') return null;
  const isMoved = origin.path !== path;
  const view = views.get(origin.changed) ?? history.viewOf(origin.changed);
  views.set(origin.changed, view);
  const kinds = new Set<RepairKind>();
  let lastEvent = 0;
  for (const { form, target } of row.links) {
    const event = history.lastEvent(nameOf(target));
    if (event <= origin.changed && !isMoved) continue;
    const verdict = judgeLink({ form: form as Link['form'], target }, origin.path, view);
    if (verdict.kind === 'keep') continue;
    if (verdict.kind !== 'left') kinds.add(verdict.kind);
    lastEvent = Math.max(lastEvent, event);
  }
  if (lastEvent === 0 && kinds.size === 0) return null;
  return { path, was: origin.path, sha256, view, kinds, lastEvent };
}
