/**
 * A vault that is watched, and its generated index page as a person sees it. Danger: a look at the page is asked for after
 * the change that it follows, so whoever expects nothing to happen has to have it looked at first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IndexedVault, type IndexedVaultOptions, indexVault } from './indexed-vault.ts';

export const HOUSEHOLD = {
  'Home.md': '# Home\n\nThe boiler was serviced by Brandt.\n',
  'Car/Car.md': '# The car\n',
  'Car/Service log.md': '---\ntitle: Service log\ntags: [car]\n---\n\n- 2026-01-02 brakes\n',
  'Deep/er/note.md': 'A note about zwetschgen.\n',
};

export interface PagedVault extends IndexedVault {
  /** Absolute path of a file in the vault; of the page unless one is named. */
  file(path?: string): string;
  page(): string;
  /** Titles, as the page lists them. */
  listed(): (string | undefined)[];
  /** What the indexer says of it. */
  indexDoc(): NonNullable<ReturnType<IndexedVault['reader']['indexerStatus']>>['indexDoc'] | undefined;
  untilState(state: string): Promise<void>;
  untilListed(...titles: (string | undefined)[]): Promise<void>;
  /** Has the page looked at, and resolves when that is done. */
  looked(): Promise<void>;
}

/** Resolves when the watcher works. */
export async function watchPage(options: IndexedVaultOptions = {}): Promise<PagedVault> {
  const vault = await indexVault({ files: HOUSEHOLD, watch: true, ...options });
  const file = (path = 'index.md') => join(vault.vaultPath, path);
  const page = () => readFileSync(file(), 'utf8');
  const listed = () => [...page().matchAll(/^- \[(.*?)\]\(/gm)].map(([, title]) => title);
  const indexDoc = () => vault.reader.indexerStatus()?.indexDoc;
  if (options.watch ?? true) {
    await vault.until(() => vault.reader.indexerStatus()?.watcher.ok === true, 'the watcher');
  }
  return {
    ...{ ...vault, file, page, listed, indexDoc },
    untilState: (state) => vault.until(() => indexDoc()?.state === state, `the index page to be ${state}`),
    untilListed: (...titles) =>
      vault.until(() => listed().join() === titles.join(), `the page to list ${titles.join()}`),
    async looked() {
      await vault.queue.add('publish-catalog', {});
      await vault.until(async () => (await vault.queue.stats()).depth === 0, 'the look');
    },
  };
}
