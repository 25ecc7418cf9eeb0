/**
 * Puts a fact on its page, while the page is held: compared with what is there, written, committed, entered in the journal.
 * Danger: people's pages, and records beside them. What a person changed is committed as theirs before, an old bullet is kept
 * before it goes, and once the page is written nothing that fails any more makes an error of it: it is told instead. A crash
 * between the page and the journal leaves a fact that the journal does not know, and between the page and its commit one that
 * the next commit of that page takes along.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';
import type { DiscardLog } from '@vault-mcp/shared/records/discard-log';
import type { CommitOutcome, GitCommits } from '@vault-mcp/shared/records/git-commits';
import type { Journal } from '@vault-mcp/shared/records/journal';
import type { PathClaim } from '@vault-mcp/shared/vault/lock';
import { shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { VaultWriter, WriteOptions, WriteResult } from '@vault-mcp/shared/vault/write';
import type { Fact } from './fact-bullet.ts';
import { newPage } from './new-page.ts';
import type { FactToPlace, PlacedFact, StandingBullet } from './place-fact.ts';
import { slugify } from './slug.ts';

export interface FactPorts {
  readonly writer: VaultWriter;
  readonly commits: Pick<GitCommits, 'beforeWrite' | 'commit'>;
  readonly journal: Pick<Journal, 'append'>;
  readonly discards: Pick<DiscardLog, 'append'>;
  readonly log: Logger;
  now(): Date;
  /** placeFact, without holding others up. @throws AppError like placeFact */
  place(task: FactToPlace): Promise<PlacedFact>;
}

export interface FactRequest {
  readonly page: VaultPath;
  /** Whether no page was there when it was looked for. */
  readonly isNew: boolean;
  /** What the page is called where it has to be made, as pageName gives it. */
  readonly name: string;
  readonly fact: Fact;
  readonly onRefine: FactToPlace['onRefine'];
  readonly day: string;
  readonly language: string;
  /** Empty: none is kept. */
  readonly timestampKey: string;
  readonly agent: string;
  readonly source: string | undefined;
  /** The operator's own writes name no author. */
  readonly operator: boolean;
  readonly scope: VaultPath | undefined;
}

/** What became of it. */
export interface PlacedOnPage {
  readonly status: 'created' | 'added' | 'replaced' | 'refines' | 'same';
  readonly result: WriteResult;
  /** The new bullet; of `refines` and `same` the one that is there. */
  readonly bullet: StandingBullet;
  /** Of `replaced`: what stood there. */
  readonly before?: string;
}

export interface AppendedFact extends PlacedOnPage {
  /** Absent where nothing was written. */
  readonly committed?: CommitOutcome;
  /** Of the discard log's entry that keeps what was replaced. */
  readonly discard?: number;
  /** What went wrong beside the write. Sentences. */
  readonly remarks: readonly string[];
}

/** How often it is done again because another program changed the page between the look and the write. */
const MAX_ATTEMPTS = 3;

/** What it would come to; takes no lock, changes nothing. @throws AppError */
export async function planFact(ports: FactPorts, request: FactRequest): Promise<PlacedOnPage> {
  return write(ports, ports.writer, request, { dryRun: true });
}

/**
 * @throws AppError `locked` when the page is not had in time, `out_of_scope`, `invalid_value`, `unreadable`,
 * `note_too_large`, `insufficient_storage`; nothing is changed then
 */
export function appendFact(ports: FactPorts, request: FactRequest): Promise<AppendedFact> {
  const once = { ...ports, place: placedOnce(ports) };
  return ports.writer.holding(claimsOf(request), (writer) => whileHeld(once, writer, request));
}

/** A page is looked at before its write and in it: unless it has changed in between, it is compared once. */
function placedOnce({ place }: FactPorts): FactPorts['place'] {
  let last: { readonly text: string; readonly placed: Promise<PlacedFact> } | undefined;
  return (task) => {
    if (last?.text !== task.text) last = { text: task.text, placed: place(task) };
    return last.placed;
  };
}

/** Of two who make a page each in a folder that is not there yet, one has to see the other's folder. */
function claimsOf({ page, isNew }: FactRequest): PathClaim[] {
  const segments = isNew ? page.split('/').slice(0, -1) : [];
  return [{ path: page }, ...segments.map((_, i) => ({ path: segments.slice(0, i + 1).join('/') as VaultPath }))];
}

async function whileHeld(ports: FactPorts, writer: VaultWriter, request: FactRequest): Promise<AppendedFact> {
  for (let attempt = 1; ; attempt++) {
    const planned = await write(ports, writer, request, { dryRun: true });
    if (!planned.result.changed) return { ...planned, remarks: [] };
    const discard = await keepBefore(ports, request, planned);
    try {
      const expectedEtag = discard === undefined ? undefined : (planned.result.etagBefore ?? undefined);
      const written = await write(ports, writer, request, { expectedEtag });
      if (!written.result.changed) return { ...written, remarks: [] };
      const kept = discard === undefined ? {} : { discard };
      return { ...written, ...kept, ...(await recorded(ports, request, written)) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'precondition_failed') throw error;
      if (attempt < MAX_ATTEMPTS) continue;
      const message = `Another program keeps changing "${shown(request.page)}". Nothing was changed here: try again in a moment.`;
      throw new AppError('locked', message, { cause: error });
    }
  }
}

/**
 * Sees to it that nothing of the page is lost by the write. Git is not relied on: it may say that nothing is changed of a page
 * that it does not hold.
 *
 * @returns undefined where nothing is replaced
 */
async function keepBefore(
  { commits, discards }: FactPorts,
  { agent, source }: FactRequest,
  { result, before }: PlacedOnPage,
): Promise<number | undefined> {
  await commits.beforeWrite(result.path);
  if (before === undefined) return undefined;
  const note = { path: result.path, etag: result.etagBefore ?? '', text: before };
  return discards.append({ id: randomUUID(), kind: 'replaced', agent, source, note });
}

/** Of a fact that is on the disk. Never rejects. */
async function recorded(
  { commits, journal, log, now }: FactPorts,
  { agent, fact }: FactRequest,
  { status, result: { path } }: PlacedOnPage,
): Promise<Pick<AppendedFact, 'committed' | 'remarks'>> {
  const committed = await commits.commit({ paths: [path], agent, message: `wiki-append ${path}` });
  const line = { slug: slugOf(path), content: fact.text, created: status === 'created', agent };
  try {
    await journal.append({ t: now().toISOString(), ...line, committed: committed.state === 'committed' });
    return { committed, remarks: [] };
  } catch (error) {
    log.error({ err: error, path }, 'a fact was written and could not be entered in the journal');
    return { committed, remarks: ['It was written, and could not be entered in the journal: tell the operator.'] };
  }
}

function slugOf(page: VaultPath): string {
  return slugify(page.slice(page.lastIndexOf('/') + 1, -'.md'.length));
}

interface Placed extends Omit<PlacedOnPage, 'result'> {
  /** Null: nothing is to be written. */
  readonly text: string | null;
}

/** @throws AppError */
async function write(
  ports: FactPorts,
  writer: VaultWriter,
  request: FactRequest,
  options: Pick<WriteOptions, 'dryRun' | 'expectedEtag'>,
): Promise<PlacedOnPage> {
  // The last one counts: it is computed again where another program changes the page meanwhile.
  const computed: { last?: Placed } = {};
  const result = await writer.edit(
    request.page,
    async (current) => {
      const placed = await placedOn(ports, request, current?.text ?? null);
      computed.last = placed;
      return placed.text ?? current?.bytes ?? '';
    },
    // Also where a refinement may replace: whether this does, the writer tells by the bytes.
    { ...options, act: 'add', scope: request.scope },
  );
  if (computed.last === undefined) throw new Error('a page was written without its fact having been placed');
  const { text: _text, ...placed } = computed.last;
  return { ...placed, result };
}

async function placedOn(ports: FactPorts, request: FactRequest, text: string | null): Promise<Placed> {
  const { fact, day, timestampKey, agent, source, operator } = request;
  const stamp = { key: timestampKey, now: ports.now() };
  if (text === null) {
    const page = newPage({ name: request.name, fact, day, stamp, agent, source, operator });
    return { status: 'created', text: page.text, bullet: { bullet: page.bullet, line: page.line } };
  }
  const placed = await ports.place({ text, fact, day, stamp, language: request.language, onRefine: request.onRefine });
  const bullet = { bullet: placed.bullet, line: placed.line };
  if (placed.is === 'added') return { status: 'added', text: placed.text, bullet };
  if (placed.is === 'replaced') return { status: 'replaced', text: placed.text, bullet, before: placed.before };
  return { status: placed.is, text: null, bullet };
}
