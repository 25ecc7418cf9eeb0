/**
 * The link graph of a context. Danger: it is brought up to date by whoever asks, and changes while something else is waited
 * for, so whoever is given it reads from it at once.
 */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { OperationContext } from '../context.ts';
import { type CurrentGraph, currentGraph } from '../links/current-graph.ts';
import { surveyThreadOf } from './survey-folder.ts';

/** Why an answer about links is less than whole: folders or files could not be read. */
export const PARTLY_UNREAD = 'partly_unread' as const;

/** Folders and files that could not be read and are named in an answer: a disk that fails leaves out thousands. */
export const MAX_LEFT_OUT = 20;

/**
 * How long links of canvases and of notes outside the index are waited for: a search may be waiting, and the thread that
 * reads them be busy with something long. Then what is known of them is answered, and that it may be less than whole.
 */
const OUTSIDE_WAIT_MS = 5_000;

/** @throws AppError what `currentGraph` throws */
export function linkGraph({
  vault,
  reader,
  config,
  log,
}: Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>): Promise<CurrentGraph> {
  const { ignore, exclude_dirs: excludeDirs } = config.index;
  const request = { folder: '' as VaultPath, maxBytes: config.vault.note_max_bytes, ignore: [], readable: null };
  return currentGraph({
    ...{ vault: vault.whole, access: vault.access, reader, ignore, excludeDirs, log },
    readOutside: async (files) => {
      const thread = surveyThreadOf(vault, 'facts');
      const { answer, leftOut } = await thread.ask(request, { about: 'links', files }, OUTSIDE_WAIT_MS);
      return { ...answer, leftOut };
    },
  });
}
