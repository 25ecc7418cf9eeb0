/** A real vault whose index page is published over rows that the test makes up, and a clock that the test moves. */

import { type CatalogPublisher, createCatalogPublisher, type PublisherDeps } from '@vault-mcp/indexer/catalog/publish';
import type { CatalogState } from '@vault-mcp/indexer/catalog/state';
import type { StoredNote } from '@vault-mcp/shared/index-db/file-store';
import { observePresence } from '@vault-mcp/shared/vault/presence';
import { createWritableVault, type WritableVault } from './writable-vault.ts';

export interface PublishingVault extends WritableVault {
  readonly deps: PublisherDeps;
  publisher: CatalogPublisher;
  rows: StoredNote[];
  generation: number;
  /** How often the rows were read. */
  reads: number;
  /** Milliseconds since 1970. */
  now: number;
  /** Has the index hold these notes. */
  hold(...paths: string[]): void;
  /** The next page is published with other settings. */
  publishWith(changed: Partial<PublisherDeps>): void;
  publish(): Promise<CatalogState | null>;
  page(): Promise<string>;
}

const START = Date.parse('2026-11-30T10:00:00.789Z');

/** With one note, `Home.md`, in the index. */
export async function createPublishingVault(): Promise<PublishingVault> {
  const writable = await createWritableVault();
  const deps: PublisherDeps = {
    ...{ vault: writable.vault, locks: writable.locks, excludeDirs: [], noteMaxBytes: 0, timestampKey: 'timestamp' },
    presence: await observePresence(writable.root),
    index: {
      generation: () => on.generation,
      storedNotes() {
        on.reads++;
        return on.rows;
      },
    },
    now: () => new Date(on.now),
  };
  const on: PublishingVault = {
    ...{ ...writable, deps, rows: [], generation: 1, reads: 0, now: START },
    publisher: createCatalogPublisher(deps),
    hold(...paths) {
      on.rows = paths.map((path) => ({ path, title: path.replace(/\.md$/, ''), description: '', state: 'indexed' }));
      on.generation++;
    },
    publishWith(changed) {
      on.publisher = createCatalogPublisher({ ...deps, ...changed });
    },
    publish: () => on.publisher.publish(),
    page: () => writable.read('index.md'),
  };
  on.hold('Home.md');
  return on;
}

export function published(entries: number): CatalogState {
  return { ok: true, state: 'published', entries, error: null, detail: null };
}
