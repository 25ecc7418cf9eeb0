/**
 * What doctor has to say about links: those that lead nowhere or could mean several files, each with the texts that can be
 * pasted in its place; and notes that name no successor that holds. Danger: links that could not be looked at must not pass for links that are well, so that is said.
 */
import { chainFindings } from '@vault-mcp/api/checks/built-in/chain-findings';
import type { LinkFix } from '@vault-mcp/api/links/link-fix';
import { type ChainFault, supersededChains } from '@vault-mcp/api/links/superseded-chains';
import { type LinkSomewhere, type VaultLinks, vaultLinks } from '@vault-mcp/api/links/vault-links';
import { linkGraph } from '@vault-mcp/api/operations/link-graph';
import { proposeFixes } from '@vault-mcp/api/operations/propose-fixes';
import { surveyThreadOf } from '@vault-mcp/api/operations/survey-folder';
import type { Config } from '@vault-mcp/shared/config/schema';
import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import { openVault } from '@vault-mcp/shared/vault/vault';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import { type Finding, NAMED } from './findings.ts';

export interface LinkContext {
  readonly config: Config;
  readonly reader: IndexReader;
  readonly log: Logger;
}

/** Of an index that has been brought up to date. */
export async function linkFindings({ config, reader, log }: LinkContext): Promise<Finding[]> {
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const context = { vault, reader, config, log };
  try {
    const current = await linkGraph(context);
    const { graph } = current;
    const leftOut = current.leftOut.filter(isNews(reader));
    // All that the graph is asked for before anything is waited for.
    const { names } = graph;
    const found = vaultLinks(current, { marks: {}, limit: NAMED });
    const chains = supersededChains(reader.supersededRows(), names).faults();
    const links = { ...(await proposeFixes(context, names, found)), counts: found.counts, leftOut };
    return [...reportLinks(links), ...reportChains(chains)];
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
    return [{ code: 'links_unread', severity: 'error', message: `Links could not be looked at: ${error.message}` }];
  } finally {
    // A thread that nobody asks any more would keep the program.
    await surveyThreadOf(vault, 'facts').close();
  }
}

/** Folders that the indexer reports, and files in quarantine, are named for what else they are not in. */
function isNews(reader: IndexReader): (what: LeftOut) => boolean {
  const reported = new Set(reader.indexerStatus()?.unreadable.map(({ path }) => path));
  return ({ path }) => !reported.has(path) && reader.fileByPath(path)?.state !== 'quarantined';
}

/** Notes that say which one stands for them now, where that leads to none. */
export function reportChains(faults: readonly ChainFault[]): Finding[] {
  const more = faults.length - NAMED;
  return [
    ...chainFindings(faults.slice(0, NAMED)).findings.map(({ id: _id, ...finding }) => finding),
    ...(more > 0 ? [{ code: 'superseded_more', severity: 'warning', message: `${ASTRAY}: ${more}.` } as const] : []),
  ];
}

const ASTRAY = 'Notes besides these whose successors lead to none';

type FixedLink = LinkSomewhere & { readonly fix: LinkFix };

export interface SeenLinks {
  /** At most `NAMED`. */
  readonly broken: readonly FixedLink[];
  readonly ambiguous: readonly FixedLink[];
  /** Of all of them. */
  readonly counts: Pick<VaultLinks['counts'], 'broken' | 'ambiguous' | 'unknown'>;
  /** Folders that could not be read, and files whose links could not. */
  readonly leftOut: readonly LeftOut[];
}

export function reportLinks({ broken, ambiguous, counts, leftOut }: SeenLinks): Finding[] {
  return [
    ...broken.map((link) => linkFinding('broken_link', link)),
    ...furtherFinding('broken_link', counts.broken - broken.length, 'lead nowhere'),
    ...ambiguous.map((link) => linkFinding('ambiguous_link', link)),
    ...furtherFinding('ambiguous_link', counts.ambiguous - ambiguous.length, 'could mean several files'),
    ...unknownFinding(counts.unknown),
    ...leftOut.slice(0, NAMED).map(unreadFinding),
  ];
}

function linkFinding(code: string, { path, line, fix }: FixedLink): Finding {
  const { written, paste, advice, meant } = fix;
  const problem = meant ? `could mean any of ${meant.total} files; Obsidian opens the first` : 'leads nowhere';
  return {
    ...{ code, severity: 'warning', path, ...(line === null ? {} : { line }), message: `${written} ${problem}.` },
    ...{ written, paste, ...(advice === '' ? {} : { fix: advice }) },
  };
}

/** How many of a kind are not named. */
function furtherFinding(code: string, count: number, problem: string): Finding[] {
  if (count <= 0) return [];
  const message = `Links besides these that ${problem}: ${count}.`;
  return [{ code, severity: 'warning', message, fix: 'They are named as those above are put right.' }];
}

function unknownFinding(count: number): Finding[] {
  if (count === 0) return [];
  const message = `Links that may lead into folders that cannot be read, so that nobody knows whether they do: ${count}.`;
  return [{ code: 'links_unknown', severity: 'info', message }];
}

function unreadFinding({ path, reason }: LeftOut): Finding {
  const place = path === '' ? {} : { path };
  const message = path === '' ? `Links were left out: ${reason}.` : `could not be read for its links: ${reason}`;
  return { code: 'links_unread', severity: 'warning', ...place, message };
}
