/**
 * The job table: every job there is, with the queue it travels in, its payload, and how it is told from another,
 * ordered and retried. Danger: jobs of an older or newer version may be in flight, so payload fields are only ever
 * added as optional; and a key that is too coarse silently drops work (see `key`).
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { PAGE_STEPS, UNFINISHED } from '../vault/document-pages.ts';

export const QUEUE_NAMES = ['index', 'extract', 'embed'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** What each attempt after the first waits for: `baseMs`, doubled per attempt, never more than `maxMs`. */
interface Retries {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

interface JobDefinition<Q extends QueueName, Payload> {
  readonly queue: Q;
  readonly payload: z.ZodType<Payload>;
  /**
   * Identity for deduplication. A job whose key is already waiting is dropped, so two payloads may share a key only
   * when doing the first does the second. Free of `:` and never all digits: Redis ids forbid both.
   */
  readonly key: (payload: Payload) => string;
  /** An add while the same key is being worked on: run once more afterwards with the last payload, or drop it. */
  readonly whenActive: 'follow-up' | 'drop';
  /** 1 is the most urgent. */
  readonly priority: (payload: Payload) => number;
  readonly retries: Retries;
}

/** Checks a definition against its own schema without widening it. */
function job<Q extends QueueName, Payload>(definition: JobDefinition<Q, Payload>): JobDefinition<Q, Payload> {
  return definition;
}

const PRIORITY = { news: 1, reconcile: 2, result: 3, scan: 4, again: 5 } as const;

// A file that cannot be read now (locked, half copied) can usually be read a moment later; after that the
// reconcile is the retry.
const FILE_RETRIES: Retries = { attempts: 3, baseMs: 500, maxMs: 5_000 };
// The slow lanes wait for another program, which may be away for minutes.
const LANE_RETRIES: Retries = { attempts: 8, baseMs: 2_000, maxMs: 60_000 };
// Both of these are asked for again by the next event or timer anyway.
const PASS_RETRIES: Retries = { attempts: 3, baseMs: 5_000, maxMs: 30_000 };

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** Of the call that caused a job, as the api lets ids be: for log lines alone, so a strange one never costs the job. */
const requestId = z
  .string()
  .regex(/^[A-Za-z0-9._~=-]{1,64}$/)
  .optional()
  .catch(undefined);

/** `key`: the content key of an embedded text, as in the index. */
const storedVector = z.union([
  z.object({ key: z.string().min(1), vector: z.base64() }),
  z.object({ key: z.string().min(1), error: z.string().min(1) }),
  // The embedder as a whole failed: this text is as good as it was, and waits for a later try.
  z.object({ key: z.string().min(1), retry: z.string().min(1) }),
]);

const extractionResult = z.object({
  path: z.string().min(1),
  sha256: sha256Hex,
  status: z.enum(['extracted', 'ocr', 'needs_ocr', 'no_text', 'failed']),
  text: z.string().optional(),
  pages: z.number().int().nonnegative().optional(),
  has_text_layer: z.boolean().optional(),
  detail: z.string().optional(),
  /** With `failed`: the reading was ended from outside, which says nothing of these bytes. */
  interrupted: z.boolean().optional(),
  unfinished: z.enum(UNFINISHED).nullable().optional(),
  /** Pages that OCR was asked for. */
  ocr_pages: z.number().int().nonnegative().optional(),
  /**
   * The worker hands it back for this reason of its own, and anybody else may take the job. With `failed` and
   * `interrupted` it was not read (its vault, its settings) and nothing is to be stored of it. Otherwise OCR is lacking
   * there: with `pages` it was read as far as that goes, without it was not opened, and `detail` names what is lacking.
   */
  retry: z.string().min(1).optional(),
});

/**
 * How far a job has come that reads a document, as its worker tells: the text layer is gone through first, and then, where
 * there is none, the pages are recognised. `page` 0: it is being opened.
 */
export const jobProgress = z.object({
  step: z.enum(PAGE_STEPS),
  page: z.number().int().nonnegative(),
  pages: z.number().int().nonnegative(),
});

export type JobProgress = z.infer<typeof jobProgress>;

export const JOBS = {
  /**
   * Make the index agree with one file as it is when the job runs. `news`: somebody just changed it; `scan`: a reconcile
   * met it, and indexing it together with its neighbours failed.
   */
  'sync-path': job({
    queue: 'index',
    payload: z.object({ path: z.string().min(1), source: z.enum(['news', 'scan']), request_id: requestId }),
    key: ({ path, source }) => `${source === 'news' ? 'w' : 's'}-${digest(path)}`,
    whenActive: 'follow-up',
    priority: ({ source }) => (source === 'news' ? PRIORITY.news : PRIORITY.scan),
    retries: FILE_RETRIES,
  }),
  /**
   * Compare every file with the index and look at each that differs, which is done by whoever works on this job: files get
   * no jobs of their own, so their number costs the queue nothing. A rebuild is another job than a plain reconcile.
   */
  reconcile: job({
    queue: 'index',
    payload: z.object({ rebuild: z.boolean().optional() }),
    key: ({ rebuild }) => (rebuild ? 'reconcile-rebuild' : 'reconcile'),
    whenActive: 'follow-up',
    priority: () => PRIORITY.reconcile,
    retries: PASS_RETRIES,
  }),
  /** Bring the root's index page up to date with the rows, as they are when the job runs. */
  'publish-catalog': job({
    queue: 'index',
    payload: z.object({}),
    key: () => 'publish-catalog',
    whenActive: 'follow-up',
    priority: () => PRIORITY.result,
    retries: PASS_RETRIES,
  }),
  /** Vectors from the embed lane, each little-endian float32 in base64, or why its text has none. */
  'store-vectors': job({
    queue: 'index',
    payload: z.object({
      space: z.string().min(1),
      vectors: z.array(storedVector).min(1),
      /** The worker embeds in another space: all are `retry`, and anybody else may take them at once. */
      misfit: z.boolean().optional(),
      /** How long the embedder took, or took to fail; left out where it was not asked. */
      seconds: z.number().nonnegative().optional(),
    }),
    // The same results are the same job, however long they took.
    key: ({ seconds: _, ...results }) => `v-${digest(JSON.stringify(results))}`,
    whenActive: 'follow-up',
    priority: () => PRIORITY.result,
    retries: FILE_RETRIES,
  }),
  /** A document's text from the extract lane, or why it has none, or why it was not read. */
  'store-extraction': job({
    queue: 'index',
    payload: extractionResult,
    key: (payload) => `x-${digest(JSON.stringify(payload))}`,
    whenActive: 'follow-up',
    priority: () => PRIORITY.result,
    retries: FILE_RETRIES,
  }),
  /** Read a document's text. Keyed by content: one extraction serves every path that holds the same bytes. */
  'extract-document': job({
    queue: 'extract',
    payload: z.object({
      path: z.string().min(1),
      sha256: sha256Hex,
      /** `vault.doc_max_seconds` of the writer, in whose index what it cuts short is kept. */
      max_seconds: z.number().int().positive().optional(),
      /** Names how the text is to be read; whoever reads otherwise must not take the job. */
      behaviour: z.string().optional(),
      /** Who lacked OCR has read what there is without: whoever lacks it too need not open it, and others come first. */
      needs_ocr: z.boolean().optional(),
    }),
    key: ({ sha256 }) => `d-${sha256}`,
    // The active one may fail for its own path (moved meanwhile) where this one would not.
    whenActive: 'follow-up',
    priority: ({ needs_ocr }) => (needs_ocr ? PRIORITY.again : PRIORITY.scan),
    retries: FILE_RETRIES,
  }),
  /** Embed texts, each with its content key. The only job that carries content, so that a remote worker needs no vault. */
  'embed-chunks': job({
    queue: 'embed',
    payload: z.object({
      space: z.string().min(1),
      items: z.array(z.object({ key: z.string().min(1), text: z.string() })).min(1),
    }),
    key: ({ space, items }) => `e-${digest(JSON.stringify([space, items.map((item) => item.key)]))}`,
    // The same keys mean the same vectors, and these are expensive: the batch in hand is the answer.
    whenActive: 'drop',
    priority: () => PRIORITY.scan,
    retries: LANE_RETRIES,
  }),
} as const;

export type JobName = keyof typeof JOBS;
export type JobPayload<N extends JobName> = z.infer<(typeof JOBS)[N]['payload']>;
/** Names of the jobs that travel in queue `Q`. */
export type JobNameIn<Q extends QueueName> = {
  [N in JobName]: (typeof JOBS)[N]['queue'] extends Q ? N : never;
}[JobName];

/** What an adapter needs to know of one job to accept it. */
export interface JobTicket {
  readonly queue: QueueName;
  readonly key: string;
  readonly whenActive: 'follow-up' | 'drop';
  readonly priority: number;
  readonly attempts: number;
}

/** Whether `name` (from a queue, so any string) is a job of this version. */
export function isJobName(name: string): name is JobName {
  return Object.hasOwn(JOBS, name);
}

/** The id of the call that caused a job, where its payload tells one. `payload` comes from a queue, so it is anything. */
export function requestIdOf(payload: unknown): string | undefined {
  return requestId.parse((payload as { request_id?: unknown } | null | undefined)?.request_id);
}

/** The ticket of a job: a pure function of name and payload. */
export function ticketFor<N extends JobName>(name: N, payload: JobPayload<N>): JobTicket {
  const definition = definitionOf(name);
  return {
    queue: definition.queue,
    key: definition.key(payload),
    whenActive: definition.whenActive,
    priority: definition.priority(payload),
    attempts: definition.retries.attempts,
  };
}

/**
 * Milliseconds to wait before the next attempt.
 * @param attemptsMade attempts that have failed so far, 1 or more
 */
export function retryDelayMs(name: JobName, attemptsMade: number): number {
  const { baseMs, maxMs } = JOBS[name].retries;
  return Math.min(maxMs, baseMs * 2 ** (attemptsMade - 1));
}

/** The definition with its payload type tied to its name, which indexing the table alone loses. */
export function definitionOf<N extends JobName>(name: N): JobDefinition<QueueName, JobPayload<N>> {
  return JOBS[name] as unknown as JobDefinition<QueueName, JobPayload<N>>;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
