/**
 * Move a note, document, attachment or whole folder, with every link that would break. Danger: this writes many notes
 * for one call. All of them are locked together, the intent is on the disk before anything changes, the file goes
 * first and the links follow; a link that cannot follow is named in the answer, and never guessed.
 */
import { AppError, toAppError } from '@vault-mcp/shared/errors';
import type { PathClaim } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { RenameResult } from '@vault-mcp/shared/vault/write';
import { z } from 'zod';
import type { MemoryParts, WriteContext } from '../context.ts';
import { announceMove, type MoveNews } from './announce-move.ts';
import { followLinks } from './follow-links.ts';
import type { IndexedState } from './index-news.ts';
import { waitingOf } from './index-news.ts';
import type { LeftBehind } from './left-behind.ts';
import { type FollowingFile, type MoveSurvey, type SurveyOptions, surveyMove } from './move-survey.ts';
import { noteChanger } from './note-changer.ts';
import { recordChange, refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { expectedEtag, outcomeFields } from './write-input.ts';

/** How often the locks are taken anew because other notes have come to link to what moves. */
const MAX_ATTEMPTS = 5;
/** Characters of all diffs together that a dry run answers; thousands of notes may link to one. */
const MAX_DIFF_CHARS = 1_000_000;
const STOPPED = 'the server stopped in the middle: its next start makes the link follow';

export const moveEntryInput = z.strictObject({
  source: z.string().describe('The note, document, attachment or folder to move.'),
  destination: z.string().describe('Its whole new path, the suffix included. Folders are made; nothing is replaced.'),
  update_links: z
    .boolean()
    .optional()
    .describe('Make links follow. Default true; false leaves them and answers how many break.'),
  expected_etag: expectedEtag,
  ...outcomeFields,
});

export interface MoveAnswer {
  /** Both in the spelling on disk. */
  readonly source: string;
  readonly destination: string;
  readonly kind: RenameResult['kind'];
  /** Of the moved note, after its own links followed; null for what is no note, unless a version was expected. */
  readonly etag: string | null;
  readonly links_updated: number;
  /** Files whose links changed; a moved note whose own links changed is one of them. */
  readonly notes_updated: number;
  /** Links that now lead elsewhere or nowhere; only with `update_links: false`. */
  readonly links_broken?: number;
  readonly left: readonly LeftBehind[];
  /** Only for who may read a part of the vault, and then always: links in other files, if there are any, stay as they are. */
  readonly links_unseen?: true;
  /** Outermost first. */
  readonly folders_made: readonly string[];
  /** Absent in a dry run, and when the place is the same. */
  readonly indexed?: IndexedState;
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
  /** Only in a dry run: each file whose links would change, as it is called before the move. */
  readonly notes?: readonly { readonly path: string; readonly links: number }[];
  /** Only in a dry run: what would change in them, as far as it is no megabyte; it says so when it is more. */
  readonly diff?: string;
}

/** What the move operations work on. */
export type MoveContext = Omit<
  WriteContext,
  'analyzer' | 'embedder' | 'now' | 'settingFiles' | 'filesFolder' | keyof MemoryParts
>;

/** A move that has happened. */
interface DoneMove extends MoveNews {
  readonly answer: MoveAnswer;
}

/** What the locks are taken for: checked, but not done. */
interface Move {
  readonly checked: RenameResult;
  readonly expectedEtag: string | undefined;
}

/**
 * @throws AppError `out_of_scope` (a read-only server; a request that is confined to a note or folder moves nothing),
 * `invalid_path`, `kind_change`, `not_found`, `precondition_failed`, `already_exists`, `invalid_request` for an etag of
 * a folder, `locked`, `insufficient_storage`; nothing is changed then. Once the file has moved nothing is thrown: what
 * goes wrong with a link is in `left`.
 */
export async function moveEntry(
  context: MoveContext,
  input: z.infer<typeof moveEntryInput>,
  request: WriteRequest,
): Promise<MoveAnswer> {
  refuseWhenReadOnly(context);
  refuseWhenConfined(request);
  const moved = await checkAndMove(context, input, request);
  return context.vault.access.readRules === null ? moved : { ...moved, links_unseen: true };
}

async function checkAndMove(
  context: MoveContext,
  input: z.infer<typeof moveEntryInput>,
  request: WriteRequest,
): Promise<MoveAnswer> {
  const move = await checkMove(context, input);
  const updateLinks = input.update_links ?? true;
  const { source, destination } = move.checked;
  if (source === destination) return answer(move.checked, NOTHING, input.dry_run);
  if (input.dry_run) return planMove(context, move, updateLinks);
  const done = updateLinks ? await moveWithLinks(context, move) : await moveAlone(context, move);
  // After the locks: nobody has to wait for the index with this call.
  recordChange(context, 'move-entry', request, touchedBy(done));
  const indexed = await announceMove(context, done, { ...input, ...waitingOf(request) });
  return { ...done.answer, indexed };
}

/** Everything a move wrote, by its old and its new name. */
function touchedBy({ movedFiles, relocation, written }: DoneMove): VaultPath[] {
  const moved = movedFiles.flatMap((path) => [path, relocation.movedTo(path)]);
  return [...new Set([...moved, ...written.keys()])];
}

function refuseWhenConfined({ scope }: WriteRequest): void {
  if (scope === undefined) return;
  const message = `This request may change "${shown(scope)}" only, and a move changes other notes too. Report that; do not retry elsewhere.`;
  throw new AppError('out_of_scope', message);
}

async function checkMove({ writer }: MoveContext, input: z.infer<typeof moveEntryInput>): Promise<Move> {
  const [source, destination] = [parseVaultPath(input.source), parseVaultPath(input.destination)];
  const expectedEtag = input.expected_etag;
  const intoFolder = input.destination.trimEnd().endsWith('/');
  const checked = await writer.rename(source, destination, { expectedEtag, intoFolder, dryRun: true });
  if (checked.kind === 'folder' && expectedEtag !== undefined) {
    const message = `"${shown(checked.source)}" is a folder, and folders have no etag: leave expected_etag out.`;
    throw new AppError('invalid_request', message);
  }
  return { checked, expectedEtag };
}

function survey(context: MoveContext, { checked }: Move, options?: SurveyOptions): Promise<MoveSurvey> {
  return surveyMove(context, checked.source, checked.destination, options);
}

/** The answer of a dry run. */
async function planMove(context: MoveContext, move: Move, updateLinks: boolean): Promise<MoveAnswer> {
  let [diff, leftOut] = ['', 0];
  const onChange = async (path: string, before: string, after: string) => {
    const next = diff.length < MAX_DIFF_CHARS ? await noteChanger.diff({ path, before, after }) : '';
    if (next !== '' && diff.length + next.length <= MAX_DIFF_CHARS) diff += next;
    else leftOut++;
  };
  const planned = await survey(context, move, updateLinks ? { onChange } : {});
  const nothing = { notes: [], diff: '' };
  const { carried: left } = planned;
  if (!updateLinks)
    return { ...answer(move.checked, { ...NOTHING, left }, true), links_broken: planned.breaking, ...nothing };
  const notes = planned.following.map(({ path, lines }) => ({ path, links: lines.length }));
  const links = notes.reduce((sum, note) => sum + note.links, 0);
  const remark = leftOut === 0 ? '' : `(The diffs of ${leftOut} more files are left out; "notes" names them.)\n`;
  const all = { links, files: notes.length, left: [...planned.left, ...left] };
  return { ...answer(move.checked, all, true), notes, diff: diff + remark };
}

async function moveAlone(context: MoveContext, move: Move): Promise<DoneMove> {
  const planned = await survey(context, move);
  const done = await context.writer.holding(claimsFor(move.checked, new Set()), (writer) =>
    moveHeld({ ...context, writer }, move, { ...planned, following: [], left: [] }),
  );
  return { ...done, answer: { ...done.answer, links_broken: planned.breaking } };
}

async function moveWithLinks(context: MoveContext, move: Move): Promise<DoneMove> {
  let planned = await survey(context, move);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const held = new Set(planned.following.map(({ path }) => path));
    const earlier = planned;
    const done = await context.writer.holding(claimsFor(move.checked, held), async (writer) => {
      // While this waited for its turn, others wrote: what is done is what is right now.
      planned = await survey(context, move, { earlier });
      const isHeld = ({ path, pathAfter }: FollowingFile) => held.has(path) || path !== pathAfter;
      return planned.following.every(isHeld) ? moveHeld({ ...context, writer }, move, planned) : null;
    });
    if (done !== null) return done;
  }
  throw new AppError(
    'locked',
    `Notes that link to "${shown(move.checked.source)}" keep changing. Nothing was moved: try again in a moment.`,
  );
}

/** What moves lies in the two trees; each other file that is written has a claim of its own. */
function claimsFor({ source, destination, madeFolders }: RenameResult, files: ReadonlySet<VaultPath>): PathClaim[] {
  const elsewhere = [...files].filter((path) => path !== source && !path.startsWith(`${source}/`));
  const single = [...new Set([...madeFolders, ...elsewhere])];
  return [{ path: source, tree: true }, { path: destination, tree: true }, ...single.map((path) => ({ path }))];
}

/** The move itself, under all its locks. */
async function moveHeld(context: MoveContext, move: Move, planned: MoveSurvey): Promise<DoneMove> {
  const { writer, locks, moveIntents } = context;
  const { source, destination, kind } = move.checked;
  const files = planned.following.map(({ path, etagBefore, etagAfter }) => ({ path, etagBefore, etagAfter }));
  const { readable } = planned.relocation;
  const intent = await moveIntents.begin({ owner: locks.owner, source, destination, kind, files, readable });
  try {
    const renamed = await writer.rename(source, destination, { expectedEtag: move.expectedEtag });
    const followed = await followAll(context, planned);
    const etag = followed.etags.get(renamed.destination) ?? renamed.etag;
    const { movedFiles, relocation } = planned;
    return {
      ...{ movedFiles, relocation, written: followed.etags },
      answer: answer(
        { ...renamed, etag },
        { ...followed, left: [...planned.left, ...followed.left, ...planned.carried] },
      ),
    };
  } finally {
    // A server that stopped in the middle leaves the rest to its next start.
    if (locks.isAlive(locks.owner))
      await moveIntents.end(intent).catch((error: unknown) => {
        context.log.warn({ err: error, source, destination }, 'a finished move is still recorded as begun');
      });
  }
}

interface Followed {
  readonly links: number;
  readonly files: number;
  readonly left: readonly LeftBehind[];
  /** Of each file that was written, by its path after the move. */
  readonly etags: ReadonlyMap<VaultPath, string>;
}

const NOTHING = { links: 0, files: 0, left: [] };

/** Never throws: the file has moved, and the caller has to hear what became of each link. */
async function followAll(
  { writer, locks, log }: MoveContext,
  { following, relocation }: MoveSurvey,
): Promise<Followed> {
  let [links, files] = [0, 0];
  const left: LeftBehind[] = [];
  const etags = new Map<VaultPath, string>();
  for (const file of following) {
    const path = file.pathAfter;
    try {
      const followed = await followLinks(writer, file, relocation, true);
      for (const one of followed.left) left.push({ path, ...one });
      if (followed.links === 0) continue;
      links += followed.links;
      files++;
      etags.set(path, followed.etag);
    } catch (error) {
      log.warn({ err: error, path }, 'links could not follow a move');
      const reason = locks.isAlive(locks.owner) ? toAppError(error).message : STOPPED;
      for (const line of file.lines) left.push({ path, line, reason });
    }
  }
  return { links, files, left, etags };
}

function answer(
  { source, destination, kind, etag, madeFolders }: RenameResult,
  { links, files, left }: Pick<Followed, 'links' | 'files' | 'left'>,
  dryRun = false,
): MoveAnswer {
  const counts = { links_updated: links, notes_updated: files };
  const common = { source, destination, kind, etag, ...counts, left, folders_made: madeFolders };
  return dryRun ? { ...common, dry_run: true } : common;
}
