/**
 * Put one fact on the wiki page it belongs to, unless it is there already. Danger: a fact on a second page beside the one that
 * was meant, or said twice, is how a wiki rots; so what is alike is shown and nothing written, and the caller is told what to
 * do. All of that is success: an error is only what could not be done.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { CommitOutcome } from '@vault-mcp/shared/records/git-commits';
import { decodeNote } from '@vault-mcp/shared/vault/note/text';
import { parseVaultPath, type VaultPath } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import { dayIn } from '../checks/calendar-day.ts';
import type { WriteContext } from '../context.ts';
import { listedFiles } from '../links/listed-files.ts';
import { ceilingsFor } from '../memory/gate/ceilings.ts';
import {
  type AppendedFact,
  appendFact,
  type FactPorts,
  type FactRequest,
  type PlacedOnPage,
  planFact,
} from '../memory/wiki/append-fact.ts';
import { parseFact } from '../memory/wiki/fact-bullet.ts';
import { matchPage, type PageCandidate, pageName, pageOf, wikiPages } from '../memory/wiki/page-match.ts';
import { type SimilarPassages, similarPassages } from '../memory/wiki/similar-facts.ts';
import { slugify } from '../memory/wiki/slug.ts';
import { placeOnPage } from './fact-placer.ts';
import { announceWritten, type IndexedState, waitingOf } from './index-news.ts';
import { noteChanger } from './note-changer.ts';
import { isOperators, recordChange, refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { outcomeFields } from './write-input.ts';

const MAX_NAME = 300;
const MAX_LINKS = 50;

export const wikiAppendInput = z.strictObject({
  slug: z.string().max(MAX_NAME).describe('Page, such as ada-lovelace.'),
  content: z.string().describe('One fact, one line.'),
  links: z.array(z.string().max(MAX_NAME)).max(MAX_LINKS).optional().describe('Slugs of pages to link.'),
  create_new: z.boolean().optional().describe('Make the page though similar ones exist. Ask the person first.'),
  on_refine: z.enum(['replace', 'append']).optional().describe('When it says more than a bullet that is there.'),
  ...outcomeFields,
});

/** Of the records no more than a fact is entered in. */
export type WikiContext = Omit<WriteContext, Records> & Pick<FactPorts, Records>;
type Records = 'commits' | 'journal' | 'discards';

type WikiAppendInput = z.infer<typeof wikiAppendInput>;

export interface WikiAppendAnswer extends SimilarPassagesOnPage {
  /**
   * `candidates`: no page is called so, but these are like it; `refines`: it says more than a bullet that is there,
   * or may correct it; `same`: it is there. Nothing was written then.
   */
  readonly status: PlacedOnPage['status'] | 'candidates';
  /** What the name came to. */
  readonly slug: string;
  /** In the spelling on disk. */
  readonly path?: string;
  /** 1-based, of the bullet. */
  readonly line?: number;
  /** As it stands on the page, or in a dry run would. */
  readonly bullet?: string;
  /** Of `refines`: what was not written. */
  readonly fact?: string;
  readonly candidates?: readonly PageCandidate[];
  /** Of `replaced`: the bullet that stood there. */
  readonly before?: string;
  /** The entry of the discard log that keeps it. */
  readonly discard?: number;
  /** Absent where nothing was written. */
  readonly committed?: CommitOutcome;
  readonly etag?: string;
  readonly indexed?: IndexedState;
  /** What went wrong beside the write. */
  readonly remarks?: readonly string[];
  readonly dry_run?: true;
  readonly diff?: string;
}

interface SimilarPassagesOnPage {
  /** What the wiki says that means much the same, the nearest first. */
  readonly similar: readonly (SimilarPassages['similar'][number] & { readonly on_page: boolean })[];
  /** Why there may be more of it. */
  readonly degraded: SimilarPassages['degraded'];
}

/**
 * @throws AppError `invalid_value` for a name or a fact that says nothing, or one that the page could not hold; `out_of_scope`,
 * `invalid_path`, `unreadable`, `note_too_large`, `already_exists`, `locked`, `insufficient_storage`;
 * nothing is changed then
 */
export async function wikiAppend(
  context: WikiContext,
  input: WikiAppendInput,
  request: WriteRequest,
): Promise<WikiAppendAnswer> {
  refuseWhenReadOnly(context);
  const { config, vault, log } = context;
  const dir = parseVaultPath(config.wiki.dir);
  const name = pageName(input.slug, dir);
  const slug = slugify(name);
  if (slug === '')
    throw new AppError('invalid_value', 'The slug holds no letter or digit: name the page after what it is about.');
  const fact = parseFact(input.content, input.links ?? []);
  const looked = lookForSimilar(context, dir, fact.text);
  const { files } = await listedFiles(vault.whole, log);
  const match = matchPage(
    name,
    dir,
    wikiPages(dir, files).filter((path) => vault.access.mayRead(path)),
  );
  if (match.is === 'candidates' && input.create_new !== true) {
    return { status: 'candidates', slug, candidates: match.candidates, ...onPage(await looked, undefined) };
  }
  const isNew = match.is !== 'page';
  const page = isNew ? pageOf(dir, slug) : match.path;
  const wanted = { page, isNew, name, slug, fact, onRefine: input.on_refine, ...settingsOf(context, request) };
  const ports = portsOf(context, request);
  if (input.dry_run) return dryRunAnswer(await planFact(ports, wanted), wanted, await looked);
  const appended = await appendFact(ports, wanted);
  const indexed = await announced(context, input, request, appended);
  return { ...answerOf(appended, wanted, await looked), ...indexed };
}

interface Wanted extends FactRequest {
  readonly slug: string;
}

function settingsOf({ config, now }: WikiContext, request: WriteRequest) {
  const { agent, source, scope } = request;
  return {
    ...{ agent, source, scope, operator: isOperators(request) },
    language: config.search.language,
    timestampKey: config.notes.timestamp_key,
    day: dayIn(config.time_zone)(now().getTime()),
  };
}

function portsOf(context: WikiContext, { signal }: WriteRequest): FactPorts {
  const { writer, commits, journal, discards, locks, log, now } = context;
  // A long page is given up with the locks, or when nobody waits for it any more: it is held meanwhile.
  const givenUp = AbortSignal.any([locks.closed, ...(signal === undefined ? [] : [signal])]);
  return { writer, commits, journal, discards, log, now, place: (task) => placeOnPage(task, givenUp) };
}

/** Never rejects. */
function lookForSimilar(context: WikiContext, dir: VaultPath, fact: string): Promise<SimilarPassages> {
  const { reader, embedder, log, vault, config } = context;
  const settings = { distanceCeiling: config.gate.distance_ceiling, bm25Ceiling: 0 };
  return similarPassages(
    { reader, embedder, log },
    {
      ...{ fact, dir, readable: vault.access.readRules, ceiling: ceilingsFor(settings, embedder)?.distance ?? null },
      timeoutSeconds: config.search.embed_timeout_seconds,
    },
  );
}

async function announced(
  context: WikiContext,
  { wait, timeout }: WikiAppendInput,
  request: WriteRequest,
  { result }: AppendedFact,
): Promise<{ readonly indexed?: IndexedState }> {
  if (!result.changed) return {};
  recordChange(context, 'wiki-append', request, [result.path]);
  return {
    indexed: await announceWritten(context, result.path, result.etag, { wait, timeout, ...waitingOf(request) }),
  };
}

function answerOf(appended: AppendedFact, wanted: Wanted, looked: SimilarPassages): WikiAppendAnswer {
  const { committed, discard, remarks } = appended;
  return {
    ...factsOf(appended, wanted),
    ...(committed && { committed }),
    ...(discard !== undefined && { discard }),
    etag: appended.result.etag,
    ...(remarks.length > 0 && { remarks }),
    ...onPage(looked, appended.result.path),
  };
}

async function dryRunAnswer(planned: PlacedOnPage, wanted: Wanted, looked: SimilarPassages): Promise<WikiAppendAnswer> {
  const { path, before, after, changed, etagBefore } = planned.result;
  const text = before === null ? null : decodeNote(before).text;
  const diff = changed ? await noteChanger.diff({ path, before: text, after: after.toString('utf8') }) : '';
  const etag = etagBefore === null ? {} : { etag: etagBefore };
  return { ...factsOf(planned, wanted), ...etag, ...onPage(looked, path), dry_run: true, diff };
}

function factsOf(
  placed: PlacedOnPage,
  wanted: Wanted,
): Pick<WikiAppendAnswer, 'status' | 'slug' | 'path' | 'line' | 'bullet'> {
  const { status, bullet, before } = placed;
  return {
    ...{ status, slug: wanted.slug, path: placed.result.path, line: bullet.line, bullet: bullet.bullet },
    ...(status === 'refines' && { fact: wanted.fact.text }),
    ...(before !== undefined && { before }),
  };
}

function onPage({ similar, degraded }: SimilarPassages, page: VaultPath | undefined): SimilarPassagesOnPage {
  return { similar: similar.map((passage) => ({ ...passage, on_page: passage.path === page })), degraded };
}
