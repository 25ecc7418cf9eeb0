/**
 * Doctor's part in mending links after renames by other programs: what could be written with certainty, or writing it.
 * Danger: with `write` it changes notes, each under its lock and only as it was indexed; a file that cannot be changed is
 * itself a finding.
 */
import { type AppError, toAppError } from '@vault-mcp/shared/errors';
import { type Mending, mendFile, proposeMending } from '@vault-mcp/shared/link-repair/mend-file';
import type { RepairKind } from '@vault-mcp/shared/link-repair/repair-judge';
import { type ConcernedFile, surveyRepairs } from '@vault-mcp/shared/link-repair/survey';
import type { Logger } from '@vault-mcp/shared/log';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault, type Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { type Finding, NAMED } from './findings.ts';
import type { LinkContext } from './link-findings.ts';

const KINDS: ReadonlySet<RepairKind> = new Set(['qualify', 'rename']);

/** What is to be done about links whose files were renamed, or whose names were taken. */
export interface MendedLinks {
  readonly findings: readonly Finding[];
  /** Links that are left to a person, with the reason: most of them lead nowhere now, or could mean several files. */
  readonly left: readonly Finding[];
  /** Whether any file was changed. */
  readonly written: boolean;
}

/**
 * Of an index that has been brought up to date.
 *
 * @param write false: only says what would be written
 */
export async function mendLinks({ config, reader, log }: LinkContext, write: boolean): Promise<MendedLinks> {
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const unread: string[] = [];
  const surveyed = await surveyRepairs({
    ...{ reader, vault, ignore: config.index.ignore, excludeDirs: config.index.exclude_dirs },
    onProblem: ({ path }) => unread.push(path),
  });
  if (unread.length > 0) {
    return { findings: surveyed.length === 0 ? [] : [partlyUnread(unread)], left: [], written: false };
  }
  const noteMaxBytes = config.vault.note_max_bytes;
  const each = { log, done: write ? 'written' : 'proposed' } as const;
  if (!write) return mendEach(surveyed, each, (file) => proposeMending(vault, file, KINDS, noteMaxBytes));
  const locks = await openPathLocks(config.data.path, { logger: log });
  try {
    const writer = createVaultWriter(vault, { locks, noteMaxBytes });
    return await mendEach(surveyed, each, (file) => writeOrPropose(vault, writer, file, noteMaxBytes));
  } finally {
    locks.close();
  }
}

/** Where all are left there is nothing to write, so no lock is needed, nor permission. */
function writeOrPropose(
  vault: Vault,
  writer: ReturnType<typeof createVaultWriter>,
  file: ConcernedFile,
  maxBytes: number,
): Promise<Mending> {
  return file.kinds.size === 0 ? proposeMending(vault, file, KINDS, maxBytes) : mendFile(writer, file, KINDS);
}

async function mendEach(
  files: readonly ConcernedFile[],
  { log, done }: { readonly log: Logger; readonly done: 'proposed' | 'written' },
  mend: (file: ConcernedFile) => Promise<Mending>,
): Promise<MendedLinks> {
  const [found, left]: [Finding[], Finding[]] = [[], []];
  for (const file of files) {
    try {
      const mending = await mend(file);
      found.push(...mending.mended.map((link) => mendedFinding(file.path, link, done)));
      left.push(...mending.left.map(({ line, reason }) => leftFinding(file.path, line, reason)));
    } catch (error) {
      // Whatever it is: what has been written by then has to be told.
      const refusal = toAppError(error);
      log.debug({ err: error, path: file.path }, 'the links of a file are not mended');
      if (refusal.code !== 'not_found') found.push(refusedFinding(file.path, refusal));
    }
  }
  const more = found.length - NAMED;
  const findings = [...found.slice(0, NAMED), ...(more > 0 ? [furtherFinding(more, done)] : [])];
  return { findings, left, written: found.some(({ code }) => code === 'link_mended') };
}

/**
 * One link is one finding: what can be mended is not broken or ambiguous besides, and what is says why it is left, where that
 * is known.
 */
export function joinLinkFindings({ findings, left }: MendedLinks, others: readonly Finding[]): Finding[] {
  const key = ({ path, line, written }: Finding): string => `${path}\0${line}\0${written}`;
  const place = ({ path, line }: Finding): string => `${path}\0${line}`;
  const mendable = new Set(findings.map(key));
  const further = others.filter((one) => one.written === undefined || !mendable.has(key(one)));
  const reasons = new Map(left.map((one) => [place(one), one.message]));
  const named = new Set(further.map(place));
  const explained = further.map((one) => {
    const reason = one.written === undefined ? undefined : reasons.get(place(one));
    if (reason === undefined) return one;
    // To make a note of that name would be to have two of what was renamed.
    const fix = one.paste?.length === 0 ? { fix: 'Correct the target, or bring the file back.' } : {};
    return { ...one, message: `${one.message} ${reason}`, ...fix };
  });
  return [...findings, ...explained, ...left.filter((one) => !named.has(place(one))).slice(0, NAMED)];
}

function mendedFinding(path: string, { line, before, after }: Mending['mended'][number], done: string): Finding {
  const place = line === null ? { path } : { path, line };
  if (done === 'written')
    return { code: 'link_mended', severity: 'info', ...place, message: `${before} is ${after} now.` };
  return {
    ...{ code: 'link_can_be_mended', severity: 'warning', ...place },
    message: `${before} no longer leads where it led when it was written; ${after} does.`,
    fix: 'vault-mcp doctor --fix-links writes that.',
    written: before,
  };
}

function furtherFinding(more: number, done: string): Finding {
  if (done === 'written') return { code: 'link_mended', severity: 'info', message: `Links besides these: ${more}.` };
  const message = `Links besides these that can be mended: ${more}.`;
  return { code: 'link_can_be_mended', severity: 'warning', message, fix: 'vault-mcp doctor --fix-links writes all.' };
}

function leftFinding(path: string, line: number, reason: string): Finding {
  return { code: 'link_left', severity: 'info', path, line, message: `A link here is left as it is: ${reason}.` };
}

function refusedFinding(path: string, error: AppError): Finding {
  const message = `Its links could not be mended: ${error.message}`;
  return { code: 'links_not_mended', severity: 'warning', path, message };
}

function partlyUnread(unread: readonly string[]): Finding {
  const [first = ''] = unread;
  const message = `Links are not mended while a part of the vault cannot be read${first === '' ? '' : `, such as ${first}`}.`;
  return { code: 'links_not_mended', severity: 'warning', message };
}
