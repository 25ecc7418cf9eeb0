/**
 * Asks a question of every note below a folder. Danger: it is the files that answer, not the index, so it is right before
 * there is one; files that look like copies a synchronising program made are nobody's notes and are passed over
 * (`index.ignore`), while what is only kept out of the search (`index.exclude_dirs`, `search.exclude_dirs`) is asked.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { isGeneratedFile, isIndexPagePath } from '@vault-mcp/shared/vault/index-page';
import { aKind, parseVaultPath, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import { z } from 'zod';
import { isAboutContent } from '../checks/content-survey.ts';
import type { SurveyAnswers, Surveyed, SurveyQuestion } from '../checks/survey.ts';
import { createSurveyThread, type SurveyThread } from '../checks/survey-thread.ts';
import type { OperationContext } from '../context.ts';

/** The folder that is asked, in every such call. */
export const dirInput = z.string().default('').describe('Only notes below this folder; empty for the whole vault.');

/**
 * What a thread remembers belongs to the vault, which lives as long as the program does. Whole notes take many times as
 * long to read as their frontmatter, so questions about those have a thread of their own and hold nobody else up.
 */
const threads = {
  facts: new WeakMap<Vault, SurveyThread>(),
  contents: new WeakMap<Vault, SurveyThread>(),
  vectors: new WeakMap<Vault, SurveyThread>(),
};

/**
 * Whole notes are parsed, and the first time all of them: a hundred a second on a busy machine, which the first answer about
 * vectors may take as well. 5 MB of headings, the worst that a note can be, take 300 MB meanwhile.
 */
const LIMITS = {
  facts: {},
  contents: { waitMs: 120_000, maxMb: 448 },
  vectors: { waitMs: 120_000 },
} as const;

/**
 * @param dir a folder as the caller wrote it
 * @throws AppError not_found, not_a_directory, invalid_path, unreadable: of the folder; what is in it and cannot be read is
 * in `leftOut`; not_ready, note_too_large: what the thread refuses
 */
export async function surveyFolder<Q extends SurveyQuestion>(
  { vault, config }: Pick<OperationContext, 'vault' | 'config'>,
  dir: string,
  question: Q,
): Promise<Surveyed<SurveyAnswers[Q['about']]>> {
  const folder = await locateFolder({ vault }, dir);
  const request = {
    folder,
    maxBytes: config.vault.note_max_bytes,
    ignore: config.index.ignore,
    readable: vault.access.readRules,
  };
  const surveyed = await surveyThreadOf(vault, isAboutContent(question) ? 'contents' : 'facts').ask(request, question);
  return (await leavesOutPage(vault, surveyed.leftOut))
    ? { ...surveyed, leftOut: surveyed.leftOut.filter(({ path }) => !isIndexPagePath(path)) }
    : surveyed;
}

/** Of many notes the generated index page is larger than a note may be; it is left out of such answers anyway. */
async function leavesOutPage(vault: Vault, leftOut: readonly LeftOut[]): Promise<boolean> {
  const page = leftOut.find(({ path }) => isIndexPagePath(path));
  if (page === undefined) return false;
  try {
    return await isGeneratedFile(vault, page.path as VaultPath);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal_error') return false;
    throw error;
  }
}

/**
 * @param dir a folder as the caller wrote it
 * @returns its path in the spelling on disk
 * @throws AppError not_found, not_a_directory, invalid_path, unreadable
 */
export async function locateFolder({ vault }: Pick<OperationContext, 'vault'>, dir: string): Promise<VaultPath> {
  const { kind, path } = await vault.locate(parseVaultPath(dir));
  if (kind === 'folder') return path;
  const message = `"${shown(path)}" is ${aKind(kind)}, not a folder: name the folder it is in.`;
  throw new AppError('not_a_directory', message);
}

/** The one thread of a vault for such questions; started by the first of them. */
export function surveyThreadOf(vault: Vault, about: keyof typeof threads): SurveyThread {
  const kept = threads[about];
  const { whole } = vault;
  const thread = kept.get(whole) ?? createSurveyThread(whole.root, LIMITS[about]);
  kept.set(whole, thread);
  return thread;
}
