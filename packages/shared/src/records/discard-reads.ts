/**
 * Reads the discard log, over all its files. Danger: it is read without its lock, so that no reader holds a writer up;
 * what is put aside or changed meanwhile is noticed and looked at again.
 */
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type OpenFolder, openFolder } from '../vault/open-leaf.ts';
import type { VaultPath } from '../vault/path.ts';
import type { Vault } from '../vault/vault.ts';
import {
  DISCARD_LOG,
  type DiscardFile,
  type DiscardFiles,
  type DiscardNames,
  type DiscardPlace,
  discardNames,
} from './discard-files.ts';
import { type Discard, type DiscardSummary, summaryOf } from './discard-lines.ts';
import type { DiscardPage, DiscardRange, DiscardStats, FoundDiscard } from './discard-log.ts';

const ROOT = '' as VaultPath;
/** How often it is looked anew when a file was put aside meanwhile. */
const LOOKS = 3;

/** Everything there is. */
interface DiscardView {
  /** Of entries, the highest number first; of two with one number that of the log itself before that of a copy. */
  readonly places: readonly DiscardPlace[];
  /** By the id of the entry: the note that it became again. */
  readonly restored: ReadonlyMap<string, string>;
  readonly damaged: number;
}

export class DiscardReads {
  readonly #vault: Vault;
  readonly #files: DiscardFiles;
  readonly #logger: Logger;

  constructor(vault: Vault, files: DiscardFiles, logger: Logger) {
    this.#vault = vault;
    this.#files = files;
    this.#logger = logger;
  }

  list({ limit, beforeN = Number.POSITIVE_INFINITY }: DiscardRange): Promise<DiscardPage> {
    return this.#reading(async (root, { places, restored, damaged }) => {
      const rest = places.filter(({ n }) => n < beforeN);
      // Entries with one number (of a copy) stay together, since the next page begins below it.
      const last = rest[Math.min(limit, rest.length) - 1]?.n ?? 0;
      const page = rest.filter(({ n }) => n >= last);
      const entries: DiscardSummary[] = [];
      for (const place of page) {
        const discard = await this.#discardAt(root, place);
        if (discard === null) return undefined;
        entries.push(summaryOf(discard, restored.get(discard.id)));
      }
      return { entries, next: page.length < rest.length ? last : null, damaged };
    });
  }

  show(n: number): Promise<FoundDiscard | null> {
    return this.#reading(async (root, { places, restored }) => {
      const place = places.find((one) => one.n === n);
      if (place === undefined) return null;
      const discard = await this.#discardAt(root, place);
      return discard === null ? undefined : { discard, restored: restored.get(discard.id) ?? null };
    });
  }

  stats(): Promise<DiscardStats> {
    return this.#reading(async (_root, { places, restored, damaged }) => {
      return { count: places.length, restored: places.filter(({ id }) => restored.has(id)).length, damaged };
    });
  }

  /** @returns null when it is gone, or is none that could be read; logged then */
  async readIfPlain(root: OpenFolder, name: string): Promise<DiscardFile | null> {
    try {
      return await this.#files.read(root, name);
    } catch (error) {
      this.#logger.warn({ err: error, file: name }, 'a file of the discard log cannot be read and is left out');
      return null;
    }
  }

  /** @param read returns undefined when what it looked for has moved meanwhile: then there is another look */
  async #reading<T>(read: (root: OpenFolder, view: DiscardView) => Promise<T | undefined>): Promise<T> {
    // An empty mount point is no vault in which nothing was discarded.
    await this.#vault.locate(ROOT);
    const root = await openFolder(this.#vault, ROOT);
    try {
      for (let look = 0; look < LOOKS; look++) {
        const found = await read(root, await this.#view(root));
        if (found !== undefined) return found;
      }
      throw new AppError('locked', 'The discard log was changed again and again while it was read: try again.');
    } finally {
      await root.close();
    }
  }

  async #view(root: OpenFolder): Promise<DiscardView> {
    const files = await this.#allFiles(root);
    const places = new Map<string, DiscardPlace>();
    const restored = new Map<string, string>();
    // The oldest first, so that of two marks the later one counts, and of two places the log's own.
    for (const place of files.toReversed().flatMap((file) => file.places)) {
      if (place.restored === undefined) places.set(place.id, place);
      else restored.set(place.restored.id, place.restored.path);
    }
    const order = new Map(files.map(({ name }, index) => [name, index]));
    const orderOf = ({ file }: DiscardPlace) => order.get(file) ?? 0;
    return {
      places: [...places.values()].sort((a, b) => b.n - a.n || orderOf(a) - orderOf(b)),
      restored,
      damaged: files.reduce((sum, file) => sum + file.damaged, 0),
    };
  }

  /** The log itself, what was put aside, the newest first, then copies. */
  async #allFiles(root: OpenFolder): Promise<DiscardFile[]> {
    let names = await discardNames(root);
    for (let look = 1; ; look++) {
      const inOrder = [DISCARD_LOG, ...names.rotated, ...names.copies];
      const files: DiscardFile[] = [];
      for (const name of inOrder) {
        const file = await this.readIfPlain(root, name);
        if (file !== null) files.push(file);
      }
      const after = await discardNames(root);
      if (look === LOOKS || sameNames(names, after)) return files;
      names = after;
    }
  }

  async #discardAt(root: OpenFolder, place: DiscardPlace): Promise<Discard | null> {
    try {
      const entry = await this.#files.entryAt(root, place);
      return entry === null || entry.kind === 'restored' ? null : entry;
    } catch (error) {
      // Put aside since: the next look finds it there.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}

function sameNames(a: DiscardNames, b: DiscardNames): boolean {
  return JSON.stringify([a.rotated, a.copies]) === JSON.stringify([b.rotated, b.copies]);
}
