/**
 * Completes moves that a crash cut short; run at each start, before calls are answered. A move whose file had not gone
 * yet is forgotten: nothing of it has happened, and nobody was told that it had. Danger: links that already follow must
 * not follow twice, so a file is written only while it is, byte for byte, the one the move was planned from.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { MoveIntent } from '@vault-mcp/shared/records/move-intents';
import { readableBy } from '@vault-mcp/shared/vault/access';
import { walkLinkCandidates } from '@vault-mcp/shared/vault/link-candidates';
import { type Relocation, relocate } from '@vault-mcp/shared/vault/note/relocation';
import { gatherVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { Located } from '@vault-mcp/shared/vault/vault';
import { announceMove } from './announce-move.ts';
import { followLinks } from './follow-links.ts';
import type { MoveContext } from './move-entry.ts';

/** How far a move had come. */
type Progress = 'not-begun' | 'half-renamed' | 'renamed';

/**
 * Completes every move whose process is dead; one that fails is logged and stands for the next start.
 *
 * @returns how many were completed
 * @throws RecordOpenError; the file system's error when the intents cannot be read
 */
export async function resumeMoves(context: MoveContext): Promise<number> {
  let completed = 0;
  await context.moveIntents.sweep(context.locks);
  const standing = await context.moveIntents.standing();
  if (context.config.server.read_only) {
    if (standing.length > 0) context.log.warn({ moves: standing.length }, 'read-only: moves that were cut short wait');
    return 0;
  }
  for (const { id, intent } of standing) {
    if (context.locks.isAlive(intent.owner)) continue;
    try {
      if (await resumeMove(context, id, intent)) completed++;
    } catch (error) {
      const { source, destination } = intent;
      context.log.error({ err: error, source, destination }, 'a move that was cut short could not be completed yet');
    }
  }
  return completed;
}

async function resumeMove(context: MoveContext, id: string, intent: MoveIntent): Promise<boolean> {
  const { source, destination } = intent;
  const trees = [source, destination].map((path) => ({ path, tree: true }));
  const claims = [...trees, ...intent.files.map(({ path }) => ({ path }))];
  return context.writer.holding(claims, async (writer) => {
    // Another process that started at the same time may have done it meanwhile.
    if (!(await context.moveIntents.stands(id))) return false;
    const progress = await progressOf(context, intent);
    // Takes the old name away from a file that has both.
    if (progress === 'half-renamed') await writer.rename(source, destination, { resume: true });
    if (progress !== 'not-begun') await followRest({ ...context, writer }, intent);
    await context.moveIntents.end(id);
    context.log.info({ source, destination, progress }, 'a move that was cut short is settled');
    return progress !== 'not-begun';
  });
}

async function progressOf(context: MoveContext, { source, destination }: MoveIntent): Promise<Progress> {
  const [old, there] = [await entryAt(context, source), await entryAt(context, destination)];
  if (there === null) return 'not-begun';
  if (old === null) return 'renamed';
  if (old.kind !== 'folder' && old.stat.inode === there.stat.inode) return 'half-renamed';
  context.log.warn({ source, destination }, 'both ends of a move that was cut short are there: both are kept');
  return 'not-begun';
}

/** What stands at exactly this spelling: a move may change nothing but case or normal form. */
async function entryAt({ vault }: MoveContext, path: VaultPath): Promise<Located | null> {
  try {
    const found = await vault.locate(path, { hints: false });
    return found.path === path ? found : null;
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'not_a_directory'].includes(error.code)) return null;
    throw error;
  }
}

async function followRest(context: MoveContext, intent: MoveIntent): Promise<void> {
  const { relocation, movedFiles } = await relocationAsItWas(context, intent);
  const written = new Map<VaultPath, string>();
  for (const file of intent.files) {
    const path = relocation.movedTo(file.path);
    try {
      const { links, etag } = await followLinks(context.writer, file, relocation, false);
      if (links > 0) written.set(path, etag);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'insufficient_storage') throw error;
      context.log.warn({ err: error, path }, 'links were left behind by a move that was cut short: look at them');
    }
  }
  await announceMove(context, { relocation, movedFiles, written });
}

/** The names before the move, from those there are now: those that the mover sees. */
async function relocationAsItWas(
  { vault, config, log }: MoveContext,
  { source, destination, readable }: MoveIntent,
): Promise<{ readonly relocation: Relocation; readonly movedFiles: readonly VaultPath[] }> {
  const [names, movedFiles]: [VaultPath[], VaultPath[]] = [[], []];
  const isSeen = readableBy(readable);
  const candidates = walkLinkCandidates(vault, {
    ignore: config.index.ignore,
    always: destination,
    onProblem: ({ path, error }) => log.warn({ err: error, path }, 'a move could not look at something in the vault'),
  });
  for await (const { path, kind } of candidates) {
    const isMoved = path === destination || path.startsWith(`${destination}/`);
    const before = isMoved ? (`${source}${path.slice(destination.length)}` as VaultPath) : path;
    if (isSeen(path)) names.push(before);
    if (isMoved && kind !== 'attachment') movedFiles.push(before);
  }
  const relocation = relocate(await gatherVaultNames(names), source, destination, readable);
  return { relocation, movedFiles };
}
