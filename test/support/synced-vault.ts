/**
 * A folder, a real index and a real cache with the sync step between them, and a queue that only notes what it is asked.
 * Danger: nothing watches and nothing extracts; a test does both by hand.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { type IndexWriter, openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { silentLogger } from '@vault-mcp/shared/log';
import type { JobName } from '@vault-mcp/shared/queue/jobs';
import { observePresence } from '@vault-mcp/shared/vault/presence';
import { readerAtOnce } from '@vault-mcp/shared/vault/read-at-once';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { type ContentCache, openCache } from '../../apps/indexer/src/cache/cache.ts';
import type { ExtractionBehaviour } from '../../apps/indexer/src/extract/extraction-digest.ts';
import { createDescriber, type Describer } from '../../apps/indexer/src/sync/describe-file.ts';
import { createPathRules } from '../../apps/indexer/src/sync/path-rules.ts';
import { createFileSync, type FileSync, type SyncDeps } from '../../apps/indexer/src/sync/sync-file.ts';
import { createTempFolder, type TempFolder } from './temp-folder.ts';

export const SIZES = { targetTokens: 400, overlapTokens: 40, minTokens: 50, maxTokens: 1500 };
export const ENGLISH: ExtractionBehaviour = { ocr: true, ocrLanguages: ['eng'] };

export interface SyncedVault {
  readonly folder: TempFolder;
  readonly writer: IndexWriter;
  readonly reader: IndexReader;
  readonly cache: ContentCache;
  /** The jobs that were added, in order; and their names. */
  readonly jobs: { readonly name: JobName; readonly payload: unknown }[];
  readonly asked: JobName[];
  readonly deps: SyncDeps;
  readonly sync: FileSync;
  syncWith(changed: Partial<SyncDeps>): FileSync;
  /** @returns the hash of what was written */
  put(path: string, content: string): string;
  close(): Promise<void>;
}

export function describerFor(extraction = ENGLISH, sizes = SIZES): Describer {
  return createDescriber(createAnalyzer('en'), sizes, extraction);
}

export async function syncedVault(): Promise<SyncedVault> {
  const folder = await createTempFolder('sync');
  const root = join(folder.path, 'vault');
  mkdirSync(root);
  const writer = openIndexWriter(join(folder.path, 'index.db'));
  const reader = openIndexReader(join(folder.path, 'index.db'));
  const cache = openCache(join(folder.path, 'cache.db'), silentLogger());
  const jobs: SyncedVault['jobs'] = [];
  const asked: JobName[] = [];
  const opened = await openVault(root, { docSuffixes: ['.pdf'] });
  const deps: SyncDeps = {
    vault: opened,
    readAtOnce: readerAtOnce(opened),
    presence: await observePresence(root),
    ...{ writer, cache },
    describer: describerFor(),
    rules: createPathRules({ docSuffixes: ['.pdf'], excludeDirs: [], ignore: [] }),
    producer: {
      add: async (name, payload) => {
        jobs.push({ name, payload });
        asked.push(name);
      },
      stats: async () => ({ ok: true, depth: 0, failed: 0, error: null }),
      close: async () => {},
    },
    logger: silentLogger(),
    noteMaxBytes: 1000,
    documentMaxBytes: 1000,
  };
  return {
    ...{ folder, writer, reader, cache, jobs, asked, deps },
    sync: createFileSync(deps),
    syncWith: (changed) => createFileSync({ ...deps, ...changed }),
    put(path, content) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return createHash('sha256').update(content).digest('hex');
    },
    async close() {
      reader.close();
      writer.close();
      cache.close();
      await folder.remove();
    },
  };
}
