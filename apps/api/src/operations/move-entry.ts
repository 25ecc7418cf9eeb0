/**
 * Move a note, document, attachment or whole folder, with every link that would break. Danger: this writes many notes
 * for one call. All of them are locked together, the intent is on the disk before anything changes, the file goes
 * first and the links follow; a link that cannot follow is named in the answer, and never guessed.
 */
import { AppError, toAppError } from '@vault-mcp/shared/errors';
import type { MoveIntents } from '@vault-mcp/shared/records/move-intents';
import type { PathClaim, PathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { RenameResult, VaultWriter } from '@vault-mcp/shared/vault/write';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { announceMove } from './announce-move.ts';
import { followLinks } from './follow-links.ts';
import { type FollowingFile, type LeftBehind, type MoveSurvey, surveyMove } from './move-survey.ts';

/** How often the locks are taken anew because other notes have come to link to what moves. */
const MAX_ATTEMPTS = 5;

export const moveEntryInput = z.strictObject({
  source: z.string().describe('The note, document, attachment or folder to move.'),
  destination: z.string().describe('Its whole new path, the suffix included. Folders are made; nothing is replaced.'),
  update_links: z
    .boolean()
    .optional()
    .describe('Make links follow. Default true; false leaves them and answers how many break.'),
  expected_etag: z.string().optional().describe('Refuse unless the file is this version. For files only.'),
  dry_run: z.boolean().optional().describe('Check everything and answer what would change, changing nothing.'),
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
  /** Outermost first. */
  readonly folders_made: readonly string[];
  /** In a dry run: each file whose links would change, as it is called before the move. */
  readonly notes?: readonly { readonly path: string; readonly links: number }[];
  readonly dry_run?: true;
}

/** What the move operations work on. */
export interface MoveContext extends Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log' | 'queue'> {
  readonly writer: VaultWriter;
  readonly locks: Pick<PathLocks, 'owner' | 'isAlive'>;
  readonly moveIntents: MoveIntents;
}

/** What the locks are taken for: checked, but not done. */
interface Move {
  readonly checked: RenameResult;
  readonly expectedEtag: string | undefined;
}

/**
 * @throws AppError in the writer's order: `not_found`, `invalid_path`, `kind_change`, `precondition_failed`,
 * `already_exists`, `locked`, `insufficient_storage`; nothing is changed then. Once the file has moved nothing is
 * thrown: what goes wrong with a link is in `left`.
 */
export async function moveEntry(context: MoveContext, input: z.infer<typeof moveEntryInput>): Promise<MoveAnswer> {
  const [source, destination] = [parseVaultPath(input.source), parseVaultPath(input.destination)];
  const expectedEtag = input.expected_etag;
  const checked = await context.writer.rename(source, destination, { expectedEtag, dryRun: true });
  if (checked.kind === 'folder' && expectedEtag !== undefined) {
    const message = `"${shown(checked.source)}" is a folder, and folders have no etag: leave expected_etag out.`;
    throw new AppError('invalid_request', message);
  }
  const move: Move = { checked, expectedEtag };
  const updateLinks = input.update_links ?? true;
  if (checked.source === checked.destination) return answer(checked, { links: 0, files: 0, left: [] }, input.dry_run);
  if (input.dry_run) return plannedAnswer(checked, await survey(context, move), updateLinks);
  return updateLinks ? moveWithLinks(context, move) : moveAlone(context, move);
}

function survey(context: MoveContext, { checked }: Move, earlier?: MoveSurvey): Promise<MoveSurvey> {
  return surveyMove(context, checked.source, checked.destination, earlier);
}

function plannedAnswer(checked: RenameResult, planned: MoveSurvey, updateLinks: boolean): MoveAnswer {
  const { following, left, breaking } = planned;
  if (!updateLinks) {
    return { ...answer(checked, { links: 0, files: 0, left: [] }, true), links_broken: breaking, notes: [] };
  }
  const notes = following.map(({ path, lines }) => ({ path, links: lines.length }));
  const links = notes.reduce((sum, note) => sum + note.links, 0);
  return { ...answer(checked, { links, files: notes.length, left }, true), notes };
}

async function moveAlone(context: MoveContext, move: Move): Promise<MoveAnswer> {
  const planned = await survey(context, move);
  const done = await context.writer.holding(claimsFor(move.checked, new Set()), (writer) =>
    moveHeld({ ...context, writer }, move, { ...planned, following: [], left: [] }),
  );
  return { ...done, links_broken: planned.breaking };
}

async function moveWithLinks(context: MoveContext, move: Move): Promise<MoveAnswer> {
  let planned = await survey(context, move);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const held = new Set(planned.following.map(({ path }) => path));
    const before = planned;
    const done = await context.writer.holding(claimsFor(move.checked, held), async (writer) => {
      // While this waited for its turn, others wrote: what is done is what is right now.
      planned = await survey(context, move, before);
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
async function moveHeld(context: MoveContext, move: Move, planned: MoveSurvey): Promise<MoveAnswer> {
  const { writer, locks, moveIntents } = context;
  const { source, destination, kind } = move.checked;
  const files = planned.following.map(({ path, etagBefore, etagAfter }) => ({ path, etagBefore, etagAfter }));
  const intent = await moveIntents.begin({ owner: locks.owner, source, destination, kind, files });
  try {
    const renamed = await writer.rename(source, destination, { expectedEtag: move.expectedEtag });
    const followed = await followAll(context, planned);
    await announceMove(context, planned, followed.written);
    const etag = followed.etags.get(renamed.destination) ?? renamed.etag;
    return answer({ ...renamed, etag }, { ...followed, left: [...planned.left, ...followed.left] });
  } finally {
    await moveIntents.end(intent).catch((error: unknown) => {
      context.log.warn({ err: error, source, destination }, 'a finished move is still recorded as begun');
    });
  }
}

interface Followed {
  readonly links: number;
  readonly files: number;
  readonly left: readonly LeftBehind[];
  readonly written: readonly VaultPath[];
  /** By the path after the move. */
  readonly etags: ReadonlyMap<string, string>;
}

/** Never throws: the file has moved, and the caller has to hear what became of each link. */
async function followAll({ writer, log }: MoveContext, { following, relocation }: MoveSurvey): Promise<Followed> {
  let [links, files] = [0, 0];
  const left: LeftBehind[] = [];
  const written: VaultPath[] = [];
  const etags = new Map<string, string>();
  for (const file of following) {
    const path = file.pathAfter;
    try {
      const followed = await followLinks(writer, file, relocation, true);
      for (const one of followed.left) left.push({ path, ...one });
      etags.set(path, followed.etag);
      if (followed.links === 0) continue;
      links += followed.links;
      files++;
      written.push(path);
    } catch (error) {
      log.warn({ err: error, path }, 'links could not follow a move');
      for (const line of file.lines) left.push({ path, line, reason: toAppError(error).message });
    }
  }
  return { links, files, left, written, etags };
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
