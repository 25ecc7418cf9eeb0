/**
 * What a move would do to the links of the whole vault, computed from the files as they are now. Danger: a file that is
 * not looked at keeps a broken link, so only a note whose index row fits its stat and holds no concerned link is passed
 * over; whatever the index does not know, or knows an older version of, is read.
 */
import { createHash } from 'node:crypto';
import { AppError, toAppError } from '@vault-mcp/shared/errors';
import { linkingRows } from '@vault-mcp/shared/index-db/linking-rows';
import type { LinkingFileRow } from '@vault-mcp/shared/index-db/rows';
import { isGeneratedText, isIndexPagePath } from '@vault-mcp/shared/vault/index-page';
import { type LinkCandidate, walkLinkCandidates } from '@vault-mcp/shared/vault/link-candidates';
import { linkChange } from '@vault-mcp/shared/vault/note/link-change';
import type { Link } from '@vault-mcp/shared/vault/note/model';
import { createMovePrecheck } from '@vault-mcp/shared/vault/note/move-precheck';
import { type Relocation, relocate } from '@vault-mcp/shared/vault/note/relocation';
import type { RewrittenText } from '@vault-mcp/shared/vault/note/rewrite-links';
import { decodeNote, encodeNote, sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { gatherVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { readFileBytes } from '@vault-mcp/shared/vault/read';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { OperationContext } from '../context.ts';
import { carriedEntries } from './carried-entries.ts';
import { statKey } from './etag.ts';
import { knowsLinks } from './knows-links.ts';
import type { LeftBehind } from './left-behind.ts';
import { type LinkFollower, linkFollower } from './link-follower.ts';

/** A file whose links follow the move. */
export interface FollowingFile {
  /** Before the move. */
  readonly path: VaultPath;
  readonly pathAfter: VaultPath;
  /** Hex SHA-256 of the bytes that the new text was computed from. */
  readonly etagBefore: string;
  readonly etagAfter: string;
  /** The 1-based line of each link that changes. */
  readonly lines: readonly number[];
  /** The new text; undefined where all of them together are too much to keep. */
  readonly textAfter: string | undefined;
}

export interface MoveSurvey {
  readonly relocation: Relocation;
  readonly following: readonly FollowingFile[];
  readonly left: readonly LeftBehind[];
  /** What a folder takes along that no listing shows. */
  readonly carried: readonly LeftBehind[];
  /** Links that would lead elsewhere, or nowhere, if none were rewritten. */
  readonly breaking: number;
  /** Every file that moves, attachments too, as it is called before. */
  readonly movedFiles: readonly VaultPath[];
  /** Equal as long as no file of the vault has changed. */
  readonly fingerprint: string;
}

export type SurveyContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

export interface SurveyOptions {
  /** A survey of the same move, which is answered again when nothing has changed since. */
  readonly earlier?: MoveSurvey;
  /** Told of each file that would change, with its texts. */
  onChange?(path: VaultPath, before: string, after: string): Promise<void>;
  readonly follower?: LinkFollower;
}

/** UTF-16 units of new texts kept for a move: more than nearly every move makes. */
const KEPT_CHARS = 8_000_000;
const PROTECTED_PAGE =
  'the vault’s index page is protected, whoever wrote it: change the link by hand, outside of this server';
const NOT_YOURS = 'you may not change the file: tell whoever may';
const NOT_UTF8 = 'the file is not valid UTF-8, so it cannot be rewritten: convert it, then change the link by hand';

/**
 * Looks through the vault.
 *
 * @param source in the spelling on disk, as `destination` will be
 */
export async function surveyMove(
  context: SurveyContext,
  source: VaultPath,
  destination: VaultPath,
  options: SurveyOptions = {},
): Promise<MoveSurvey> {
  const left: LeftBehind[] = [];
  const files = await listFiles(context, source, left);
  const fingerprint = fingerprintOf(files.values());
  if (options.earlier?.fingerprint === fingerprint) return options.earlier;
  const names = await gatherVaultNames(files.keys());
  const relocation = relocate(names, source, destination, context.vault.access.readRules);
  const unconcerned = await knownUnconcerned(context, files, relocation);
  const following: FollowingFile[] = [];
  const look = { relocation, mayConcern: createMovePrecheck(relocation), left, options };
  let breaking = 0;
  let keeps = KEPT_CHARS;
  for (const { path } of files.values()) {
    if (!mayHoldLinks(path) || unconcerned.has(path)) continue;
    const seen = await lookAt(context, path, look);
    breaking += seen.breaking;
    if (seen.following === null) continue;
    keeps -= seen.following.textAfter?.length ?? 0;
    following.push(keeps < 0 ? { ...seen.following, textAfter: undefined } : seen.following);
  }
  const movedFiles = [...files.keys()].filter((path) => moves(path, relocation));
  const carried = files.has(source) ? [] : await carriedEntries(context.vault, source, destination);
  return { relocation, following, left, carried, breaking, movedFiles, fingerprint };
}

async function listFiles(
  { vault, config, log }: SurveyContext,
  source: VaultPath,
  left: LeftBehind[],
): Promise<Map<VaultPath, LinkCandidate>> {
  const files = new Map<VaultPath, LinkCandidate>();
  const onProblem = ({ path, reason, error }: { path: string; reason: string; error: unknown }) => {
    log.warn({ err: error, path }, 'a move could not look at something in the vault');
    left.push({ path, line: null, reason: `${reason}: check its links by hand` });
  };
  const candidates = walkLinkCandidates(vault, { ignore: config.index.ignore, always: source, onProblem });
  for await (const file of candidates) files.set(file.path, file);
  return files;
}

function fingerprintOf(files: Iterable<LinkCandidate>): string {
  const hash = createHash('sha256');
  for (const { path, stat } of files) hash.update(`${path}\0${statKey(stat)}\0`);
  return hash.digest('hex');
}

function mayHoldLinks(path: VaultPath): boolean {
  return /\.(md|canvas|base)$/i.test(path);
}

/** The notes that the index knows as they are now, and knows to hold no link that the move concerns. */
async function knownUnconcerned(
  { reader, log }: SurveyContext,
  files: ReadonlyMap<VaultPath, LinkCandidate>,
  relocation: Relocation,
): Promise<ReadonlySet<string>> {
  const unconcerned = new Set<string>();
  try {
    for await (const row of linkingRows(reader)) {
      if (isUnconcerned(row, files, relocation)) unconcerned.add(row.path);
    }
    return unconcerned;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_ready')) throw error;
    log.info({ err: error }, 'without an index, a move reads every note');
    return new Set();
  }
}

function isUnconcerned(
  row: LinkingFileRow,
  files: ReadonlyMap<VaultPath, LinkCandidate>,
  relocation: Relocation,
): boolean {
  const path = row.path as VaultPath;
  if (!knowsLinks(row, files.get(path)?.stat) || moves(path, relocation)) return false;
  return row.links.every(({ form, target }) => {
    const link = { form: form as Link['form'], target };
    return linkChange(link, path, relocation).action === 'keep';
  });
}

function moves(path: VaultPath, { source }: Relocation): boolean {
  return path === source || path.startsWith(`${source}/`);
}

interface Look {
  readonly relocation: Relocation;
  readonly mayConcern: (path: VaultPath, text: string) => boolean;
  readonly left: LeftBehind[];
  readonly options: SurveyOptions;
}

interface Seen {
  readonly breaking: number;
  readonly following: FollowingFile | null;
}

const UNCONCERNED: Seen = { breaking: 0, following: null };

async function lookAt(
  { vault, config, log }: SurveyContext,
  path: VaultPath,
  { relocation, mayConcern, left, options }: Look,
): Promise<Seen> {
  const pathAfter = relocation.movedTo(path);
  let file: Readable;
  let outcome: RewrittenText;
  try {
    file = readable(await readFileBytes(vault, path, { maxBytes: config.vault.note_max_bytes }));
    if (!mayConcern(path, file.text) || isWrittenAnew(path, file)) return UNCONCERNED;
    const readOnly = readOnlyReason(vault, path, file);
    outcome = await (options.follower ?? linkFollower).follow({ path, text: file.text, ...readOnly }, relocation);
  } catch (error) {
    const refusal = toAppError(error);
    if (refusal.code !== 'not_found') {
      log.warn({ err: error, path }, 'a move could not look at a file that may hold links');
      left.push({
        path: pathAfter,
        line: null,
        reason: 'could not be read, or is too large or takes too long to look at: check its links by hand',
      });
    }
    return UNCONCERNED;
  }
  for (const one of outcome.left) left.push({ path: pathAfter, ...one });
  const { breaking, changedLines: lines } = outcome;
  if (lines.length === 0) return { breaking, following: null };
  await options.onChange?.(path, file.text, outcome.text);
  const etags = { etagBefore: sha256Hex(file.bytes), etagAfter: sha256Hex(encodeNote(outcome.text)) };
  return { breaking, following: { path, pathAfter, ...etags, lines, textAfter: outcome.text } };
}

/** The generated index page, by its generator. */
function isWrittenAnew(path: VaultPath, { text }: Readable): boolean {
  return isIndexPagePath(path) && isGeneratedText(text);
}

function readOnlyReason({ access }: Vault, path: VaultPath, { validUtf8 }: Readable): { readonly readOnly?: string } {
  if (isIndexPagePath(path)) return { readOnly: PROTECTED_PAGE };
  if (access.rightAt(path) !== true) return { readOnly: NOT_YOURS };
  return validUtf8 ? {} : { readOnly: NOT_UTF8 };
}

interface Readable extends ReturnType<typeof decodeNote> {
  readonly bytes: Buffer;
}

function readable({ bytes }: { readonly bytes: Buffer }): Readable {
  return { bytes, ...decodeNote(bytes) };
}
