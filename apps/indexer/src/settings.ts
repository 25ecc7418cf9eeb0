/**
 * What the indexer takes from the configuration, sorted by who uses it. Pure. Danger: chunk sizes and language are part
 * of the behaviour digest, so a change here makes every stored chunk stale.
 */
import { type ChunkOptions, chunkOptions } from '@vault-mcp/shared/chunk/options';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { RepairKind } from '@vault-mcp/shared/link-repair/repair-judge';
import type { ExtractionSettings } from './extract/extract-document-job.ts';
import { sandboxLimits } from './extract/sandbox-limits.ts';
import type { LinkUpkeepSettings } from './links/link-upkeep.ts';

export interface EmbeddingSettings {
  readonly batchSize: number;
  readonly batchCharacters: number;
  readonly retrySeconds: number;
  /** How long a process leaves the lane to others after its embedder failed. */
  readonly restMs: number;
}

export interface IndexerSettings {
  readonly chunking: ChunkOptions;
  readonly rules: { readonly excludeDirs: readonly string[]; readonly ignore: readonly string[] };
  readonly limits: { readonly noteMaxBytes: number; readonly documentMaxBytes: number };
  readonly embedding: EmbeddingSettings;
  readonly build: { readonly maxAttempts: number; readonly retrySeconds: number };
  readonly watch: {
    readonly enabled: boolean;
    readonly debounceSeconds: number;
    readonly polling: 'auto' | boolean;
    readonly reconcileSeconds: number;
  };
  readonly extraction: ExtractionSettings;
  readonly catalog: {
    /** Why there is no index page to keep, as a sentence; null where there is. */
    readonly offBecause: string | null;
    readonly timestampKey: string;
  };
  readonly links: LinkUpkeepSettings;
}

/** Characters in one embed job: 64 chunks of the usual size; a job of huge chunks is cut earlier. */
const BATCH_CHARACTERS = 128 * 1024;

/** See programPlaces in config/load. */
export type ProgramPlaces = Readonly<Record<string, string>>;

/** @param options.watch false for one-shot commands */
export function indexerSettings(
  config: Config,
  options: { readonly watch: boolean; readonly places: ProgramPlaces },
): IndexerSettings {
  const { chunking, index, vault, watch } = config;
  return {
    chunking: chunkOptions(chunking),
    rules: { excludeDirs: index.exclude_dirs, ignore: index.ignore },
    limits: { noteMaxBytes: vault.note_max_bytes, documentMaxBytes: vault.doc_max_bytes },
    embedding: embeddingSettings(config),
    build: { maxAttempts: index.build_max_attempts, retrySeconds: index.build_retry_seconds },
    watch: {
      enabled: options.watch,
      debounceSeconds: watch.debounce_seconds,
      polling: watch.polling,
      reconcileSeconds: options.watch ? index.reconcile_seconds : 0,
    },
    extraction: extractionSettings(config, options.places),
    catalog: { offBecause: catalogOffBecause(config, options.watch), timestampKey: config.notes.timestamp_key },
    links: {
      kinds: mendedKinds(config, options.watch),
      indexPath: index.path,
      noteMaxBytes: vault.note_max_bytes,
      // Where nobody watches there is no news to wait for.
      quietMs: options.watch ? QUIET_MS + watch.debounce_seconds * 1000 : 0,
      patienceMs: PATIENCE_MS,
    },
  };
}

/** Beyond the time in which the watcher waits for a file to be whole: the files of a folder are told of one by one. */
const QUIET_MS = 1000;
const PATIENCE_MS = 60_000;

/** A command that ends at once leaves the notes as they are, too. */
function mendedKinds({ links, server }: Config, watches: boolean): ReadonlySet<RepairKind> {
  const kinds = new Set<RepairKind>();
  if (!watches || server.read_only) return kinds;
  if (links.auto_qualify) kinds.add('qualify');
  if (links.repair) kinds.add('rename');
  return kinds;
}

/** A command that ends at once leaves the vault as it is: the page is kept by whoever stays and watches. */
function catalogOffBecause({ catalog, server }: Config, watches: boolean): string | null {
  if (!catalog.enabled) return 'catalog.enabled (CATALOG_ENABLED) is false.';
  if (server.read_only) return 'server.read_only (READ_ONLY) is true.';
  return watches ? null : 'Only a program that keeps running keeps index.md.';
}

export function embeddingSettings({ embedding }: Config): EmbeddingSettings {
  return {
    batchSize: embedding.batch_size,
    batchCharacters: BATCH_CHARACTERS,
    retrySeconds: embedding.backoff_max_seconds,
    restMs: embedding.backoff_max_seconds * 1000,
  };
}

/** @param places where tesseract and its languages are looked for */
export function extractionSettings({ vault }: Config, places: ProgramPlaces): ExtractionSettings {
  return {
    ocr: vault.doc_ocr,
    ocrLanguages: vault.doc_ocr_languages,
    environment: places,
    limits: sandboxLimits(vault.doc_max_seconds, vault.doc_max_memory_mib),
  };
}
